/*
 * Decides which parts of earlier answers besides text go back to a chat server. Some servers reject call results unless
 * the preceding thoughts come along, others reject unknown members, and no API tells which. So a server first gets back
 * what it sent, in the same members. If it refuses, its message tells what it wants.
 */

import type { ChatCompletionContentPartText } from 'openai/resources/chat/completions';
import type { Part } from '../../../protocol/events.ts';
import type { PartWireData } from '../../../protocol/values.ts';
import { isRecord } from '../../base/record.ts';

/** `filled` adds an empty thought to calls without one, for example those of another model. */
type How = 'asGiven' | 'filled' | 'none';

export interface ThoughtReplay {
  /** Host name of the request. */
  readonly server: string;
  readonly how: How;
}

export interface ThoughtMembers {
  readonly reasoning_content?: string;
  readonly reasoning?: string;
  readonly reasoning_details?: readonly unknown[];
}

type CallPart = Extract<Part, { kind: 'call' }>;

/** Remembers how each server wants thoughts back, learned from its refusals since the program started. */
export class LearnedThoughtReplays {
  private readonly known = new Map<string, How>();

  to(server: string, model: string): ThoughtReplay {
    return { server, how: this.known.get(keyOf(server, model)) ?? 'asGiven' };
  }

  /** @param refusal the server's message */
  learn(server: string, model: string, refusal: string): void {
    const how = findIntent(refusal);
    if (how) this.known.set(keyOf(server, model), how);
  }
}

function keyOf(server: string, model: string): string {
  return `${server} ${model}`;
}

function findIntent(refusal: string): How | undefined {
  if (
    /reasoning_content/i.test(refusal) &&
    /missing|passed back|required|must (be|have|include)/i.test(refusal)
  )
    return 'filled';
  const isAboutThoughts = /\breasoning(_content|_details)?\b|\bthinking\b|thought.?signature/i.test(refusal);
  const isUnwanted =
    /unsupported|not (supported|permitted|allowed|expected|valid)|unexpected|unknown|unrecognized|extra|additional|invalid|corrupt/i;
  return isAboutThoughts && isUnwanted.test(refusal) ? 'none' : undefined;
}

export function thoughtMembers(parts: readonly Part[], returning: ThoughtReplay): ThoughtMembers {
  const origins = originsOf(parts, returning);
  const details = origins.flatMap(({ sealed }) => detailsIn(sealed));
  const content = textIn('reasoning_content', parts, returning);
  const reasoning = textIn('reasoning', parts, returning);
  const isFilled = returning.how === 'filled' && parts.some(({ kind }) => kind === 'call');
  return {
    reasoning_content: content ?? (isFilled ? '' : undefined),
    // The plain text repeats what the details say.
    reasoning: details.length > 0 ? undefined : reasoning,
    reasoning_details: details.length > 0 ? details.map(detail => withOwnId(detail, parts)) : undefined,
  };
}

/** Content in chunks, for a server that puts its thoughts among them. Returns `undefined` if plain text suffices. */
export function thinkingContent(
  parts: readonly Part[],
  returning: ThoughtReplay,
): ChatCompletionContentPartText[] | undefined {
  const isThinking = (part: Part) => ownOrigin(part, returning)?.member === 'thinking';
  if (!parts.some(isThinking)) return undefined;
  const pieces = parts.flatMap((part): readonly object[] => {
    if (part.kind === 'text') return [{ type: 'text', text: part.text }];
    if (part.kind !== 'thought' || !isThinking(part)) return [];
    return [{ type: 'thinking', thinking: [{ type: 'text', text: part.text }], closed: true }];
  });
  // The library has no type for a thought.
  return pieces as ChatCompletionContentPartText[];
}

/** Members sent back with a call besides its name and arguments. */
export function extraCallMembers(
  call: CallPart,
  returning: ThoughtReplay,
): { readonly extra_content?: unknown } {
  const extra = ownOrigin(call, returning)?.sealed?.extra_content;
  return isRecord(extra) ? { extra_content: extra } : {};
}

function originsOf(parts: readonly Part[], returning: ThoughtReplay): readonly PartWireData[] {
  return parts.flatMap(part => ownOrigin(part, returning) ?? []);
}

/** A gateway may speak several protocols at one address. A signature means that the part came over another one. */
function ownOrigin(part: Part, { server, how }: ThoughtReplay): PartWireData | undefined {
  if (how === 'none' || !('origin' in part) || part.signature !== undefined) return undefined;
  return part.origin?.server === server ? part.origin : undefined;
}

function textIn(member: string, parts: readonly Part[], returning: ThoughtReplay): string | undefined {
  const thoughts = parts.filter(part => ownOrigin(part, returning)?.member === member);
  if (thoughts.length === 0) return undefined;
  return thoughts.map(part => (part.kind === 'thought' ? part.text : '')).join('');
}

/** A journal may hold anything. */
function detailsIn(sealed: PartWireData['sealed']): readonly Readonly<Record<string, unknown>>[] {
  const details = sealed?.reasoning_details;
  return Array.isArray(details) ? details.filter(isRecord) : [];
}

/** A detail may refer to its call by an id that has been replaced since. */
function withOwnId(detail: Readonly<Record<string, unknown>>, parts: readonly Part[]): object {
  const call = parts.find(
    part => part.kind === 'call' && part.origin?.id !== undefined && part.origin.id === detail.id,
  );
  return call?.kind === 'call' ? { ...detail, id: call.id } : detail;
}
