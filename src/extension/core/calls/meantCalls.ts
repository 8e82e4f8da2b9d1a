/*
 * Calls under names that a model was trained with in place of those it was given: `functions.read_file`,
 * `default_api:read_file`, `readFile`, `read_file<|channel|>json`. They are read as the tool that is certainly meant before
 * they enter the history, so that rules, hooks, results and the next request all see one name.
 */

import type { Message, Part } from '../../../protocol/events.ts';
import { isRecord } from '../../base/record.ts';
import { claudeNames, toolsCalled } from '../toolNames.ts';

/** Stands for the name of a call without one, in cards, for hooks and services. */
export const namelessCall = 'unnamed';

type CallPart = Extract<Part, { kind: 'call' }>;

/** @param newId ids for the calls that one call held */
export function withMeantCalls(
  message: Message,
  known: ReadonlyMap<string, unknown>,
  newId: () => string,
): Message {
  if (message.parts.every(part => part.kind !== 'call' || known.has(part.name))) return message;
  const parts = message.parts.flatMap((part): readonly Part[] =>
    part.kind === 'call' ? meantCalls(part, known, newId) : [part],
  );
  return { ...message, parts };
}

/** The name of a known tool; `undefined`: none is certainly meant. */
export function findToolName(name: string, known: ReadonlyMap<string, unknown>): string | undefined {
  if (known.has(name)) return name;
  const words = [name.trim(), ...name.split(/[^\w-]+|__/)].filter(word => !isWrapper(word));
  const meant = words.map(word => ownName(word, known));
  const found = new Set(meant.filter(each => each !== undefined));
  // Any other word may be the name of a tool that is not there.
  const isCertain = found.size === 1 && (meant[0] !== undefined || !meant.slice(1).includes(undefined));
  return isCertain ? [...found][0] : undefined;
}

/** Words that formats put around a name: `functions.X:0`, `to=functions.X<|channel|>json`, `<function=X>`, `tool_call: X()`. */
function isWrapper(word: string): boolean {
  return /^(?:functions?|default_api|api|tools?|tool_?calls?|call|name|to|recipient|assistant|channel|constrain|commentary|analysis|final|message|json|\d*)$/i.test(
    word,
  );
}

function ownName(word: string, known: ReadonlyMap<string, unknown>): string | undefined {
  if (known.has(word)) return word;
  const called = toolsCalled(word).filter(tool => known.has(tool));
  // The first of two tools with one name there takes the same arguments.
  if (called.length === 1 || called.some(tool => claudeNames(tool).includes(word))) return called[0];
  const alike = [...known.keys()].filter(own => lettersOf(own) === lettersOf(word));
  return alike.length === 1 ? alike[0] : undefined;
}

/** Case and separators aside, which differ between `readFile`, `Read-File` and `read_file`. */
function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[\s_.:/-]+/g, '');
}

function meantCalls(
  call: CallPart,
  known: ReadonlyMap<string, unknown>,
  newId: () => string,
): readonly CallPart[] {
  const name = findToolName(call.name, known);
  if (name !== undefined) return [name === call.name ? call : { ...call, name }];
  if (call.name.trim() === '') return [{ ...call, name: namelessCall }];
  return callsWithin(call, known, newId) ?? [call];
}

/** `multi_tool_use.parallel` of OpenAI's models holds several calls. */
function callsWithin(
  { id, name, args }: CallPart,
  known: ReadonlyMap<string, unknown>,
  newId: () => string,
): readonly CallPart[] | undefined {
  const { tool_uses: uses } = args;
  if (lettersOf(name) !== 'multitooluseparallel' || !Array.isArray(uses) || uses.length === 0)
    return undefined;
  const calls: CallPart[] = [];
  for (const use of uses) {
    const given: unknown = isRecord(use) ? use.recipient_name : undefined;
    const inner = typeof given === 'string' ? findToolName(given, known) : undefined;
    const parameters: unknown = isRecord(use) ? use.parameters : undefined;
    if (inner === undefined || !isRecord(parameters)) return undefined;
    calls.push({ kind: 'call', id: calls.length === 0 ? id : newId(), name: inner, args: parameters });
  }
  return calls;
}
