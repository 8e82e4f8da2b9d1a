/*
 * Decides which parts of earlier answers go back to a chat server beside their words. Some servers refuse the results
 * of calls unless the thoughts before the calls come along, others refuse members that they do not know in a request,
 * and nothing tells which is which. So a server gets back what it gave, in the members in which it gave it; where
 * that is wrong, its refusal teaches what it wants.
 */

import type { ChatCompletionContentPartText } from 'openai/resources/chat/completions';
import type { Part } from '../../../protocol/events.ts';
import type { Origin } from '../../../protocol/values.ts';
import { isRecord } from '../../base/record.ts';

/** `filled`: with an empty thought for calls that have none, as those of another model. */
type How = 'asGiven' | 'filled' | 'none';

export interface Returning {
  /** Name of the host that is asked. */
  readonly server: string;
  readonly how: How;
}

/** Members of an assistant message. */
export interface ThoughtMembers {
  readonly reasoning_content?: string;
  readonly reasoning?: string;
  readonly reasoning_details?: readonly unknown[];
}

type CallPart = Extract<Part, { kind: 'call' }>;

/** How each server wants thoughts back, as its refusals have shown since the program started. */
export class LearnedReturns {
  private readonly known = new Map<string, How>();

  to(server: string, model: string): Returning {
    return { server, how: this.known.get(keyOf(server, model)) ?? 'asGiven' };
  }

  /** @param refusal the server's words */
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

export function thoughtMembers(parts: readonly Part[], returning: Returning): ThoughtMembers {
  const origins = originsOf(parts, returning);
  const details = origins.flatMap(({ sealed }) => detailsIn(sealed));
  const content = textIn('reasoning_content', parts, returning);
  const reasoning = textIn('reasoning', parts, returning);
  const isFilled = returning.how === 'filled' && parts.some(({ kind }) => kind === 'call');
  return {
    reasoning_content: content ?? (isFilled ? '' : undefined),
    // It says in words what the details say, too.
    reasoning: details.length > 0 ? undefined : reasoning,
    reasoning_details: details.length > 0 ? details.map(detail => withOwnId(detail, parts)) : undefined,
  };
}

/** The content in pieces, where the server gives its thoughts among them; `undefined`: the text alone will do. */
export function thinkingContent(
  parts: readonly Part[],
  returning: Returning,
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

/** Members that go back with a call beside its name and arguments. */
export function callMembers(call: CallPart, returning: Returning): { readonly extra_content?: unknown } {
  const extra = ownOrigin(call, returning)?.sealed?.extra_content;
  return isRecord(extra) ? { extra_content: extra } : {};
}

function originsOf(parts: readonly Part[], returning: Returning): readonly Origin[] {
  return parts.flatMap(part => ownOrigin(part, returning) ?? []);
}

/** A gateway may speak several wires at one address: what is signed was said on another one. */
function ownOrigin(part: Part, { server, how }: Returning): Origin | undefined {
  if (how === 'none' || !('origin' in part) || part.signature !== undefined) return undefined;
  return part.origin?.server === server ? part.origin : undefined;
}

function textIn(member: string, parts: readonly Part[], returning: Returning): string | undefined {
  const thoughts = parts.filter(part => ownOrigin(part, returning)?.member === member);
  if (thoughts.length === 0) return undefined;
  return thoughts.map(part => (part.kind === 'thought' ? part.text : '')).join('');
}

/** A journal may hold anything. */
function detailsIn(sealed: Origin['sealed']): readonly Readonly<Record<string, unknown>>[] {
  const details = sealed?.reasoning_details;
  return Array.isArray(details) ? details.filter(isRecord) : [];
}

/** A detail may name the call that it belongs to, whose id may have been replaced since. */
function withOwnId(detail: Readonly<Record<string, unknown>>, parts: readonly Part[]): object {
  const call = parts.find(
    part => part.kind === 'call' && part.origin?.id !== undefined && part.origin.id === detail.id,
  );
  return call?.kind === 'call' ? { ...detail, id: call.id } : detail;
}
