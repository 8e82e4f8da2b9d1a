import {
  CancellationTokenSource,
  createMessageConnection,
  ErrorCodes,
  type MessageConnection,
  ResponseError,
} from 'vscode-jsonrpc/node';
import type { z } from 'zod';
import { abortable } from '../base/abort.ts';
import { messageOf } from '../base/errors.ts';
import { oneLine } from '../base/text.ts';
import type { Clock } from '../platform/clock.ts';
import { ServerLog } from '../platform/framing/serverLog.ts';
import { LanguageError } from '../platform/languages.ts';
import { describeServerExit, type ServerExit, type ServerProcess } from '../platform/serverProcesses.ts';
import { messageTooLongCode, ProcessReader, ProcessWriter } from './messages.ts';

/** Handles messages that a server sends on its own. */
export interface ServerHandlers {
  hear(method: string, params: unknown): void;
  /** Returns `undefined` for requests that are not supported. */
  answer(method: string, params: unknown): unknown;
}

/** The server understood the request and refused it. The message is the server's. */
export class LanguageServerRefusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'LanguageServerRefusal';
    this.code = code;
  }
}

/** Milliseconds for one answer. */
export const defaultTimeoutMs = 20_000;
/** ContentModified and ServerCancelled: the request may be repeated. */
const passing: ReadonlySet<number> = new Set([-32_801, -32_802]);
const maxAttempts = 5;
const pauseMs = 200;
const goodbyeMs = 1_000;

/**
 * Exchanges messages with one process. Once it has ended, each request rejects with a `LanguageError` that says why.
 */
export class LanguageServerConnection {
  /** Resolves with a sentence. Never rejects. */
  readonly ended: Promise<string>;
  private readonly name: string;
  private readonly process: ServerProcess;
  private readonly clock: Clock;
  private readonly rpc: MessageConnection;
  private readonly errors = new ServerLog();
  private whyGivenUp: string | undefined;
  private reason: string | undefined;

  /** @param log gets other output of the process */
  constructor(
    name: string,
    process: ServerProcess,
    clock: Clock,
    intents: ServerHandlers,
    log: (line: string) => void,
  ) {
    this.name = name;
    this.process = process;
    this.clock = clock;
    const reader = new ProcessReader(process, log, reason => this.giveUp(reason));
    this.rpc = createMessageConnection(reader, new ProcessWriter(process), {
      error: log,
      warn: log,
      info: () => {},
      log: () => {},
    });
    process.onDidLog(line => {
      this.errors.add(line);
      log(line);
    });
    this.ended = process.exit.then(exit => this.end(exit));
    this.listen(intents);
  }

  /** Rejects with the signal's reason, `LanguageServerRefusal` or `LanguageError`. */
  async request<S extends z.ZodType>(
    method: string,
    params: unknown,
    schema: S,
    signal: AbortSignal,
    limitMs = defaultTimeoutMs,
  ): Promise<z.output<S>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return this.parse(method, schema, await this.ask(method, params, signal, limitMs));
      } catch (error) {
        const isPassing = error instanceof LanguageServerRefusal && passing.has(error.code);
        if (!isPassing || attempt === maxAttempts) throw error;
        await this.clock.sleep(attempt * pauseMs, signal);
      }
    }
  }

  notify(method: string, params?: unknown): void {
    if (this.reason !== undefined) return;
    const sending =
      params === undefined ? this.rpc.sendNotification(method) : this.rpc.sendNotification(method, params);
    // The exit of the process tells more than a broken pipe.
    void sending.catch(() => {});
  }

  /** Sends `shutdown`, then ends the process tree. Resolves when nothing of it runs. */
  async stop(): Promise<void> {
    if (this.reason === undefined) {
      const { signal } = new AbortController();
      await this.ask('shutdown', undefined, signal, goodbyeMs).catch(() => {
        // It is killed anyway.
      });
      this.notify('exit');
    }
    await this.process.stop();
  }

  private async ask(method: string, params: unknown, signal: AbortSignal, limitMs: number): Promise<unknown> {
    signal.throwIfAborted();
    const over = this.reason ?? this.whyGivenUp;
    if (over !== undefined) throw this.gone(over);
    const cancel = new CancellationTokenSource();
    const asking: Promise<unknown> =
      params === undefined
        ? this.rpc.sendRequest(method, cancel.token)
        : this.rpc.sendRequest(method, params, cancel.token);
    let stopClock = () => {};
    const late = new Promise<never>((_resolve, reject) => {
      stopClock = this.clock.after(limitMs, () => reject(this.silent(method, limitMs)));
    });
    const broken = this.ended.then(reason => {
      throw this.gone(reason);
    });
    try {
      return await abortable(Promise.race([asking, late, broken]), signal);
    } catch (error) {
      cancel.cancel();
      signal.throwIfAborted();
      throw await this.explain(error);
    } finally {
      stopClock();
      // Late answers are ignored.
      for (const each of [asking, late, broken]) each.catch(() => {});
    }
  }

  private async explain(error: unknown): Promise<Error> {
    if (error instanceof LanguageError) return error;
    const over = this.reason ?? this.whyGivenUp;
    if (over !== undefined) return this.gone(over);
    if (error instanceof ResponseError && error.code !== messageTooLongCode)
      return new LanguageServerRefusal(error.code, oneLine(error.message, 500));
    if (error instanceof ResponseError)
      return new LanguageError(`${this.name}: ${error.message} Ask for less.`);
    // A pipe breaks before the process exits, and the exit tells more.
    const late = this.clock.sleep(goodbyeMs).then(() => messageOf(error));
    return this.gone(await Promise.race([this.ended, late]));
  }

  private parse<S extends z.ZodType>(method: string, schema: S, answer: unknown): z.output<S> {
    try {
      return schema.parse(answer ?? null);
    } catch {
      // Does not quote the answer, whose content and length are arbitrary.
      throw new LanguageError(
        `The language server ${this.name} answered ${method} with something that nobody understands.`,
      );
    }
  }

  private listen({ hear, answer }: ServerHandlers): void {
    this.rpc.onNotification((method, params) => hear(method, params));
    this.rpc.onRequest((method, params) => {
      const result = answer(method, params);
      if (result !== undefined) return result;
      throw new ResponseError(ErrorCodes.MethodNotFound, `${method} is not offered here.`);
    });
    // Each pending request reports the error.
    this.rpc.onError(() => {});
    this.rpc.listen();
  }

  private giveUp(reason: string): void {
    if (this.whyGivenUp !== undefined) return;
    this.whyGivenUp = reason;
    void this.process.stop();
  }

  private end(exit: ServerExit): string {
    this.reason = this.whyGivenUp ?? describeServerExit(exit, this.errors.reason);
    this.rpc.dispose();
    return this.reason;
  }

  private gone(reason: string): LanguageError {
    return new LanguageError(`The language server ${this.name} has ended. ${reason}`);
  }

  private silent(method: string, limitMs: number): LanguageError {
    return new LanguageError(
      `The language server ${this.name} did not answer ${method} within ${limitMs / 1000} s.`,
    );
  }
}
