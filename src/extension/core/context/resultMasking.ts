/*
 * Masks old, long tool results in requests; the history keeps them. The newest results are sent in full:
 *
 *   older ◄──────────────────────────────────────────────────────────────► newer
 *   masked │ 30,000 tokens gather here, then all are masked │ newest 50,000 │ not yet read by the model
 *
 * Masking in batches keeps the beginning of requests stable for many steps, so that providers can cache it. The result
 * depends only on the messages, not on the times of requests, so that a resumed session sends the same. The amounts are
 * those of the reference agent (`context/toolOutputMaskingService.ts`).
 */

import type { Message, Part } from '../../../protocol/events.ts';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../platform/log.ts';
import { isMaskedResult, maskedResultText } from './maskedResultText.ts';
import { estimatePart } from './tokens.ts';

type ResultPart = Extract<Part, { kind: 'result' }>;

/** Position of a result that the model has read. */
export interface SeenResult {
  /** Index of the message in the history, and of the part in the message. */
  readonly message: number;
  readonly part: number;
  readonly tokens: number;
  /** Tokens that masking would save; 0: nothing. */
  readonly maskable: number;
}

/** Results that are not masked; both lists oldest first. */
interface MaskingWindow {
  readonly newest: readonly SeenResult[];
  /** Older than the newest, but too few to mask yet. */
  readonly older: readonly SeenResult[];
}

export interface ResultMaskingPorts {
  /** Saves a text to a file. The same name gives the same absolute path. */
  readonly saveOutput: (name: string, text: string) => Promise<string>;
  readonly log: Pick<Log, 'warn'>;
}

const protectedTokens = 50_000;
const minimumTokens = 30_000;

/** The model needs these until the end of a session. */
const neverMasked: ReadonlySet<string> = new Set([
  'create_new_topic',
  'write_todos',
  'ask_user',
  'enter_plan_mode',
  'exit_plan_mode',
]);

/** Longer than real paths, since the path is only known after saving. */
const anyPath = 'p'.repeat(400);

/** After a resume there may be hundreds to save. */
const savedAtOnce = 16;

export const emptyWindow: MaskingWindow = { newest: [], older: [] };

/** Adds results to the window, and returns those to mask now. */
export function slideWindow(
  window: MaskingWindow,
  read: readonly SeenResult[],
): { readonly window: MaskingWindow; readonly masked: readonly SeenResult[] } {
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

/** Caches masked messages, so that each stays the same object and only new ones are processed. */
export class ResultMasking {
  private readonly ports: ResultMaskingPorts;
  private shown: Message[] = [];
  private first: Message | undefined;
  private last: Message | undefined;
  private unread: SeenResult[] = [];
  private window = emptyWindow;
  /** To be masked once their full text is saved. */
  private due: readonly SeenResult[] = [];

  constructor(ports: ResultMaskingPorts) {
    this.ports = ports;
  }

  /**
   * Returns the messages for a request; unmasked ones are the same objects. Never rejects: a result that cannot be
   * saved stays complete until the next request. Call it one at a time.
   */
  async apply(messages: readonly Message[]): Promise<readonly Message[]> {
    // A rewind or a compression replaced earlier messages.
    if (messages[0] !== this.first || messages[this.shown.length - 1] !== this.last) this.startOver();
    this.first = messages[0];
    for (const message of messages.slice(this.shown.length)) this.add(message);
    await this.maskDue();
    return this.shown;
  }

  /** Returns the messages as masked so far, without masking more. */
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
      const { window, masked } = slideWindow(this.window, this.unread);
      this.window = window;
      this.due = [...this.due, ...masked];
      this.unread = [];
    }
    message.parts.forEach((part, index) => {
      if (part.kind === 'result' && !neverMasked.has(part.name) && !isMaskedResult(part.text)) {
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

  /** Uses a separate file, since the call's own may hold the full output of which this result is a part. */
  private async save(place: SeenResult): Promise<string | undefined> {
    const { name, id, text } = this.resultAt(place);
    return await this.ports.saveOutput(`${name}-${id}.result.txt`, text).catch((error: unknown) => {
      this.ports.log.warn(`A result of ${name} stays in the request: ${messageOf(error)}`);
      return undefined;
    });
  }

  private mask(place: SeenResult, path: string): void {
    const result = this.resultAt(place);
    const { role, parts } = this.shown[place.message]!;
    const masked = { ...result, text: maskedResultText(result.text, path) };
    this.shown[place.message] = { role, parts: parts.with(place.part, masked) };
  }

  private resultAt({ message, part }: SeenResult): ResultPart {
    return this.shown[message]!.parts[part] as ResultPart;
  }
}

/** Blobs are sent in any case: they count, but are not masked. */
function measure(result: ResultPart): Pick<SeenResult, 'tokens' | 'maskable'> {
  const { blobs: _, ...plain } = result;
  const text = estimatePart(plain);
  const masked = estimatePart({ ...plain, text: maskedResultText(result.text, anyPath) });
  return { tokens: estimatePart(result), maskable: masked < text ? text : 0 };
}
