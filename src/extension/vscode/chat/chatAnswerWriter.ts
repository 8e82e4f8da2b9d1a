import type { TranscriptPlace } from '../../../protocol/panel/messages.ts';

/** A link into the panel: to a session, by default the shown one, and optionally to a place in it. */
export interface SessionLink {
  readonly sessionId?: string;
  readonly place?: TranscriptPlace;
}

/** Writes an answer in a chat outside of the panel. Content is appended in call order and never removed. */
export interface ChatAnswerWriter {
  /** Appends Markdown of the model. */
  write(markdown: string): void;
  /** Appends a sentence by Folio, which may contain names chosen by others. */
  say(sentence: string): void;
  /** Appends a heading with a link. */
  head(title: string, target: SessionLink): void;
  /** Appends a button with a link. */
  lead(label: string, target: SessionLink): void;
  /** Shows the current activity. */
  reportProgress(work: string): void;
  /** @param path absolute, of a changed file */
  showChanged(path: string): void;
}
