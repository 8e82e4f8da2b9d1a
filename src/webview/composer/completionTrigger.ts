/* Where in a prompt something can be completed, and what a choice makes of it. */

import type { CompletionChoice, CompletionTrigger } from '../../protocol/mentions.ts';

export interface TriggerPlace {
  readonly trigger: CompletionTrigger;
  /** Index of the trigger. */
  readonly start: number;
  /** Index behind the last character that was typed for it. */
  readonly caret: number;
  /** The text between trigger and caret. */
  readonly query: string;
}

/** `undefined` where the caret stands behind nothing that can be completed. */
export function findTrigger(text: string, caret: number): TriggerPlace | undefined {
  return findCommand(text, caret) ?? findMention(text, caret);
}

export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Where the caret goes. */
  readonly caret: number;
}

/** Characters that are already there and would come twice are replaced too: a closing quote, a space. */
export function replacementFor(text: string, place: TriggerPlace, choice: CompletionChoice): Replacement {
  const { start, caret, query } = place;
  const { insert } = choice;
  const next = text[caret];
  const quoted = query.startsWith('"') && next === '"';
  const spaced = insert.endsWith(' ') && next === ' ';
  const end = quoted || spaced ? caret + 1 : caret;
  // A folder is continued with, inside of its quotes.
  const behind = start + insert.length;
  return { start, end, text: insert, caret: insert.endsWith('/"') ? behind - 1 : behind };
}

/** All of the choice stands there already, so that there is nothing to take. */
export function isWritten({ trigger, query }: TriggerPlace, choice: CompletionChoice): boolean {
  const [wanted, written] = [choice.insert.trimEnd(), trigger + query.trimEnd()];
  // Commands are known in any case, files are not.
  return trigger === '/' ? wanted.toLowerCase() === written.toLowerCase() : wanted === written;
}

/** It may be the word behind a command's name; whether the command knows any, the host says. */
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

/** Not inside of a mail address, a package's version or a path; as the host reads it. */
function beginsWord(before: string | undefined): boolean {
  return (
    before === undefined ||
    !/[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}_.%+\-/@\\$]/u.test(before)
  );
}

/** Up to a space; in quotes up to the closing one. */
function isOneWord(query: string): boolean {
  return query.startsWith('"') ? !query.includes('"', 1) : /^(?:\\\s|[^\s"'`<>|])*$/.test(query);
}

/** Between fences, or behind an odd number of backticks of its line. */
function isCode(text: string, lineStart: number, before: string): boolean {
  const fences = text.slice(0, lineStart).match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0;
  const ticks = before.match(/`/g)?.length ?? 0;
  return fences % 2 === 1 || ticks % 2 === 1;
}
