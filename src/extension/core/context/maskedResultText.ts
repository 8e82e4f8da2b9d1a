/* The text that replaces an old, long result in a request. */

import { cutMiddle, formatQuantity } from '../../base/text.ts';
import { defuseTags } from '../../base/untrusted.ts';

/** Lines kept at the start and end of a command's output or a page. */
const lineLimit = 10;

/** Characters of these lines per side. */
const linesLimit = 1_000;

/** Characters of a result without sections, and of the text before and after a section. */
const textLimit = 500;

const opening = '<masked_output>\n';

export function isMaskedResult(text: string): boolean {
  return text.startsWith(opening);
}

/** @param path absolute path of the full text */
export function maskedResultText(text: string, path: string): string {
  const { body, memory } = splitMemory(text);
  const shown = defuseTags(preview(body), 'masked_output');
  const where = `An older result, shortened. The whole is in ${path}: read parts of it with read_file.`;
  return wellFormed(`${opening}${where}\n\n${shown}\n</masked_output>${memory}`);
}

/**
 * Separates instruction files at the end of a result (`sessionMemory.ts`): they are sent only once, so they must
 * remain. A file cannot imitate them, since it does not know the key.
 */
function splitMemory(text: string): { readonly body: string; readonly memory: string } {
  const whole = { body: text, memory: '' };
  if (!text.endsWith('\n</memory>')) return whole;
  const newest = /^\n\n<memory key="[^"\n]*" /.exec(text.slice(text.lastIndexOf('\n\n<memory key="')));
  if (!newest) return whole;
  const start = text.indexOf(newest[0]);
  return { body: text.slice(0, start), memory: text.slice(start) };
}

/** Returns head and tail. Untrusted text stays inside its fence. */
function preview(text: string): string {
  const fence = /<(untrusted_\w+)>\n/.exec(text);
  const start = fence ? fence.index + fence[0].length : 0;
  const end = fence ? text.lastIndexOf(`\n</${fence[1]}>`) : -1;
  if (end < start) return cutMiddle(text, textLimit, 0.5);
  const before = cutMiddle(text.slice(0, fence!.index), textLimit, 0.5);
  const after = cutMiddle(text.slice(end + `\n</${fence![1]}>`.length), textLimit, 0.5);
  return `${before}${fence![0]}${cutLines(text.slice(start, end))}\n</${fence![1]}>${after}`;
}

function cutLines(text: string): string {
  const lines = text.split('\n');
  if (lines.length <= 2 * lineLimit) return cutMiddle(text, 2 * linesLimit, 0.5);
  const [head, tail] = [lines.slice(0, lineLimit), lines.slice(-lineLimit)].map(side =>
    cutMiddle(side.join('\n'), linesLimit, 0.5),
  );
  const left = formatQuantity(lines.length - 2 * lineLimit, 'line');
  return `${head}\n… ${left} left out …\n${tail}`;
}

/** A cut may split a surrogate pair, and services refuse lone surrogates. */
function wellFormed(text: string): string {
  return text.toWellFormed();
}
