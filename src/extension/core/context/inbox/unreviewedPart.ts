/*
 * The unreviewed part of a session as numbered places: prompts of the user and calls of the agent. Proposals cite them
 * as evidence.
 */

import type { Message } from '../../../../protocol/events.ts';
import { iterate } from '../../../../protocol/pagedList.ts';
import {
  type CallItem,
  countsAsCall,
  type Item,
  type PromptItem,
  type SessionState,
  userCommandTool,
} from '../../../../protocol/state.ts';
import { maskPlaceholder, maskSecrets } from '../../../base/maskSecrets.ts';
import { cutMiddle } from '../../../base/text.ts';

interface PromptRecord {
  readonly kind: 'prompt';
  /** From 1, counted over the whole session. */
  readonly number: number;
  readonly text: string;
}

export interface CallRecord {
  readonly kind: 'call';
  /** From 1, counted over the whole session. */
  readonly number: number;
  /** The call in one line. */
  readonly text: string;
  readonly output: string;
  readonly ok: boolean;
  /** Changes something, or runs a command. */
  readonly acts: boolean;
  /** Equal for calls of the same step: the tool, or for a command its program and subcommand. */
  readonly step: string;
}

/** Text of the agent between places, as context only. */
interface AnswerRecord {
  readonly kind: 'answer';
  readonly text: string;
}

export type EvidenceRecord = PromptRecord | CallRecord | AnswerRecord;

export interface UnreviewedPart {
  /** In order. Secrets of known formats are masked. */
  readonly places: readonly EvidenceRecord[];
  readonly prompts: number;
  readonly calls: number;
  /** Time of its latest prompt, milliseconds since the Unix epoch. */
  readonly until: number;
}

const maxPromptLength = 2_000;
const maxCallLength = 400;
const maxOutputLength = 1_000;
const maxAnswerLength = 400;

/** @param since prompts up to this time were reviewed */
export function readUnreviewedPart(
  { chapters }: Pick<SessionState, 'chapters'>,
  messages: readonly Message[],
  since: number,
): UnreviewedPart {
  const outputs = outputsOf(messages);
  const places: EvidenceRecord[] = [];
  const counted = { prompts: 0, calls: 0 };
  const numbers = { prompt: 0, call: 0 };
  let until = since;
  for (const item of chapters.flatMap(chapter => [...iterate<Item>(chapter.items)])) {
    if (item.type === 'prompt') {
      numbers.prompt++;
      until = Math.max(until, item.at);
    }
    if (item.type === 'call') numbers.call++;
    if (until <= since) continue;
    if (item.type === 'prompt') {
      counted.prompts++;
      places.push({ kind: 'prompt', number: numbers.prompt, text: promptText(item) });
    } else if (item.type === 'text')
      places.push({ kind: 'answer', text: cutMiddle(maskSecrets(item.text), maxAnswerLength) });
    else if (item.type === 'call' && item.status.kind === 'ended' && isStep(item)) {
      if (countsAsCall(item)) counted.calls++;
      places.push(callPlace(item, numbers.call, outputs.get(item.id) ?? ''));
    }
  }
  return { places, ...counted, until };
}

function promptText({ text }: PromptItem): string {
  return cutMiddle(maskSecrets(text), maxPromptLength);
}

/** Excludes chapter headings. */
function isStep(item: CallItem): boolean {
  return countsAsCall(item) || item.tool === userCommandTool;
}

function callPlace(
  { tool, title, args, effect, status }: CallItem,
  number: number,
  output: string,
): CallRecord {
  const command = typeof args.command === 'string' ? args.command : undefined;
  return {
    kind: 'call',
    number,
    text: cutMiddle(maskSecrets(command === undefined ? `${tool}: ${title}` : command), maxCallLength),
    output: cutMiddle(maskSecrets(output), maxOutputLength),
    ok: status.kind === 'ended' && status.outcome === 'ok',
    acts: effect === 'edit' || effect === 'run',
    step: command === undefined ? tool : `run ${programOf(command)}`,
  };
}

/** Reduces commands to `npm run lint` or `git commit`, without varying arguments. */
function programOf(command: string): string {
  const [program = '', ...words] = command.trim().split(/\s+/);
  const named = words.filter(word => /^[a-z][\w:-]*$/i.test(word));
  return [program, ...named.slice(0, words[0] === 'run' ? 2 : 1)].join(' ');
}

function outputsOf(messages: readonly Message[]): ReadonlyMap<string, string> {
  const outputs = new Map<string, string>();
  for (const { parts } of messages)
    for (const part of parts) if (part.kind === 'result') outputs.set(part.id, part.text);
  return outputs;
}

/** True if the text contains or contained a secret, so it must not be stored. */
export function holdsSecret(text: string): boolean {
  return text.includes(maskPlaceholder) || maskSecrets(text) !== text || namedSecret.test(text);
}

/** Matches secrets without a format: "The password of the database is …". */
const namedSecret =
  /\b(?:pass(?:word|phrase|wd|code)|api[ _-]?key|secret|credentials?|(?:access|auth|bearer)[ _-]?token|pin)\b[^.\n]{0,40}?(?:\bis\b|\bare\b|[:=])\s*["'`]?\S{4,}/i;
