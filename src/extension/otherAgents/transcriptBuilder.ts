import { fieldsOf, textOrEmpty } from '../base/record.ts';
import type { AgentTurn, OtherAgentTranscript, TranscriptItem } from '../core/imports/otherAgentSessions.ts';

type Call = Extract<TranscriptItem, { kind: 'call' }>;

interface OpenTurn extends AgentTurn {
  readonly work: (TranscriptItem | OpenCall)[];
}

interface OpenCall extends Omit<Call, 'result'> {
  result?: Call['result'];
}

/** Collects the turns of a session in the order of its lines. */
export class TranscriptBuilder {
  id = '';
  folder = '';
  title = '';
  model = '';
  unreadable = 0;
  isCut = false;
  private turns: OpenTurn[] = [];
  private calls = new Map<string, OpenCall>();

  get length(): number {
    return this.turns.length;
  }

  prompt(text: string, at: unknown): void {
    if (text.trim() !== '') this.turns.push({ prompt: text.trim(), at: parseTimestamp(at), work: [] });
  }

  say(text: string): void {
    if (text.trim() !== '') this.newest()?.work.push({ kind: 'text', text: text.trim() });
  }

  /** A repeated id means the same call. */
  call(id: string, name: string, args: unknown): void {
    if (name === '' || this.calls.has(id)) return;
    const call: OpenCall = { kind: 'call', name, args: fieldsOf(args) };
    if (id !== '') this.calls.set(id, call);
    this.newest()?.work.push(call);
  }

  /** A result without its call is counted as unreadable. */
  result(id: string, text: string, ok: boolean): void {
    const call = this.calls.get(id);
    if (!call) this.unreadable++;
    else call.result = { text, ok };
  }

  /** Keeps this many turns; later ones were undone. */
  keep(turns: number): void {
    this.turns = this.turns.slice(0, Math.max(0, turns));
  }

  build(): OtherAgentTranscript {
    const { id, folder, title, model, turns, unreadable, isCut } = this;
    return { id, folder, title, model, turns, unreadable, isCut };
  }

  /** `undefined` before the first prompt; text before it is dropped. */
  private newest(): OpenTurn | undefined {
    return this.turns.at(-1);
  }
}

/** Parses milliseconds or a date. Returns 0 for anything else. */
function parseTimestamp(value: unknown): number {
  const at = typeof value === 'string' ? Date.parse(value) : value;
  return typeof at === 'number' && at > 0 && at < 8.64e15 ? at : 0;
}

/** The texts of a content, which is a string or a list of blocks. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map(each => (typeof each === 'string' ? each : textOrEmpty(fieldsOf(each).text)))
    .filter(text => text !== '')
    .join('\n');
}
