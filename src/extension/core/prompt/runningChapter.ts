import type { Message, Part } from '../../../protocol/events.ts';
import { oneLine } from '../../base/text.ts';

/**
 * Names the running chapter for the model where the conversation does not: the person gave it another title, or what
 * opened it was compressed. The words go into the history with a prompt and stay there, so that the beginning of each
 * request is that of the one before.
 */
export function untoldChapter(messages: readonly Message[], title: string | undefined): string | undefined {
  const words = title === undefined ? undefined : chapterWords(title);
  if (words === undefined) return undefined;
  const told = messages.flatMap(({ parts }) => parts.flatMap(toldTitle)).at(-1);
  return told !== undefined && chapterWords(told) === words ? undefined : words;
}

const titleLimit = 120;
const opening = '[Active Topic: ';

/** A title comes from the model: it stays on one line and cannot close or open a bracket. */
function chapterWords(title: string): string | undefined {
  const plain = title.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, ' ');
  const line = oneLine(plain.replace(/[[{]/g, '(').replace(/[\]}]/g, ')'), titleLimit);
  return line === '' ? undefined : `${opening}${line}]`;
}

/** A refused call names no chapter that runs, and neither do files: only whole texts of our own count. */
function toldTitle(part: Part): readonly string[] {
  if (part.kind === 'text' && part.text.startsWith(opening) && part.text.endsWith(']'))
    return [part.text.slice(opening.length, -1)];
  if (part.kind !== 'result' || part.name !== 'create_new_topic' || !part.ok) return [];
  const title = /"(.*)"/.exec(part.text)?.[1];
  return title === undefined ? [] : [title];
}
