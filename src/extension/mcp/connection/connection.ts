import {
  Client,
  LOG_LEVEL_META_KEY,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  type VersionNegotiationOptions,
} from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { type LocalizedMessage, plural, t } from '../../../protocol/language.ts';
import { abortable } from '../../base/abort.ts';
import { LocalizedError, messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/record.ts';
import { formatQuantity as count } from '../../base/text.ts';
import type { ServerProcesses } from '../../platform/serverProcesses.ts';
import { taskHandleOf } from '../content/taskHandle.ts';
import { SignInNeededError } from '../signIn/signInNeeded.ts';
import { type OpenedTransport, openTransport } from '../transport/openTransport.ts';
import { isAnswerLost } from '../transport/refusedMessage.ts';
import { anyResult, callTool, type ServerCall, type ToolCall } from './callTool.ts';
import { subscribeToChanges } from './changeSubscription.ts';
import { appsExtension, type ListKind, type McpConnectionParts, noTimeout } from './connectionParts.ts';
import { DeadlineError, withDeadline } from './deadline.ts';
import { ElicitationQueue } from './elicitationQueue.ts';
import { keepRawResults, rawResultOf } from './originalAnswers.ts';
import { findParamHeaderFault } from './paramHeaders.ts';
import { type ListMethod, listMethods, readAllPages } from './readAllPages.ts';
import { errorText, findSignInNeeded, LostAnswerError, ServerRefusal, StartFailure } from './serverErrors.ts';
import { handleServerMessages } from './serverMessages.ts';
import { followTask, taskPorts, tasksExtension } from './tasks.ts';
import { withoutPatterns } from './withoutPatterns.ts';

const maxListMs = 60_000;
const maxLeaveMs = 1_000;
/**
 * Time limit of the version probe. Older servers may ignore it; servers that start slower are first treated as older.
 * Over HTTP a missing answer usually has another cause.
 */
const probeMs = { stdio: 3_000, http: 20_000 };
/** Lists are read after the subscription to their changes, unless that takes longer than this. */
const maxListenMs = 2_000;
const maxFreshMs = 24 * 60 * 60 * 1_000;

interface ConnectionEnd {
  /** A user-facing message. */
  readonly reason: LocalizedMessage;
  /** The server is reachable, but needs the user to sign in. */
  readonly wantsSignIn: boolean;
}

/** Error code of protocol 2026-07-28, for which the library has no name. */
const headerMismatch = -32_020;

const sayEnded: LocalizedMessage = () => t('Its connection has ended.');

/** One connection to a server. It is not used again after it has ended. */
export class McpConnection {
  /** Resolves with the reason when the connection ends. */
  readonly closed: Promise<ConnectionEnd>;
  private readonly parts: McpConnectionParts;
  private readonly client: Client;
  private readonly validator = new AjvJsonSchemaValidator();
  private readonly opened: OpenedTransport;
  private readonly questions: ElicitationQueue;
  /** Time until which a list counts as fresh. 0 if the server does not say. */
  private readonly freshUntil = new Map<ListMethod, number>();
  private readonly ended = new AbortController();
  private over: ConnectionEnd | undefined;
  /** True if Folio stopped it. */
  private wasStopped = false;
  private resolveClosed: (closed: ConnectionEnd) => void = () => {};

  static async open(parts: McpConnectionParts, signal: AbortSignal): Promise<McpConnection> {
    const connection = new McpConnection(parts);
    try {
      await connection.start(signal);
      return connection;
    } catch (error) {
      await connection.close();
      throw connection.startFailure(error);
    }
  }

  private constructor(parts: McpConnectionParts) {
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
    const lost = (reason: LocalizedMessage) => this.lose(reason);
    this.opened = openTransport(source, processes, clock, fetch, log, lost);
    this.client.onclose = () => this.end(this.opened.reason() ?? sayEnded);
    this.client.onerror = error => parts.debug(messageOf(error));
    const isOver = () => this.over !== undefined;
    this.questions = new ElicitationQueue(parts.server, user, this.validator, log, isOver);
    handleServerMessages(this.client, parts, this.questions);
  }

  get instructions(): string | undefined {
    return this.client.getInstructions();
  }

  /** Reads all pages of a list, with the entries as received. */
  async list(method: ListMethod, signal: AbortSignal): Promise<readonly unknown[]> {
    const { capability } = listMethods[method];
    if (!this.client.getServerCapabilities()?.[capability]) return [];
    const { clock, log } = this.parts;
    const begunAt = clock.now();
    let freshMs = maxFreshMs;
    const { entries, isCut } = await readAllPages(
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

  /** Returns the lists that have expired by the server's word. Reports each only once. */
  takeStale(): readonly ListKind[] {
    const now = this.parts.clock.now();
    const stale = [...this.freshUntil].filter(([, until]) => until > 0 && until <= now);
    for (const [method] of stale) this.freshUntil.set(method, 0);
    return stale.map(([method]) => listMethods[method].capability);
  }

  /** Rejects with a message about what the server did, or with `SignInNeededError`. */
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
        timeout: noTimeout,
      }),
    );
  }

  async call(call: ServerCall): Promise<Readonly<Record<string, unknown>>> {
    return await this.questions.during(call.callId, () =>
      this.guard(this.parts.timeoutMs, call.signal, (signal, alive) =>
        this.finish({ ...call, signal }, alive),
      ),
    );
  }

  private async finish(call: ServerCall, alive: () => void): Promise<Readonly<Record<string, unknown>>> {
    const { client, parts, questions, meta } = this;
    const follow = (taskId: string) =>
      followTask(taskPorts(client, parts, questions, meta), { ...call, taskId, alive });
    if (call.task !== undefined) return await follow(call.task);
    const answer = await this.callOnce(call, alive).catch(error => this.callAgain(error, call, alive));
    const task = taskHandleOf(rawResultOf(answer));
    if (task === undefined) return answer;
    call.begun(task.id);
    return await follow(task.id);
  }

  private callOnce(call: ToolCall, alive: () => void): Promise<Readonly<Record<string, unknown>>> {
    const { client, meta, byHttp, parts } = this;
    return callTool({ client, clock: parts.clock, meta, byHttp, alive }, call);
  }

  /** Repeats a call after an error that allows it. */
  private async callAgain(
    error: unknown,
    call: ToolCall,
    alive: () => void,
  ): Promise<Readonly<Record<string, unknown>>> {
    if (!isAnswerLost(error)) {
      const inputSchema = await this.newSchema(error, call.tool, call.signal);
      return await this.callOnce({ ...call, inputSchema }, alive);
    }
    if (call.repeatable) return await this.callOnce(call, alive);
    if (!(await this.questions.confirmRepeat(call.tool, call.signal))) throw new LostAnswerError();
    return await this.callOnce(call, alive).catch((again: unknown) => this.callAgain(again, call, alive));
  }

  /** A server that wants other headers than its schema declared has changed the schema. Rethrows any other error. */
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

  /** Validates arguments. A schema that cannot be parsed accepts everything, since the server validates too. */
  checker(schema: Readonly<Record<string, unknown>>): (value: unknown) => string | undefined {
    try {
      // Schema ids would collide with those of other servers in the library's store.
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

  /** Newer servers request folders when they need them. */
  async reportFolders(): Promise<void> {
    if (this.isModern) return;
    await this.client.sendRootsListChanged().catch((error: unknown) => this.parts.debug(messageOf(error)));
  }

  /** Resolves when everything is closed. Never rejects. */
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
    const connected = this.client.connect(this.opened.transport, { signal, timeout: noTimeout });
    // The library's older transport never settles its start if the server is unreachable.
    const lost = () => this.closed.then(({ reason }) => Promise.reject(new LocalizedError(reason)));
    // The library ignores the signal while it negotiates versions.
    await abortable(this.byHttp ? Promise.race([connected, lost()]) : connected, signal);
    if (this.isModern) {
      keepRawResults(this.opened.transport);
      return await this.hearChanges(signal);
    }
    if (this.client.getServerCapabilities()?.logging) {
      // A server may refuse; it then chooses its own log level.
      await this.client.setLoggingLevel('info', { signal, timeout: noTimeout }).catch((error: unknown) => {
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
      // Lists read earlier may be out of date, except those that the server declared fresh.
      const now = clock.now();
      for (const [method, until] of this.freshUntil) {
        const kind = listMethods[method].capability;
        if (kinds.includes(kind) && until <= now) parts.changed(kind);
      }
    };
    const over = subscribeToChanges({ client, clock, signal: ended.signal, opened, log: debug });
    const late = new AbortController();
    await Promise.race([open, over, clock.sleep(maxListenMs, late.signal)]).finally(() => late.abort());
    signal.throwIfAborted();
  }

  /** The protocol requires clients to omit tools whose headers cannot be sent. */
  private withoutFaults(entries: readonly unknown[]): readonly unknown[] {
    return entries.filter(entry => {
      const fault =
        isRecord(entry) && isRecord(entry.inputSchema) ? findParamHeaderFault(entry.inputSchema) : undefined;
      if (fault !== undefined)
        this.parts.log(`Its tool ${String(isRecord(entry) && entry.name)} was left out: ${fault}.`);
      return fault === undefined;
    });
  }

  private startFailure(error: unknown): Error {
    const needed = findSignInNeeded(error);
    if (needed) return needed;
    // The library closes the connection when its start fails. The error holds the reason.
    const over = this.over?.reason === sayEnded ? undefined : this.over?.reason;
    // Only the library notices a program that exits during version negotiation.
    const isGone = error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed;
    const why = this.wasStopped ? (isGone ? this.opened.reason() : undefined) : over;
    const mayPass = !this.opened.cannotStart();
    return new StartFailure(why ?? (() => t('It did not start: {0}', errorText(error))), {
      mayPass,
      cause: error,
    });
  }

  private async guard(
    ms: number,
    signal: AbortSignal,
    work: (signal: AbortSignal, alive: () => void) => Promise<Readonly<Record<string, unknown>>>,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { clock, server } = this.parts;
    try {
      return rawResultOf(
        await withDeadline({ ms, clock, isPaused: () => this.questions.isWaiting }, signal, work),
      );
    } catch (error) {
      signal.throwIfAborted();
      const needed = findSignInNeeded(error);
      if (needed) {
        this.lose(() => needed.say(), { wantsSignIn: true });
        throw needed;
      }
      // Another call has detected the missing sign-in.
      if (this.over?.wantsSignIn) throw new SignInNeededError(server);
      if (error instanceof LostAnswerError) throw error;
      if (error instanceof DeadlineError) {
        const seconds = Math.round(ms / 1000);
        throw new LocalizedError(() =>
          plural(
            seconds,
            'one: The server {1} did not respond for {0} second, so the call was stopped. | other: The server {1} did not respond for {0} seconds, so the call was stopped.',
            server,
          ),
        );
      }
      const { over } = this;
      if (over !== undefined)
        throw new LocalizedError(() => t('The server {0} is gone. {1}', server, over.reason()));
      throw new ServerRefusal(() => errorText(error));
    }
  }

  private lose(reason: LocalizedMessage, { wantsSignIn } = { wantsSignIn: false }): void {
    this.end(reason, { wantsSignIn });
    void this.client.close().catch((error: unknown) => this.parts.debug(messageOf(error)));
  }

  private end(reason: LocalizedMessage, { wantsSignIn } = { wantsSignIn: false }): void {
    if (this.over !== undefined) return;
    this.over = { reason, wantsSignIn };
    this.ended.abort();
    this.resolveClosed(this.over);
  }
}

function negotiation({ source, era }: McpConnectionParts): VersionNegotiationOptions {
  if (source.kind === 'sse' || era === 'older') return { mode: 'legacy' };
  const timeoutMs = era === 'newer' ? noTimeout : probeMs[source.kind === 'stdio' ? 'stdio' : 'http'];
  return { mode: 'auto', probe: { timeoutMs } };
}

function freshMsOf({ ttlMs }: Readonly<Record<string, unknown>>): number {
  return typeof ttlMs === 'number' && ttlMs > 0 ? ttlMs : 0;
}
