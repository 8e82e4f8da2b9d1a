/* Finds the place of a completion in a prompt, and applies a choice. */

import type { CompletionChoice, CompletionTrigger } from '../../protocol/mentions.ts';

export interface TriggerPlace {
  readonly trigger: CompletionTrigger;
  /** Index of the trigger. */
  readonly start: number;
  /** Index after the query. */
  readonly caret: number;
  /** The text between trigger and caret. */
  readonly query: string;
}

/** Returns `undefined` if nothing can be completed at the caret. */
export function findTrigger(text: string, caret: number): TriggerPlace | undefined {
  return findCommand(text, caret) ?? findMention(text, caret);
}

export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Caret after the replacement. */
  readonly caret: number;
}

/** Also replaces a closing quote or space after the caret, which would otherwise be doubled. */
export function replacementFor(text: string, place: TriggerPlace, choice: CompletionChoice): Replacement {
  const { start, caret, query } = place;
  const { insert } = choice;
  const next = text[caret];
  const quoted = query.startsWith('"') && next === '"';
  const spaced = insert.endsWith(' ') && next === ' ';
  const end = quoted || spaced ? caret + 1 : caret;
  // After a folder the caret stays inside the quotes.
  const behind = start + insert.length;
  return { start, end, text: insert, caret: insert.endsWith('/"') ? behind - 1 : behind };
}

/** Returns true if the text already equals the choice. */
export function isAlreadyWritten({ trigger, query }: TriggerPlace, choice: CompletionChoice): boolean {
  const [wanted, written] = [choice.insert.trimEnd(), trigger + query.trimEnd()];
  // Commands ignore case, files do not.
  return trigger === '/' ? wanted.toLowerCase() === written.toLowerCase() : wanted === written;
}

/** Returns true for a word after a command's name. The host knows its sub-commands. */
export function isSubCommand({ trigger, query }: TriggerPlace): boolean {
  return trigger === '/' && query.includes(' ');
}

function findCommand(text: string, caret: number): TriggerPlace | undefined {
  if (text[0] !== '/' || caret < 1) return undefined;
  const query = text.slice(1, caret);
  return /^[^\s/]*(\b [\w-]*)?$/.test(query) ? { trigger: '/', start: 0, caret, query } : undefined;
}

function findMention(text: string, caret: number): TriggerPlace | undefined {
  const line = text.slice(text.lastIndexOf('\n', caret - 1) + 1, caret);
  const lineStart = caret - line.length;
  for (let at = line.lastIndexOf('@'); at >= 0; at = at === 0 ? -1 : line.lastIndexOf('@', at - 1)) {
    const query = line.slice(at + 1);
    if (!beginsWord(line[at - 1]) || !isOneWord(query)) continue;
    const start = lineStart + at;
    return isCode(text, lineStart, line.slice(0, at)) ? undefined : { trigger: '@', start, caret, query };
  }
  return undefined;
}

/** Returns false inside a mail address, a package version or a path, as the host does. */
function beginsWord(before: string | undefined): boolean {
  return (
    before === undefined ||
    !/[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}_.%+\-/@\\$]/u.test(before)
  );
}

/** Returns true up to a space, or in quotes up to the closing one. */
function isOneWord(query: string): boolean {
  return query.startsWith('"') ? !query.includes('"', 1) : /^(?:\\\s|[^\s"'`<>|])*$/.test(query);
}

/** Returns true between fences, or after an odd number of backticks in the line. */
function isCode(text: string, lineStart: number, before: string): boolean {
  const fences = text.slice(0, lineStart).match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0;
  const ticks = before.match(/`/g)?.length ?? 0;
  return fences % 2 === 1 || ticks % 2 === 1;
}
