/*
 * Old, long tool results leave the request and stay in the history. The newest results are sent whole:
 *
 *   older ◄──────────────────────────────────────────────────────────────► newer
 *   masked │ 30,000 tokens gather here, then all are masked │ newest 50,000 │ not yet read by the model
 *
 * Masking in leaps leaves the beginning of the request as it was for many steps, which providers cache. What is
 * masked depends on the messages alone and not on when requests were made, so that a resumed session sends the same.
 * The amounts are those of the reference agent (`context/toolOutputMaskingService.ts`).
 */

import type { Message, Part } from '../../../protocol/events.ts';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../platform/log.ts';
import { isMasked, maskedText } from './maskedText.ts';
import { estimatePart } from './tokens.ts';

type ResultPart = Extract<Part, { kind: 'result' }>;

/** A result that the model has read, and its place. */
export interface ReadResult {
  /** Index of the message in the history, and of the part in the message. */
  readonly message: number;
  readonly part: number;
  readonly tokens: number;
  /** Tokens that masking would save; 0: nothing. */
  readonly maskable: number;
}

/** Results that are not masked; both oldest first. */
interface MaskingWindow {
  readonly newest: readonly ReadResult[];
  /** Beyond the newest, but too few yet to mask them. */
  readonly older: readonly ReadResult[];
}

export interface MaskingPorts {
  /** Keeps a text in a file; the same name gives the same absolute path. */
  readonly saveOutput: (name: string, text: string) => Promise<string>;
  readonly log: Pick<Log, 'warn'>;
}

const protectedTokens = 50_000;
const minimumTokens = 30_000;

/** The model goes by these to the end of a session. */
const neverMasked: ReadonlySet<string> = new Set([
  'create_new_topic',
  'write_todos',
  'ask_user',
  'enter_plan_mode',
  'exit_plan_mode',
]);

/** Longer than paths are; the real one is known only after saving. */
const anyPath = 'p'.repeat(400);

/** After a resume there may be hundreds to save. */
const savedAtOnce = 16;

export const emptyWindow: MaskingWindow = { newest: [], older: [] };

/** Lets further results into the window, and says which must be masked now. */
export function slide(
  window: MaskingWindow,
  read: readonly ReadResult[],
): { readonly window: MaskingWindow; readonly masked: readonly ReadResult[] } {
  const all = [...window.newest, ...read];
  let tokens = all.reduce((sum, result) => sum + result.tokens, 0);
  let start = 0;
  for (; tokens > protectedTokens; start++) tokens -= all[start]!.tokens;
  const newest = all.slice(start);
  const older = [...window.older, ...all.slice(0, start).filter(({ maskable }) => maskable > 0)];
  const prunable = older.reduce((sum, { maskable }) => sum + maskable, 0);
  if (prunable < minimumTokens) return { window: { newest, older }, masked: [] };
  return { window: { newest, older: [] }, masked: older };
}

/** Keeps what it made, so that a message is the same object from step to step and only new ones cost anything. */
export class Masking {
  private readonly ports: MaskingPorts;
  private shown: Message[] = [];
  private first: Message | undefined;
  private last: Message | undefined;
  private unread: ReadResult[] = [];
  private window = emptyWindow;
  /** To be masked as soon as the whole is on the disk. */
  private due: readonly ReadResult[] = [];

  constructor(ports: MaskingPorts) {
    this.ports = ports;
  }

  /**
   * The messages as a request should carry them; those not masked are the same objects. Never rejects: what cannot be
   * saved stays whole until the next request. One call at a time.
   */
  async apply(messages: readonly Message[]): Promise<readonly Message[]> {
    // A rewind or a compression put other messages in the place of those seen.
    if (messages[0] !== this.first || messages[this.shown.length - 1] !== this.last) this.startOver();
    this.first = messages[0];
    for (const message of messages.slice(this.shown.length)) this.add(message);
    await this.maskDue();
    return this.shown;
  }

  /** The same with what is masked by now, at once and without masking any more. */
  shownOf(messages: readonly Message[]): readonly Message[] {
    if (messages[0] !== this.first || messages[this.shown.length - 1] !== this.last) return messages;
    return [...this.shown, ...messages.slice(this.shown.length)];
  }

  private startOver(): void {
    this.shown = [];
    this.last = undefined;
    this.unread = [];
    this.window = emptyWindow;
    this.due = [];
  }

  private add(message: Message): void {
    if (message.role === 'model') {
      const { window, masked } = slide(this.window, this.unread);
      this.window = window;
      this.due = [...this.due, ...masked];
      this.unread = [];
    }
    message.parts.forEach((part, index) => {
      if (part.kind === 'result' && !neverMasked.has(part.name) && !isMasked(part.text)) {
        this.unread.push({ message: this.shown.length, part: index, ...measure(part) });
      }
    });
    this.shown.push(message);
    this.last = message;
  }

  private async maskDue(): Promise<void> {
    while (this.due.length > 0) {
      const batch = this.due.slice(0, savedAtOnce);
      const saved = await Promise.all(batch.map(place => this.save(place)));
      saved.forEach((path, index) => {
        if (path !== undefined) this.mask(batch[index]!, path);
      });
      const failed = batch.filter((_, index) => saved[index] === undefined);
      this.due = [...failed, ...this.due.slice(savedAtOnce)];
      if (failed.length > 0) return;
    }
  }

  /** A file of its own, since that of the call holds the whole of what this result may be a cut of. */
  private async save(place: ReadResult): Promise<string | undefined> {
    const { name, id, text } = this.resultAt(place);
    return await this.ports.saveOutput(`${name}-${id}.result.txt`, text).catch((error: unknown) => {
      this.ports.log.warn(`A result of ${name} stays in the request: ${messageOf(error)}`);
      return undefined;
    });
  }

  private mask(place: ReadResult, path: string): void {
    const result = this.resultAt(place);
    const { role, parts } = this.shown[place.message]!;
    const masked = { ...result, text: maskedText(result.text, path) };
    this.shown[place.message] = { role, parts: parts.with(place.part, masked) };
  }

  private resultAt({ message, part }: ReadResult): ResultPart {
    return this.shown[message]!.parts[part] as ResultPart;
  }
}

/** Blobs are sent along whatever becomes of the text: they count, but are not masked. */
function measure(result: ResultPart): Pick<ReadResult, 'tokens' | 'maskable'> {
  const { blobs: _, ...plain } = result;
  const text = estimatePart(plain);
  const masked = estimatePart({ ...plain, text: maskedText(result.text, anyPath) });
  return { tokens: estimatePart(result), maskable: masked < text ? text : 0 };
}
