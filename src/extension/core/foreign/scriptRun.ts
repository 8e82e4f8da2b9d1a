/*
 * One run of a script: its process requests tool calls, which run like all calls, and gets their results.
 *
 *   start ─► call, print … ─► returned ──────────► its value and what it printed
 *     │          │            threw ──────────────► message and line
 *     │          └─ time, calls or output used up ─► ended, with what it printed
 *     └─ its sandbox fails to start ───────────────► started again
 */

import * as z from 'zod';
import type { Blob } from '../../../protocol/events.ts';
import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { messageOf } from '../../base/errors.ts';
import { tryParseJson } from '../../base/record.ts';
import type { Clock } from '../../platform/clock.ts';
import type {
  ScriptExit,
  ScriptProcess,
  ToolScriptRunner,
} from '../../platform/customizations/toolScriptRunner.ts';
import { PausableTimer } from '../calls/pausableTimer.ts';
import type { NestedTask } from '../tool.ts';
import type { ScriptFunction } from './signatures.ts';

/** The time limit pauses while a call is open. */
const scriptLimits = { ms: 60_000, calls: 200, open: 16, printed: 5_000_000, blobs: 8, starts: 5 };

export interface ScriptPorts {
  readonly scripts: ToolScriptRunner;
  readonly clock: Pick<Clock, 'now' | 'after'>;
}

export interface ScriptEnd {
  readonly kind: 'returned' | 'threw' | 'ended';
  /** The returned value, the error message, or why it was stopped. */
  readonly text: string;
  /** Why it was stopped, for its card. */
  readonly say?: LocalizedMessage;
  readonly line?: number;
  readonly printed: string;
  readonly calls: number;
  readonly failed: number;
  /** Number of calls that were not awaited. */
  readonly left: number;
  readonly blobs: readonly Blob[];
}

type Reached = Pick<ScriptEnd, 'kind' | 'text' | 'say' | 'line'>;

export class ScriptRun {
  private readonly work: NestedTask;
  private readonly ports: ScriptPorts;
  private readonly functions: ReadonlyMap<string, ScriptFunction>;
  private readonly limit: PausableTimer;
  private settle: (reached: Reached) => void = () => {};
  private readonly reached = new Promise<Reached>(resolve => {
    this.settle = resolve;
  });
  private readonly open = new Set<Promise<void>>();
  private readonly waiting: (() => void)[] = [];
  private readonly blobs: Blob[] = [];
  private process: ScriptProcess | undefined;
  private printed = '';
  private running = 0;
  private calls = 0;
  private failed = 0;
  private isOver = false;

  constructor(functions: readonly ScriptFunction[], work: NestedTask, ports: ScriptPorts) {
    this.functions = new Map(functions.map(each => [each.tool.name, each]));
    this.work = work;
    this.ports = ports;
    const { ms } = scriptLimits;
    this.limit = new PausableTimer(ports.clock, ms, () =>
      this.end(() => t('It ran for more than {0} seconds, not counting its calls.', ms / 1000)),
    );
  }

  /** Rejects with the signal's reason, once nothing of it is open. */
  async run(script: string): Promise<ScriptEnd> {
    const stop = () => this.end(() => t('Stopped'));
    this.work.signal.addEventListener('abort', stop, { once: true });
    try {
      this.work.signal.throwIfAborted();
      const reached = await this.carryOut(script);
      const left = this.open.size;
      if (reached.kind !== 'returned') this.work.cancel('The script ended');
      await Promise.all(this.open);
      const { printed, calls, failed, blobs } = this;
      return { ...reached, printed, calls, failed, left, blobs };
    } finally {
      this.isOver = true;
      this.limit.dispose();
      this.work.signal.removeEventListener('abort', stop);
      await this.process?.stop();
      await Promise.all(this.open);
      await this.work.close(this.work.isStopped ? { kind: 'stopped' } : { kind: 'rested' });
    }
  }

  private async carryOut(script: string): Promise<Reached> {
    const line = JSON.stringify({ script, servers: this.index() });
    for (let left = scriptLimits.starts; ; left--) {
      const process = await this.ports.scripts.start(text => this.hear(text));
      this.process = process;
      if (this.isOver) return await this.reached;
      // If it did not read, its exit tells why.
      await process.send(line).catch(() => {});
      const end = await Promise.race([this.reached, process.ended]);
      if ('kind' in end) return end;
      if (this.isOver) return await this.reached;
      if (!end.neverRan || left === 1) return describeExit(end);
    }
  }

  private index(): Readonly<Record<string, Readonly<Record<string, string>>>> {
    const servers: Record<string, Record<string, string>> = {};
    for (const { server, name, tool } of this.functions.values()) {
      servers[server] ??= {};
      servers[server][name] = tool.name;
    }
    return servers;
  }

  private hear(line: string): void {
    if (this.isOver) return;
    const message = parseScriptMessage(line);
    if (message === undefined)
      this.end(() => t('It sent something that is not valid in the protocol between scripts and Folio.'));
    else this.take(message);
  }

  private take(message: ScriptMessage): void {
    switch (message.type) {
      case 'print':
        this.printed += `${message.text}\n`;
        if (this.printed.length > scriptLimits.printed)
          this.end(() => t('It printed more than {0} characters.', scriptLimits.printed));
        return;
      case 'call':
        this.takeCall(message);
        return;
      case 'returned':
        this.reach({ kind: 'returned', text: message.text });
        return;
      case 'threw':
        this.reach({ kind: 'threw', text: message.message, line: message.line });
    }
  }

  private takeCall({ id, tool, args }: Extract<ScriptMessage, { type: 'call' }>): void {
    const called = this.functions.get(tool);
    if (id !== this.calls + 1 || !called) {
      this.end(() => t('It sent something that is not valid in the protocol between scripts and Folio.'));
      return;
    }
    this.calls = id;
    if (id > scriptLimits.calls) {
      this.end(() => t('It made more than {0} calls.', scriptLimits.calls));
      return;
    }
    this.limit.hold();
    const open = this.call(id, called, args).finally(() => {
      this.open.delete(open);
      this.limit.release();
    });
    this.open.add(open);
  }

  private async call(id: number, { tool }: ScriptFunction, args: Readonly<Record<string, unknown>>) {
    if (this.running >= scriptLimits.open) await new Promise<void>(go => this.waiting.push(go));
    this.running++;
    try {
      const { ok, text, blobs = [] } = await this.work.call(tool, args);
      if (!ok) this.failed++;
      this.blobs.push(...blobs.slice(0, scriptLimits.blobs - this.blobs.length));
      // The process may have ended before the answer.
      await this.process?.send(JSON.stringify({ id, ok, text: withoutFence(text) })).catch(() => {});
    } catch (error) {
      this.end(() => messageOf(error));
    } finally {
      this.running--;
      this.waiting.shift()?.();
    }
  }

  private end(say: LocalizedMessage): void {
    this.reach({ kind: 'ended', text: '', say });
  }

  private reach(reached: Reached): void {
    if (this.isOver) return;
    this.isOver = true;
    this.limit.dispose();
    this.settle(reached);
  }
}

function describeExit({ code, signal, said, flooded, neverRan }: ScriptExit): Reached {
  const ended = (say: LocalizedMessage): Reached => ({ kind: 'ended', text: said, say });
  if (neverRan) return ended(() => t('Its sandbox could not be created, so it did not run.'));
  if (flooded) return ended(() => t('It wrote more than is read of a script.'));
  if (/heap out of memory|allocation failed/i.test(said))
    return ended(() => t('It needed more memory than scripts may use.'));
  const how = signal ?? t('code {0}', String(code));
  return ended(() => t('Its process ended before it returned a value ({0}).', how));
}

/** Removes fences and text for the model, which scripts do not need. */
function withoutFence(text: string): string {
  const [, inner] = /^<untrusted_content>\n([\s\S]*?)\n?<\/untrusted_content>/.exec(text) ?? [];
  return inner ?? text;
}

/* Messages from the script's process. They are validated, since a script may print anything. */

const message = lazySchema(() =>
  z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('call'),
      /** Counts from 1. */
      id: z.int().positive(),
      tool: z.string(),
      args: z.record(z.string(), z.unknown()),
    }),
    z.strictObject({ type: z.literal('print'), text: z.string() }),
    z.strictObject({ type: z.literal('returned'), text: z.string() }),
    z.strictObject({ type: z.literal('threw'), message: z.string(), line: z.int().positive().optional() }),
  ]),
);

type ScriptMessage = z.infer<ReturnType<typeof message>>;

/** Returns `undefined` for a line that is not a valid message. */
function parseScriptMessage(line: string): ScriptMessage | undefined {
  return message().safeParse(tryParseJson(line)).data;
}
