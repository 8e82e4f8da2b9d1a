import { fieldsOf, textOrEmpty } from '../base/record.ts';
import type { AgentTranscript, AgentTurn, TranscriptWork } from '../core/imports/otherAgents.ts';

type Call = Extract<TranscriptWork, { kind: 'call' }>;

interface OpenTurn extends AgentTurn {
  readonly work: (TranscriptWork | OpenCall)[];
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
    if (text.trim() !== '') this.turns.push({ prompt: text.trim(), at: timeOf(at), work: [] });
  }

  say(text: string): void {
    if (text.trim() !== '') this.newest()?.work.push({ kind: 'text', text: text.trim() });
  }

  /** The same id again is the same call. */
  call(id: string, name: string, args: unknown): void {
    if (name === '' || this.calls.has(id)) return;
    const call: OpenCall = { kind: 'call', name, args: fieldsOf(args) };
    if (id !== '') this.calls.set(id, call);
    this.newest()?.work.push(call);
  }

  /** A result whose call is not here would say nothing, so it is counted. */
  result(id: string, text: string, ok: boolean): void {
    const call = this.calls.get(id);
    if (!call) this.unreadable++;
    else call.result = { text, ok };
  }

  /** Drops the turns after these, which were taken back. */
  keep(turns: number): void {
    this.turns = this.turns.slice(0, Math.max(0, turns));
  }

  build(): AgentTranscript {
    const { id, folder, title, model, turns, unreadable, isCut } = this;
    return { id, folder, title, model, turns, unreadable, isCut };
  }

  /** Words before any prompt belong to none. */
  private newest(): OpenTurn | undefined {
    return this.turns.at(-1);
  }
}

/** Milliseconds, or a date in words; 0 for anything else. */
export function timeOf(value: unknown): number {
  const at = typeof value === 'string' ? Date.parse(value) : value;
  return typeof at === 'number' && at > 0 && at < 8.64e15 ? at : 0;
}

/** The texts of a content that is a string or a list of blocks. */
export function textsOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map(each => (typeof each === 'string' ? each : textOrEmpty(fieldsOf(each).text)))
    .filter(text => text !== '')
    .join('\n');
}
