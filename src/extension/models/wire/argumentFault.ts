import { type ParseError, parse } from 'jsonc-parser';
import { headOf, tailOf } from '../../base/text.ts';

/** Characters shown on either side of the error. */
const nearby = 60;

/**
 * Describes for the model why its arguments are no JSON object: position and text of the error.
 * @param isCut the answer reached its length limit within the arguments
 */
export function describeArgumentFault(text: string, isCut: boolean): string {
  if (isCut)
    return `they are cut off${behind(text)}, since the answer reached its length limit. Do less with one call: write a long text in several parts.`;
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { disallowComments: true });
  const at = errors[0]?.offset;
  if (at === undefined)
    return `they must be one JSON object, not ${Array.isArray(value) ? 'a list' : `a ${typeof value}`}: ${headOf(text, nearby)}`;
  if (at >= text.trimEnd().length || isOpenString(text, at)) return `they end in the middle${behind(text)}.`;
  const before = text.slice(0, at);
  const hint = before.trimEnd().endsWith('"') ? ' A quote within a string must be written as \\".' : '';
  return `they are not valid JSON from character ${at + 1} on${behind(before)}, at: ${headOf(text.slice(at), nearby)}${hint}`;
}

function behind(text: string): string {
  return text === '' ? '' : `, behind: ${tailOf(text, nearby)}`;
}

/** True if the string that begins at `at` has no end. */
function isOpenString(text: string, at: number): boolean {
  return text[at] === '"' && !/^"(?:[^"\\]|\\[\s\S])*"/.test(text.slice(at));
}
