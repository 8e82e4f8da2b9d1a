/*
 * Corrects calls under names from a model's training instead of the given ones: `functions.read_file`,
 * `default_api:read_file`, `readFile`, `read_file<|channel|>json`. An unambiguous name is replaced before the call
 * enters the history, so that rules, hooks, results and the next request see one name.
 */

import type { Message, Part } from '../../../protocol/events.ts';
import { isRecord } from '../../base/record.ts';
import { claudeNames, findToolsByAlias } from '../toolNames.ts';

/** Replaces a missing name in cards, hooks and requests. */
export const namelessCall = 'unnamed';

type CallPart = Extract<Part, { kind: 'call' }>;

/** @param newId ids for calls that one call contained */
export function correctToolNames(
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

/** Returns the name of a known tool; `undefined`: none is certain. */
export function findToolName(name: string, known: ReadonlyMap<string, unknown>): string | undefined {
  if (known.has(name)) return name;
  const words = [name.trim(), ...name.split(/[^\w-]+|__/)].filter(word => !isWrapper(word));
  const meant = words.map(word => ownName(word, known));
  const found = new Set(meant.filter(each => each !== undefined));
  // Another unknown word may be the name of a missing tool.
  const isCertain = found.size === 1 && (meant[0] !== undefined || !meant.slice(1).includes(undefined));
  return isCertain ? [...found][0] : undefined;
}

/**
 * Words that formats add to a name: `functions.X:0`, `to=functions.X<|channel|>json`, `<function=X>`, `tool_call: X()`.
 */
function isWrapper(word: string): boolean {
  return /^(?:functions?|default_api|api|tools?|tool_?calls?|call|name|to|recipient|assistant|channel|constrain|commentary|analysis|final|message|json|\d*)$/i.test(
    word,
  );
}

function ownName(word: string, known: ReadonlyMap<string, unknown>): string | undefined {
  if (known.has(word)) return word;
  const called = findToolsByAlias(word).filter(tool => known.has(tool));
  // Two tools of one name there take the arguments of the first.
  if (called.length === 1 || called.some(tool => claudeNames(tool).includes(word))) return called[0];
  const alike = [...known.keys()].filter(own => lettersOf(own) === lettersOf(word));
  return alike.length === 1 ? alike[0] : undefined;
}

/** Ignores case and separators: `readFile`, `Read-File` and `read_file` are equal. */
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

/** Unpacks `multi_tool_use.parallel` of OpenAI's models, which contains several calls. */
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
