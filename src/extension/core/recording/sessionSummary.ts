/* Summary of a session for the list and its search, folded from a few lines of the journal. */

import * as z from 'zod';
import type { Message, SessionEvent } from '../../../protocol/events.ts';
import { eventOf } from '../../../protocol/fold/agents.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { headOf, oneLine, tailOf } from '../../base/text.ts';
import { parseEvent, parseJournalLine } from './parseEvent.ts';

export const sessionSummarySchema = lazySchema(() =>
  z.object({
    /** The user's name for it, else the first line of the first prompt; empty: no prompt. */
    title: z.string(),
    /** The user chose the title. */
    named: z.boolean(),
    chapters: z.array(z.object({ id: z.string(), title: z.string() })),
    /** The newest prompts, shortened. */
    prompts: z.string(),
    /** The newest answers, shortened. */
    answers: z.string(),
    /** The newest files that were read or written, each with its folder. */
    files: z.array(z.string()),
    /** Time of the last activity, milliseconds since the Unix epoch; 0: unknown. */
    workedAt: z.number(),
    /** Name of its worktree; absent in older indexes. */
    worktree: z.string().optional(),
    /** Its commands run in a container; absent in older indexes. */
    container: z.literal(true).optional(),
    /** The external agent that runs it; absent for Folio's, and in older indexes. */
    driver: z.string().optional(),
  }),
);
export type SessionSummary = z.infer<ReturnType<typeof sessionSummarySchema>>;

/** The summary of a session without lines, for `extendSummary` to extend. */
export const emptySummary: SessionSummary = {
  title: '',
  named: false,
  chapters: [],
  prompts: '',
  answers: '',
  files: [],
  workedAt: 0,
};

/** Characters of a title, of one prompt or answer, and of all of them. */
const titleLimit = 80;
const promptLimit = 400;
const promptsLimit = 6000;
const answerLimit = 2000;
const answersLimit = 6000;
const maxFiles = 100;
const maxChapters = 500;

export function extendSummary(summary: SessionSummary, lines: readonly string[]): SessionSummary {
  const folded = lines
    .filter(namesSomething)
    .map(parseEvent)
    .reduce((each, event) => (event ? addEvent(each, event) : each), summary);
  return { ...folded, workedAt: newestWork(lines) ?? folded.workedAt };
}

/** An event's type is at the start of its line, so long lines are rarely parsed. */
function namesSomething(line: string): boolean {
  const head = headOf(line, 300);
  return naming.test(head) || (answering.test(head) && line.includes('"kind":"text"'));
}

const naming =
  /"(?:turn\.started|chapter\.started|chapter\.renamed|session\.(?:renamed|moved)|agent\.chosen|prompt\.queued|file\.seen|file\.written)"/;
const answering = /"message\.added","message":\{"role":"model"/;

function addEvent(summary: SessionSummary, event: SessionEvent): SessionSummary {
  switch (event.type) {
    case 'session.renamed':
      return { ...summary, title: oneLine(event.title, titleLimit), named: true };
    case 'session.moved':
      return {
        ...summary,
        worktree: event.worktree && oneLine(event.worktree.name, titleLimit),
        container: event.container && true,
      };
    case 'agent.chosen':
      return { ...summary, driver: oneLine(event.name, titleLimit) };
    case 'turn.started': {
      const first = event.text.trim().split('\n', 1)[0] ?? '';
      return { ...addPrompt(summary, event.text), title: summary.title || oneLine(first, titleLimit) };
    }
    case 'prompt.queued':
      // Other prompts appear again when their turn starts.
      return event.prompt.when === 'steer' ? addPrompt(summary, event.prompt.text) : summary;
    case 'chapter.started': {
      const chapter = { id: event.chapterId, title: oneLine(event.title, titleLimit) };
      return { ...summary, chapters: [...summary.chapters, chapter].slice(-maxChapters) };
    }
    case 'chapter.renamed': {
      const title = oneLine(event.title, titleLimit);
      const rename = (chapter: SessionSummary['chapters'][number]) =>
        chapter.id === event.chapterId ? { ...chapter, title } : chapter;
      return { ...summary, chapters: summary.chapters.map(rename) };
    }
    case 'message.added':
      return event.message.role === 'model' ? addAnswer(summary, event.message) : summary;
    case 'file.seen':
    case 'file.written':
      return addFile(summary, event.path);
    default:
      return summary;
  }
}

function addAnswer(summary: SessionSummary, { parts }: Message): SessionSummary {
  const text = parts.flatMap(part => (part.kind === 'text' ? part.text : [])).join('\n');
  if (text.trim() === '') return summary;
  const answer = oneLine(withoutMarks(text), answerLimit);
  return { ...summary, answers: tailOf(`${summary.answers}\n${answer}`, answersLimit) };
}

/** Leaves the words of Markdown, which the list shows around a match. */
function withoutMarks(markdown: string): string {
  return markdown
    .replace(/^\s*(?:```.*$|#{1,6} |[-*+] |> )/gm, '')
    .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replace(/\*\*([^*\n]+)\*\*/g, '$1')
    .replace(/`+/g, '');
}

function addFile(summary: SessionSummary, path: string): SessionSummary {
  const file = fileWithFolder(path);
  if (summary.files.includes(file)) return summary;
  return { ...summary, files: [...summary.files, file].slice(-maxFiles) };
}

/** Returns the last two names of a path. */
export function fileWithFolder(path: string): string {
  return path.split(/[\\/]/).slice(-2).join('/');
}

function addPrompt(summary: SessionSummary, text: string): SessionSummary {
  const prompts = `${summary.prompts}\n${oneLine(text, promptLimit)}`;
  return { ...summary, prompts: tailOf(prompts, promptsLimit) };
}

/** Events that do not count as activity, such as naming or opening a session. */
const idle: ReadonlySet<SessionEvent['type']> = new Set([
  ...(['session.renamed', 'session.resumed', 'notice.shown', 'mode.changed', 'model.changed'] as const),
]);

function newestWork(lines: readonly string[]): number | undefined {
  for (let index = lines.length - 1; index >= 0; index--) {
    const reported = parseJournalLine(lines[index]!);
    const event = reported && eventOf(reported);
    if (event && !idle.has(event.type))
      return event.type === 'turn.ended' ? (event.lastActiveAt ?? event.at) : event.at;
  }
  return undefined;
}
