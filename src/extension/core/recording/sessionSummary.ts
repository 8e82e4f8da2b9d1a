/* The summary of a session for the list and its search: a fold of the few lines of the journal that name things. */

import * as z from 'zod';
import type { SessionEvent } from '../../../protocol/events.ts';
import { eventOf } from '../../../protocol/fold/agents.ts';
import { later } from '../../../protocol/later.ts';
import { headOf, oneLine, tailOf } from '../../base/text.ts';
import { parseEvent, parseLine } from './parseEvent.ts';

export const sessionSummary = later(() =>
  z.object({
    /** The person's name for it, else the first line of the first prompt; empty: nothing was asked. */
    title: z.string(),
    /** The person gave it that name. */
    named: z.boolean(),
    chapters: z.array(z.object({ id: z.string(), title: z.string() })),
    /** The person's prompts, cut; of many the newest. */
    prompts: z.string(),
    /** When something was last done in it, milliseconds since the Unix epoch; 0: unknown. */
    workedAt: z.number(),
  }),
);
export type SessionSummary = z.infer<ReturnType<typeof sessionSummary>>;

export const emptySummary: SessionSummary = {
  title: '',
  named: false,
  chapters: [],
  prompts: '',
  workedAt: 0,
};

/** Characters of a title, of one prompt, and of all of them. */
const titleLimit = 80;
const promptLimit = 400;
const promptsLimit = 6000;
const mostChapters = 500;

/** The summary after these further lines of the journal. */
export function addLines(summary: SessionSummary, lines: readonly string[]): SessionSummary {
  const folded = lines
    .filter(namesSomething)
    .map(parseEvent)
    .reduce((each, event) => (event ? addEvent(each, event) : each), summary);
  return { ...folded, workedAt: newestWork(lines) ?? folded.workedAt };
}

/** An event's type stands at its beginning, so that the rest of a long line is not even looked at. */
function namesSomething(line: string): boolean {
  return naming.test(headOf(line, 300));
}

const naming = /"(?:turn\.started|chapter\.started|chapter\.renamed|session\.renamed|prompt\.queued)"/;

function addEvent(summary: SessionSummary, event: SessionEvent): SessionSummary {
  switch (event.type) {
    case 'session.renamed':
      return { ...summary, title: oneLine(event.title, titleLimit), named: true };
    case 'turn.started': {
      const first = event.text.trim().split('\n', 1)[0] ?? '';
      return { ...addPrompt(summary, event.text), title: summary.title || oneLine(first, titleLimit) };
    }
    case 'prompt.queued':
      // Others come again as the beginning of a turn.
      return event.prompt.when === 'steer' ? addPrompt(summary, event.prompt.text) : summary;
    case 'chapter.started': {
      const chapter = { id: event.chapterId, title: oneLine(event.title, titleLimit) };
      return { ...summary, chapters: [...summary.chapters, chapter].slice(-mostChapters) };
    }
    case 'chapter.renamed': {
      const title = oneLine(event.title, titleLimit);
      const rename = (chapter: SessionSummary['chapters'][number]) =>
        chapter.id === event.chapterId ? { ...chapter, title } : chapter;
      return { ...summary, chapters: summary.chapters.map(rename) };
    }
    default:
      return summary;
  }
}

function addPrompt(summary: SessionSummary, text: string): SessionSummary {
  const prompts = `${summary.prompts}\n${oneLine(text, promptLimit)}`;
  return { ...summary, prompts: tailOf(prompts, promptsLimit) };
}

/** Giving a session a name, or opening it to look at it, is no work in it. */
const idle: ReadonlySet<SessionEvent['type']> = new Set([
  ...(['session.renamed', 'session.resumed', 'notice.shown', 'mode.changed', 'model.changed'] as const),
]);

function newestWork(lines: readonly string[]): number | undefined {
  for (let index = lines.length - 1; index >= 0; index--) {
    const told = parseLine(lines[index]!);
    const event = told && eventOf(told);
    if (event && !idle.has(event.type))
      return event.type === 'turn.ended' ? (event.lastActiveAt ?? event.at) : event.at;
  }
  return undefined;
}
