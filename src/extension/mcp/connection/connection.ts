import {
  Client,
  LOG_LEVEL_META_KEY,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  type VersionNegotiationOptions,
} from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { plural, type Saying, t } from '../../../protocol/language.ts';
import { abortable } from '../../base/abort.ts';
import { messageOf, SpokenError } from '../../base/errors.ts';
import { isRecord } from '../../base/record.ts';
import { plural as count } from '../../base/text.ts';
import type { ServerProcesses } from '../../platform/serverProcesses.ts';
import { taskOf } from '../content/taskHandle.ts';
import { SignInNeeded } from '../signIn/signInNeeded.ts';
import { type OpenedTransport, openTransport } from '../transport/openTransport.ts';
import { isBrokenOff } from '../transport/refusedMessage.ts';
import { anyResult, callTool, type ServerCall, type ToolCall } from './callTool.ts';
import { appsExtension, type ConnectionParts, type ListKind, never } from './connectionParts.ts';
import { TimeRanOut, withDeadline } from './deadline.ts';
import { hearServer } from './hearServer.ts';
import { listen } from './listening.ts';
import { type ListMethod, listPages, lists } from './listPages.ts';
import { ownAnswers, wholeOf } from './ownAnswers.ts';
import { headerFault } from './paramHeaders.ts';
import { findSignInNeeded, plainError, ServerRefusal, StartFailure, UnknownOutcome } from './serverErrors.ts';
import { ServerQuestions } from './serverQuestions.ts';
import { followTask, taskPorts, tasksExtension } from './tasks.ts';
import { withoutPatterns } from './withoutPatterns.ts';

const maxListMs = 60_000;
const maxLeaveMs = 1_000;
/**
 * Older servers may ignore a question that they do not know; those that take longer to start are spoken to as older
 * ones first. Over HTTP who does not answer has another problem, mostly.
 */
const probeMs = { stdio: 3_000, http: 20_000 };
/** A list is read when it can say what changes from then on, unless that takes too long. */
const maxListenMs = 2_000;
const maxFreshMs = 24 * 60 * 60 * 1_000;

export interface Closed {
  /** Says a sentence. */
  readonly reason: Saying;
  /** It is there, and lets the user do no more than before. */
  readonly wantsSignIn: boolean;
}

/** The protocol of 2026-07-28 has this code; the library has no name for it. */
const headerMismatch = -32_020;

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
  /** Until when what was read of a list counts as fresh; 0: the server says nothing of it. */
  private readonly freshUntil = new Map<ListMethod, number>();
  private readonly ended = new AbortController();
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
    const { version, user, log, source, clock, fetch, showsApps } = parts;
    this.client = new Client(
      { name: 'folio', title: 'Folio', version },
      {
        capabilities: {
          roots: { listChanged: true },
          elicitation: user && { form: {}, url: {} },
          extensions: { [tasksExtension]: {}, ...(showsApps && appsExtension) },
        },
        jsonSchemaValidator: this.validator,
        versionNegotiation: negotiation(parts),
      },
    );
    this.closed = new Promise(resolve => {
      this.resolveClosed = resolve;
    });
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
    const { capability } = lists[method];
    if (!this.client.getServerCapabilities()?.[capability]) return [];
    const { clock, log } = this.parts;
    const begunAt = clock.now();
    let freshMs = maxFreshMs;
    const { entries, isCut } = await listPages(
      method,
      async params => {
        const page = await this.request(method, params, maxListMs, signal);
        freshMs = Math.min(freshMs, freshMsOf(page));
        return page;
      },
      () => clock.now() >= begunAt + maxListMs,
    );
    this.freshUntil.set(method, freshMs > 0 ? begunAt + freshMs : 0);
    if (isCut)
      log(
        `Its answers to ${method} go on and on: ${count(entries.length, 'entry', 'entries')} were read, the rest was left out.`,
      );
    return method === 'tools/list' && this.isModern && this.byHttp ? this.withoutFaults(entries) : entries;
  }

  /** Lists that the server said would be out of date by now, each of them once. */
  takeStale(): readonly ListKind[] {
    const now = this.parts.clock.now();
    const stale = [...this.freshUntil].filter(([, until]) => until > 0 && until <= now);
    for (const [method] of stale) this.freshUntil.set(method, 0);
    return stale.map(([method]) => lists[method].capability);
  }

  /** Rejects with a sentence about what the server did, or with `SignInNeeded`. */
  async request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    ms: number,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>> {
    const _meta = this.meta;
    return await this.guard(ms, signal, inner =>
      this.client.request({ method, params: { ...params, _meta } } as never, anyResult, {
        signal: inner,
        timeout: never,
      }),
    );
  }

  async call(call: ServerCall): Promise<Readonly<Record<string, unknown>>> {
    return await this.questions.during(call.callId, () =>
      this.guard(this.parts.timeoutMs, call.signal, (signal, heard) =>
        this.finish({ ...call, signal }, heard),
      ),
    );
  }

  private async finish(call: ServerCall, heard: () => void): Promise<Readonly<Record<string, unknown>>> {
    const { client, parts, questions, meta } = this;
    const follow = (taskId: string) =>
      followTask(taskPorts(client, parts, questions, meta), { ...call, taskId, heard });
    if (call.task !== undefined) return await follow(call.task);
    const answer = await this.callOnce(call, heard).catch(error => this.callAgain(error, call, heard));
    const task = taskOf(wholeOf(answer));
    if (task === undefined) return answer;
    call.begun(task.id);
    return await follow(task.id);
  }

  private callOnce(call: ToolCall, heard: () => void): Promise<Readonly<Record<string, unknown>>> {
    const { client, meta, byHttp, parts } = this;
    return callTool({ client, clock: parts.clock, meta, byHttp, heard }, call);
  }

  /** After an error that says that another attempt may be of use. */
  private async callAgain(
    error: unknown,
    call: ToolCall,
    heard: () => void,
  ): Promise<Readonly<Record<string, unknown>>> {
    if (!isBrokenOff(error)) {
      const inputSchema = await this.newSchema(error, call.tool, call.signal);
      return await this.callOnce({ ...call, inputSchema }, heard);
    }
    if (call.repeatable) return await this.callOnce(call, heard);
    if (!(await this.questions.mayRepeat(call.tool, call.signal))) throw new UnknownOutcome();
    return await this.callOnce(call, heard).catch((again: unknown) => this.callAgain(again, call, heard));
  }

  /** A server that wants other headers than its schema said has changed the schema. Throws any other error. */
  private async newSchema(
    error: unknown,
    tool: string,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>> {
    const isMismatch = error instanceof ProtocolError && error.code === headerMismatch;
    if (!isMismatch || !this.isModern) throw error;
    this.parts.changed('tools');
    const entries = await this.list('tools/list', signal);
    const schema = entries.filter(isRecord).find(({ name }) => name === tool)?.inputSchema;
    if (!isRecord(schema)) throw error;
    return schema;
  }

  get hasTasks(): boolean {
    return this.isModern && this.client.getServerCapabilities()?.extensions?.[tasksExtension] !== undefined;
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

  /** Newer servers ask for folders when they need them. */
  async reportFolders(): Promise<void> {
    if (this.isModern) return;
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
    const connected = this.client.connect(this.opened.transport, { signal, timeout: never });
    // The library's older transport leaves its start open when the server cannot be reached.
    const lost = () => this.closed.then(({ reason }) => Promise.reject(new SpokenError(reason)));
    // While it asks for the versions, the library does not hear the signal.
    await abortable(this.byHttp ? Promise.race([connected, lost()]) : connected, signal);
    if (this.isModern) {
      ownAnswers(this.opened.transport);
      return await this.hearChanges(signal);
    }
    if (this.client.getServerCapabilities()?.logging) {
      // Servers may refuse; then they log as they see fit.
      await this.client.setLoggingLevel('info', { signal, timeout: never }).catch((error: unknown) => {
        this.parts.debug(messageOf(error));
      });
    }
  }

  private get isModern(): boolean {
    return this.client.getProtocolEra() === 'modern';
  }

  private get byHttp(): boolean {
    return this.parts.source.kind !== 'stdio';
  }

  /** Newer servers log only for requests that ask for it. */
  private get meta(): Readonly<Record<string, unknown>> | undefined {
    const logs = this.isModern && this.client.getServerCapabilities()?.logging;
    return logs ? { [LOG_LEVEL_META_KEY]: 'info' } : undefined;
  }

  private async hearChanges(signal: AbortSignal): Promise<void> {
    const { client, parts, ended } = this;
    const { clock, debug } = parts;
    let isOpen = () => {};
    const open = new Promise<void>(resolve => {
      isOpen = resolve;
    });
    const opened = (kinds: readonly ListKind[]) => {
      isOpen();
      // Lists that were read before may be out of date, except those that are fresh by the server's word.
      const now = clock.now();
      for (const [method, until] of this.freshUntil) {
        const kind = lists[method].capability;
        if (kinds.includes(kind) && until <= now) parts.changed(kind);
      }
    };
    const over = listen({ client, clock, signal: ended.signal, opened, log: debug });
    const late = new AbortController();
    await Promise.race([open, over, clock.sleep(maxListenMs, late.signal)]).finally(() => late.abort());
    signal.throwIfAborted();
  }

  /** The protocol wants tools left out whose headers cannot be sent. */
  private withoutFaults(entries: readonly unknown[]): readonly unknown[] {
    return entries.filter(entry => {
      const fault =
        isRecord(entry) && isRecord(entry.inputSchema) ? headerFault(entry.inputSchema) : undefined;
      if (fault !== undefined)
        this.parts.log(`Its tool ${String(isRecord(entry) && entry.name)} was left out: ${fault}.`);
      return fault === undefined;
    });
  }

  private startFailure(error: unknown): Error {
    const needed = findSignInNeeded(error);
    if (needed) return needed;
    // The library ends the connection when its start fails; the error says why.
    const over = this.over?.reason === sayEnded ? undefined : this.over?.reason;
    // A program that ends while it is asked for its versions is noticed by the library alone.
    const isGone = error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed;
    const why = this.wasStopped ? (isGone ? this.opened.reason() : undefined) : over;
    const mayPass = !this.opened.cannotStart();
    return new StartFailure(why ?? (() => t('It did not start: {0}', plainError(error))), {
      mayPass,
      cause: error,
    });
  }

  private async guard(
    ms: number,
    signal: AbortSignal,
    work: (signal: AbortSignal, heard: () => void) => Promise<Readonly<Record<string, unknown>>>,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { clock, server } = this.parts;
    try {
      return wholeOf(
        await withDeadline({ ms, clock, isPaused: () => this.questions.isWaiting }, signal, work),
      );
    } catch (error) {
      signal.throwIfAborted();
      const needed = findSignInNeeded(error);
      if (needed) {
        this.lose(() => needed.say(), { wantsSignIn: true });
        throw needed;
      }
      // Another call has learnt of it.
      if (this.over?.wantsSignIn) throw new SignInNeeded(server);
      if (error instanceof UnknownOutcome) throw error;
      if (error instanceof TimeRanOut) {
        const seconds = Math.round(ms / 1000);
        throw new SpokenError(() =>
          plural(
            seconds,
            'one: The server {1} did not respond for {0} second, so the call was stopped. | other: The server {1} did not respond for {0} seconds, so the call was stopped.',
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
    this.ended.abort();
    this.resolveClosed(this.over);
  }
}

function negotiation({ source, era }: ConnectionParts): VersionNegotiationOptions {
  if (source.kind === 'sse' || era === 'older') return { mode: 'legacy' };
  const timeoutMs = era === 'newer' ? never : probeMs[source.kind === 'stdio' ? 'stdio' : 'http'];
  return { mode: 'auto', probe: { timeoutMs } };
}

function freshMsOf({ ttlMs }: Readonly<Record<string, unknown>>): number {
  return typeof ttlMs === 'number' && ttlMs > 0 ? ttlMs : 0;
}
