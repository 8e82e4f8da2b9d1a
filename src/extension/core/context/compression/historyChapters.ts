import type { Message } from '../../../../protocol/events.ts';
import type { SessionState } from '../../../../protocol/state.ts';
import type { RewindIndex } from '../../history/places.ts';

/** A chapter with all its messages, compressed or not. */
export interface HistoryChapter {
  readonly id: string;
  readonly number: number;
  /** Empty for the opening. */
  readonly title: string;
  readonly summary?: string;
  /** First and last message in the whole history; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** Returned in order; together they cover the whole history. */
export function historyChapters(
  { chapters }: SessionState,
  places: Pick<RewindIndex, 'chapters'>,
  messages: number,
): readonly HistoryChapter[] {
  const starts = new Map(places.chapters.map(({ chapterId, message }) => [chapterId, message]));
  const starting = chapters.map((chapter, index) => (index === 0 ? 0 : (starts.get(chapter.id) ?? messages)));
  return chapters.map(({ id, number, title, summary }, index) => {
    const start = starting[index]!;
    return { id, number, title, summary, start, end: Math.max(start, starting[index + 1] ?? messages) };
  });
}

/** Formats `2 "Fixing the race"` for the model. */
export function formatChapterName({ number, title }: Pick<HistoryChapter, 'number' | 'title'>): string {
  return title ? `${number} "${title}"` : `${number} (the opening)`;
}

/** Returns a chapter's messages including its prompt, since a chapter begins with the model's answer. */
export function messagesOf({ start, end }: HistoryChapter, whole: readonly Message[]): readonly Message[] {
  const before = whole[start - 1];
  const isPrompt = before?.role === 'user' && !before.parts.some(part => part.kind === 'result');
  return whole.slice(isPrompt ? start - 1 : start, end);
}
