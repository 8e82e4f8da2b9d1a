import { Client } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { plural, type Saying, t } from '../../../protocol/language.ts';
import { messageOf, SpokenError } from '../../base/errors.ts';
import { plural as count } from '../../base/text.ts';
import type { ServerProcesses } from '../../platform/serverProcesses.ts';
import { SignInNeeded } from '../signIn/signInNeeded.ts';
import { type OpenedTransport, openTransport } from '../transport/openTransport.ts';
import { anyResult, callTool, type ServerCall } from './callTool.ts';
import { type ConnectionParts, never } from './connectionParts.ts';
import { TimeRanOut, withDeadline } from './deadline.ts';
import { hearServer } from './hearServer.ts';
import { type ListMethod, listPages, lists } from './listPages.ts';
import { findSignInNeeded, plainError, ServerRefusal, StartFailure } from './serverErrors.ts';
import { ServerQuestions } from './serverQuestions.ts';
import { withoutPatterns } from './withoutPatterns.ts';

const maxListMs = 60_000;
const maxLeaveMs = 1_000;

export interface Closed {
  /** Says a sentence. */
  readonly reason: Saying;
  /** It is there, and lets the user do no more than before. */
  readonly wantsSignIn: boolean;
}

const sayEnded: Saying = () => t('Its connection has ended.');

/** A server that answers. */
export class Connection {
  /** Resolves with why it is over. */
  readonly closed: Promise<Closed>;
  private readonly parts: ConnectionParts;
  private readonly client: Client;
  private readonly validator = new AjvJsonSchemaValidator();
  private readonly opened: OpenedTransport;
  private readonly questions: ServerQuestions;
  private over: Closed | undefined;
  /** By Folio. */
  private wasStopped = false;
  private resolveClosed: (closed: Closed) => void = () => {};

  static async open(parts: ConnectionParts, signal: AbortSignal): Promise<Connection> {
    const connection = new Connection(parts);
    try {
      await connection.start(signal);
      return connection;
    } catch (error) {
      await connection.close();
      throw connection.startFailure(error);
    }
  }

  private constructor(parts: ConnectionParts) {
    this.parts = parts;
    const { version, user, log } = parts;
    this.client = new Client(
      { name: 'folio', title: 'Folio', version },
      {
        capabilities: {
          roots: { listChanged: true },
          elicitation: user && { form: {}, url: {} },
        },
        jsonSchemaValidator: this.validator,
      },
    );
    this.closed = new Promise(resolve => {
      this.resolveClosed = resolve;
    });
    const { source, clock, fetch } = parts;
    const processes: Pick<ServerProcesses, 'start'> = {
      start: program => parts.processes.start({ ...program, sandboxed: parts.sandboxed }),
    };
    const lost = (reason: Saying) => this.lose(reason);
    this.opened = openTransport(source, processes, clock, fetch, log, lost);
    this.client.onclose = () => this.end(this.opened.reason() ?? sayEnded);
    this.client.onerror = error => parts.debug(messageOf(error));
    const isOver = () => this.over !== undefined;
    this.questions = new ServerQuestions(parts.server, user, this.validator, log, isOver);
    hearServer(this.client, parts, this.questions);
  }

  get instructions(): string | undefined {
    return this.client.getInstructions();
  }

  /** Every entry of a list, whole pages of it, as the server gave them. */
  async list(method: ListMethod, signal: AbortSignal): Promise<readonly unknown[]> {
    if (!this.client.getServerCapabilities()?.[lists[method].capability]) return [];
    const { clock, log } = this.parts;
    const end = clock.now() + maxListMs;
    const { entries, isCut } = await listPages(
      method,
      params => this.request(method, params, maxListMs, signal),
      () => clock.now() >= end,
    );
    if (isCut)
      log(
        `Its answers to ${method} go on and on: ${count(entries.length, 'entry', 'entries')} were read, the rest was left out.`,
      );
    return entries;
  }

  /** Rejects with a sentence about what the server did, or with `SignInNeeded`. */
  async request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    ms: number,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>> {
    return await this.guard(ms, signal, inner =>
      this.client.request({ method, params } as never, anyResult, { signal: inner, timeout: never }),
    );
  }

  async call(call: ServerCall): Promise<Readonly<Record<string, unknown>>> {
    return await this.questions.during(call.callId, () =>
      this.guard(this.parts.timeoutMs, call.signal, (signal, heard) =>
        callTool(this.client, this.parts.clock, { ...call, signal }, heard),
      ),
    );
  }

  /** Checks arguments; a schema that cannot be understood lets everything pass, since the server checks too. */
  checker(schema: Readonly<Record<string, unknown>>): (value: unknown) => string | undefined {
    try {
      // Names of schemas would meet those of other servers in the library's store.
      const { $id: _, id: __, $schema: ___, ...plain } = schema;
      const check = this.validator.getValidator(withoutPatterns(plain) as never);
      return value => {
        const checked = check(value);
        return checked.valid ? undefined : checked.errorMessage;
      };
    } catch (error) {
      this.parts.log(`The schema of a tool cannot be checked: ${messageOf(error)}`);
      return () => undefined;
    }
  }

  async reportFolders(): Promise<void> {
    await this.client.sendRootsListChanged().catch((error: unknown) => this.parts.debug(messageOf(error)));
  }

  /** Resolves when nothing of it is left. Never rejects. */
  async close(): Promise<void> {
    if (this.over === undefined) {
      await Promise.race([
        this.opened.leave().catch((error: unknown) => this.parts.debug(messageOf(error))),
        this.parts.clock.sleep(maxLeaveMs),
      ]);
    }
    this.wasStopped = this.over === undefined;
    this.end(() => t('It was stopped.'));
    // Before the library has the transport, closing the client closes nothing.
    await this.opened.transport.close().catch((error: unknown) => this.parts.debug(messageOf(error)));
    await this.client.close().catch((error: unknown) => this.parts.debug(messageOf(error)));
  }

  private async start(signal: AbortSignal): Promise<void> {
    // The library's older transport leaves its start open when the server cannot be reached.
    const lost = this.closed.then(({ reason }) => Promise.reject(new SpokenError(reason)));
    await Promise.race([this.client.connect(this.opened.transport, { signal, timeout: never }), lost]);
    if (this.client.getServerCapabilities()?.logging) {
      // Servers may refuse; then they log as they see fit.
      await this.client.setLoggingLevel('info', { signal, timeout: never }).catch((error: unknown) => {
        this.parts.debug(messageOf(error));
      });
    }
  }

  private startFailure(error: unknown): Error {
    const needed = findSignInNeeded(error);
    if (needed) return needed;
    // The library ends the connection when its start fails; the error says why.
    const why = this.wasStopped || this.over?.reason === sayEnded ? undefined : this.over?.reason;
    const mayPass = !this.opened.cannotStart();
    return new StartFailure(why ?? (() => t('It did not start: {0}', plainError(error))), {
      mayPass,
      cause: error,
    });
  }

  private async guard<T>(
    ms: number,
    signal: AbortSignal,
    work: (signal: AbortSignal, heard: () => void) => Promise<T>,
  ): Promise<T> {
    const { clock, server } = this.parts;
    try {
      return await withDeadline({ ms, clock, isPaused: () => this.questions.isWaiting }, signal, work);
    } catch (error) {
      signal.throwIfAborted();
      const needed = findSignInNeeded(error);
      if (needed) {
        this.lose(() => needed.say(), { wantsSignIn: true });
        throw needed;
      }
      // Another call has learnt of it.
      if (this.over?.wantsSignIn) throw new SignInNeeded(server);
      if (error instanceof TimeRanOut) {
        const seconds = Math.round(ms / 1000);
        throw new SpokenError(() =>
          plural(
            seconds,
            'one: The server {1} was silent for {0} second, so it was given up. | other: The server {1} was silent for {0} seconds, so it was given up.',
            server,
          ),
        );
      }
      const { over } = this;
      if (over !== undefined)
        throw new SpokenError(() => t('The server {0} is gone. {1}', server, over.reason()));
      throw new ServerRefusal(() => plainError(error));
    }
  }

  private lose(reason: Saying, { wantsSignIn } = { wantsSignIn: false }): void {
    this.end(reason, { wantsSignIn });
    void this.client.close().catch((error: unknown) => this.parts.debug(messageOf(error)));
  }

  private end(reason: Saying, { wantsSignIn } = { wantsSignIn: false }): void {
    if (this.over !== undefined) return;
    this.over = { reason, wantsSignIn };
    this.resolveClosed(this.over);
  }
}
