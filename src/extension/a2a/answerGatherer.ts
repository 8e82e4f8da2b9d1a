/* Assembles an agent's answer from events: messages, task states and artifacts. */

import { isRecord } from '../base/record.ts';
import { cutMiddle, fenced, headOf, oneLine } from '../base/text.ts';
import type { RemoteAnswer } from '../core/agents/remote/remoteAgents.ts';

type Members = Readonly<Record<string, unknown>>;

/** Maximum retained characters of an answer, and of its progress. */
const textLimit = 200_000;

const ends: Readonly<Record<string, RemoteAnswer['end']>> = {
  completed: 'done',
  'input-required': 'asks',
  'auth-required': 'wantsLogin',
  failed: 'failed',
  rejected: 'rejected',
  canceled: 'canceled',
  cancelled: 'canceled',
};

export class RemoteAnswerGatherer {
  contextId: string | undefined;
  taskId: string | undefined;
  private state: string | undefined;
  private readonly hear: (text: string) => void;
  /** Id of the continued task, whose first event may report its previous state. */
  private readonly continued: string | undefined;
  private isFirst = true;
  private isStale = false;
  /** By id, in order of arrival. */
  private readonly artifacts = new Map<string, string>();
  private readonly progress = new Map<string, string>();
  /** Artifacts of earlier turns of the task, which are no part of this answer. */
  private readonly earlier = new Map<string, string>();
  private final = '';
  private older = '';
  private readonly shown = new Map<string, string>();
  private newest = '';
  private heard = 0;

  constructor(hear: (text: string) => void, continued: string | undefined) {
    this.hear = hear;
    this.continued = continued;
  }

  /** The end state. `undefined` while the agent works. */
  get end(): RemoteAnswer['end'] | undefined {
    return this.isStale ? undefined : ends[this.state ?? ''];
  }

  /** Artifacts and the final message, or all progress messages if there are none. */
  get text(): string {
    const artifacts = [...this.artifacts.values()].filter(Boolean);
    const isNew = this.final !== '' && !artifacts.some(each => each.includes(this.final));
    const result = isNew ? [...artifacts, this.final] : artifacts;
    const said = result.length > 0 ? result : [...this.progress.values()].filter(Boolean);
    return cutMiddle((said.length > 0 ? said : [this.older]).join('\n\n'), textLimit, 0.7);
  }

  /** @param result of a call, in either version of the protocol */
  take(result: unknown): void {
    const event = unwrap(result);
    if (event === undefined) return;
    const isTask = typeof event.id === 'string' && isRecord(event.status);
    this.note('contextId', event.contextId);
    this.note('taskId', isTask ? event.id : event.taskId);
    if (isTask) this.takeTask(event);
    else if (isRecord(event.artifact)) this.takeArtifact(event.artifact, event.append === true);
    else if (isRecord(event.status)) this.takeStatus(event.status);
    else if (Array.isArray(event.parts)) this.takeMessage(event);
    this.isFirst = false;
  }

  private note(key: 'contextId' | 'taskId', value: unknown): void {
    if (typeof value === 'string' && value !== '') this[key] = value;
  }

  private takeTask({ id, status, artifacts, history }: Members): void {
    const isWaiting = isRecord(status) && /^(asks|wantsLogin)$/.test(ends[stateOf(status.state)] ?? '');
    this.isStale = this.isFirst && id === this.continued && isWaiting;
    if (Array.isArray(artifacts))
      for (const each of artifacts) if (isRecord(each)) this.takeArtifact(each, false);
    if (Array.isArray(history)) {
      const own = history.findLast(each => isRecord(each) && /agent$/i.test(String(each.role)));
      if (isRecord(own)) this.older = textOf(own.parts);
    }
    if (isRecord(status)) this.setStatus(status);
  }

  private takeStatus(status: Members): void {
    this.isStale = false;
    this.setStatus(status);
  }

  private setStatus({ state, message }: Members): void {
    this.state = stateOf(state);
    if (!isRecord(message) || this.isStale) return;
    const text = textOf(message.parts);
    const id = `message ${String(message.messageId ?? text)}`;
    if (ends[this.state] === undefined) this.progress.set(id, text);
    else this.final = text;
    this.show(id, text);
  }

  /** A message without a task is a complete answer. */
  private takeMessage({ parts, messageId }: Members): void {
    const text = textOf(parts);
    this.state = 'completed';
    this.final = this.final === '' ? text : `${this.final}\n\n${text}`;
    this.show(`message ${String(messageId)}`, text);
  }

  private takeArtifact({ artifactId, name, parts }: Members, append: boolean): void {
    const id = String(artifactId ?? name ?? '');
    const before = append ? (this.artifacts.get(id) ?? '') : '';
    const text = headOf(before + textOf(parts), textLimit);
    if (this.isStale) this.earlier.set(id, text);
    if (this.earlier.get(id) === text) return;
    this.artifacts.set(id, text);
    this.show(`artifact ${id}`, text);
  }

  /** Shows the new part of a text. */
  private show(key: string, text: string): void {
    const before = this.shown.get(key);
    if (text === '' || text === before) return;
    const isSaid = before === undefined && [...this.shown.values()].includes(text);
    this.shown.set(key, text);
    if (isSaid || this.heard > textLimit) return;
    const goesOn = before !== undefined && text.startsWith(before);
    const more = goesOn ? text.slice(before.length) : text;
    const gap = this.newest === '' || (goesOn && this.newest === key) ? '' : '\n\n';
    this.newest = key;
    this.heard += more.length;
    this.hear(gap + more);
  }
}

/** Version 1.0 wraps each event in a member named after its kind. */
function unwrap(result: unknown): Members | undefined {
  if (!isRecord(result)) return undefined;
  for (const key of ['task', 'message', 'statusUpdate', 'artifactUpdate', 'msg']) {
    const inner = result[key];
    if (isRecord(inner) && result.status === undefined) return inner;
  }
  return result;
}

/** `TASK_STATE_INPUT_REQUIRED` and `input-required` are equal. */
function stateOf(state: unknown): string {
  return String(state)
    .toLowerCase()
    .replace(/^task_state_/, '')
    .replaceAll('_', '-');
}

function textOf(parts: unknown): string {
  if (!Array.isArray(parts)) return '';
  return parts.map(part => (isRecord(part) ? partText(part) : '')).join('');
}

function partText(part: Members): string {
  if (typeof part.text === 'string') return part.text;
  if (part.data !== undefined) return `\n${fenced(JSON.stringify(part.data, null, 2), 'json')}\n`;
  const file = isRecord(part.file) ? part.file : part;
  const { name = part.filename, mimeType = part.mediaType, uri = part.url, bytes = part.raw } = file;
  const what = [name, mimeType].filter(each => typeof each === 'string' && each !== '').join(', ');
  if (typeof uri === 'string') return `\n[File ${oneLine(what, 200)}: ${oneLine(uri, 1_000)}]\n`;
  return typeof bytes === 'string' ? `\n[File ${oneLine(what, 200)}, which is not kept]\n` : '';
}
