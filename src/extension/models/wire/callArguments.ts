import { type ParseError, parse } from 'jsonc-parser';
import type { Part } from '../../../protocol/events.ts';
import { isSameJson } from '../../base/record.ts';
import { headOf, tailOf } from '../../base/text.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** The arguments of a call for the history. `unreadable`: why the text is no object. */
type WrittenArguments = Pick<Extract<Part, { kind: 'call' }>, 'args' | 'unreadable'>;

/**
 * Parses the arguments of a call. Repairs only unambiguous errors: raw line breaks in strings, a repeated object, an
 * empty object before the real one, a doubly encoded object. Empty text and `null` mean no arguments.
 *
 * Other errors are reported to the model, because a retry would often get the same answer.
 *
 * @param isCut the answer reached its length limit with this call, so an empty text may be a missing one
 */
export function readCallArguments(text: string, isCut = false): WrittenArguments {
  const args = isCut && text.trim() === '' ? undefined : parseArgumentsObject(text);
  if (args !== undefined) return { args };
  return { args: {}, unreadable: describeArgumentFault(escapeControls(text), isCut) };
}

/** Returns `undefined` for anything that does not unambiguously mean an object. */
export function parseArgumentsObject(text: string): Arguments | undefined {
  if (text.trim() === '') return {};
  const value = parseRepaired(text);
  if (typeof value === 'string' && value.trim().startsWith('{')) return parseArgumentsObject(value);
  if (value === null || value === '') return {};
  return typeof value === 'object' && !Array.isArray(value) ? { ...value } : undefined;
}

/** Returns `undefined` if the text is not JSON. */
function parseRepaired(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Models write raw line breaks and tabs into strings, and servers send the arguments twice.
  }
  const parts = splitObjects(escapeControls(text));
  try {
    const values = (parts ?? []).map((part): unknown => JSON.parse(part)).filter(isFilled);
    const [first = {}] = values;
    return parts && values.every(value => isSameJson(value, first)) ? first : undefined;
  } catch {
    // The caller describes the fault.
    return undefined;
  }
}

function isFilled(value: unknown): boolean {
  return !isSameJson(value, {});
}

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const controls = /[\u0000-\u001f]/g;

function escapeControls(text: string): string {
  return text.replace(/"(?:[^"\\]|\\[\s\S])*"/g, string => string.replace(controls, escapeOf));
}

function escapeOf(control: string): string {
  return escapes[control] ?? `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Splits a text of consecutive objects. Returns `undefined` if it holds anything else. */
function splitObjects(text: string): readonly string[] | undefined {
  const objects: string[] = [];
  let start = 0;
  for (const { at, depth } of bracketsOf(text)) {
    if (depth > 0) continue;
    objects.push(text.slice(start, at + 1));
    start = at + 1;
  }
  const areObjects = objects.length > 0 && objects.every(object => object.trim().startsWith('{'));
  return areObjects && text.slice(start).trim() === '' ? objects : undefined;
}

/** Yields the brackets outside of strings, with the nesting depth after each. */
function* bracketsOf(text: string): Generator<{ readonly at: number; readonly depth: number }> {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\[\s\S])*"|[{}[\]]/g)) {
    if (token.length > 1) continue;
    depth += token === '{' || token === '[' ? 1 : -1;
    yield { at: index, depth };
  }
}

/** Characters shown on either side of the error. */
const nearby = 60;

/**
 * Describes for the model why its arguments are no JSON object: position and text of the error.
 * @param isCut the answer reached its length limit within the arguments
 */
function describeArgumentFault(text: string, isCut: boolean): string {
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
