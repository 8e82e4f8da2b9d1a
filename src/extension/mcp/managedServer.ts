/*
 * Runs one server, and restarts it with growing delays when it exits.
 *
 *   starting ─► ready ─► retrying ─► starting …
 *       └─► needsSignIn | failed          (until the user restarts it or signs in)
 *
 * A server that only needs a new sign-in keeps its lists: its tools stay declared, and calls report the missing sign-in.
 */

import { type LocalizedMessage, t } from '../../protocol/language.ts';
import type { McpStatus } from '../../protocol/panel/mcp.ts';
import { abortable } from '../base/abort.ts';
import { LocalizedError, messageOf } from '../base/errors.ts';
import { maskValues, maskValuesInError, maskValuesInJson } from '../base/maskValues.ts';
import { RateLimitedLog } from '../base/rateLimitedLog.ts';
import { sanitiseLine } from '../base/text.ts';
import type { CallContext } from '../core/tool.ts';
import type { SandboxedProcess } from '../platform/sandbox.ts';
import { inputSecretName, questionForInput } from './config/parseInputQuestions.ts';
import { resolveTransportConfig } from './config/resolveTransportConfig.ts';
import type { ServerConfig, TransportConfig } from './config/serverConfig.ts';
import type { ServerCall } from './connection/callTool.ts';
import type { McpConnection } from './connection/connection.ts';
import type { ListKind } from './connection/connectionParts.ts';
import type { McpPorts } from './ports.ts';
import { emptyLists, refreshServerLists, type ServerLists } from './serverLists.ts';
import type { ServerSignIn } from './signIn/serverSignIn.ts';
import { SignInNeededError } from './signIn/signInNeeded.ts';

/** Maximum number of failed attempts in a row. */
const maxAttempts = 5;
const firstPauseMs = 1_000;
const maxPauseMs = 60_000;
/** A server that ran this long starts with a clean count of failures. */
const steadyMs = 60_000;
/** Merges changes of a list within this time into one read. */
const settleMs = 100;

export class ManagedServer {
  readonly config: ServerConfig;
  readonly detachesTasks: boolean;
  private readonly ports: McpPorts;
  private readonly changed: () => void;
  private readonly refusals = new Map<string, string>();
  private readonly log: RateLimitedLog;
  private readonly trace: RateLimitedLog;
  private state: State = { kind: 'starting' };
  private known: ServerLists = emptyLists;
  private connection: McpConnection | undefined;
  private signIn: Promise<ServerSignIn | undefined> | undefined;
  private words: string | undefined;
  private newestLog: string | undefined;
  private stopped = false;
  private life = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private readonly stale = new Set<ListKind>();
  private readonly complain = (line: string) => this.note(line);
  private reading: Promise<void> | undefined;

  constructor(config: ServerConfig, ports: McpPorts, changed: () => void) {
    this.config = config;
    this.ports = ports;
    this.detachesTasks = ports.detachesTasks ?? false;
    this.changed = changed;
    this.trace = new RateLimitedLog(ports.clock, line => ports.log.debug(`[${config.name}] ${line}`));
    this.log = new RateLimitedLog(ports.clock, line => ports.log.info(`[${config.name}] ${line}`));
  }

  get status(): McpStatus {
    const { state } = this;
    return 'reason' in state ? { ...state, reason: state.reason() } : state;
  }

  get lists(): ServerLists {
    return this.known;
  }

  /** Reloads lists that have expired by the server's word. Called when they are used, never by a timer. */
  refreshStale(): void {
    for (const kind of this.connection?.takeStale() ?? []) this.listChanged(kind);
  }

  /** The server may answer calls with tasks. */
  get hasTasks(): boolean {
    return this.connection?.hasTasks ?? false;
  }

  get showsApps(): boolean {
    return this.ports.showsApps?.() ?? false;
  }

  /** A user is present who could sign in. */
  get isAttended(): boolean {
    return this.ports.user !== undefined;
  }

  get lastLog(): string | undefined {
    return this.newestLog;
  }

  get instructions(): string | undefined {
    return this.words;
  }

  /** @param asked the user requested it, so they may be asked for missing values */
  start({ asked }: { readonly asked: boolean }): void {
    // A sign-in may end long after this configuration was replaced.
    if (this.stopped) return;
    this.life.abort();
    this.life = new AbortController();
    const { signal } = this.life;
    this.running = this.running.then(() => this.live(asked, signal));
  }

  /** Resolves when nothing of it is left. Never rejects. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.life.abort();
    await this.running;
  }

  /** @param ask asks the user on behalf of the running call */
  async call(call: ServerCall, ask?: CallContext['ask']): Promise<Readonly<Record<string, unknown>>> {
    const progress = (line: string) => call.progress(this.hide(line));
    const traced = call.task === undefined ? { ...call, trace: this.ports.traceOf?.(call.callId) } : call;
    const work = () => this.ready().call({ ...traced, progress });
    return await this.hiding(this.ports.user?.during?.(call.callId, ask, work) ?? work());
  }

  async request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>> {
    return await this.hiding(this.ready().request(method, params, this.config.timeoutMs, signal));
  }

  /** Records that a model service rejected a tool's declaration. */
  refuse(tool: string, words: string): void {
    if (this.refusals.get(tool) === words) return;
    this.refusals.set(tool, words);
    this.changed();
  }

  /** Returns a user-facing message, or `undefined` if no service rejected it. */
  refusalOf(tool: string): string | undefined {
    const words = this.refusals.get(tool);
    return words && t('disabled, because the model service rejected it: {0}', sanitiseLine(words, 200));
  }

  /** Returns why arguments are invalid, or `undefined` if they are valid or cannot be checked. */
  checker(schema: Readonly<Record<string, unknown>>): (value: unknown) => string | undefined {
    return this.connection?.checker(schema) ?? (() => undefined);
  }

  /** Resolves to `undefined` if it is a program, or its configuration disables sign-in. */
  findSignIn(): Promise<ServerSignIn | undefined> {
    this.signIn ??= this.makeSignIn();
    return this.signIn;
  }

  async reportFolders(): Promise<void> {
    await this.connection?.reportFolders();
  }

  private ready(): McpConnection {
    if (this.connection) return this.connection;
    if (this.state.kind === 'needsSignIn') throw new SignInNeededError(this.config.name);
    const { config, state } = this;
    throw new LocalizedError(() => t('The server {0} does not run. {1}', config.name, describe(state)));
  }

  private async live(asked: boolean, signal: AbortSignal): Promise<void> {
    let attempts = 0;
    try {
      while (!signal.aborted) {
        this.become({ kind: 'starting' });
        const startedAt = this.ports.clock.now();
        const end = await this.runOnce(asked, signal);
        if (signal.aborted || end.kind !== 'needsSignIn') this.forget();
        if (signal.aborted) return;
        if (end.kind !== 'lost') return this.become(end);
        attempts = this.ports.clock.now() - startedAt >= steadyMs ? 1 : attempts + 1;
        if (attempts >= maxAttempts) return this.become({ kind: 'failed', reason: end.reason });
        await this.pause(attempts, end.reason, signal);
      }
    } catch (error) {
      // A bug in one server must not stop the others.
      if (signal.aborted) return;
      this.ports.log.error(`The server ${this.config.name} failed unexpectedly`, error);
      this.become({ kind: 'failed', reason: () => messageOf(error) });
    }
  }

  private async runOnce(asked: boolean, signal: AbortSignal): Promise<RunEnd> {
    let connection: McpConnection | undefined;
    try {
      connection = await this.connect(asked, signal);
      const lists = refreshServerLists(connection, allKinds, emptyLists, { signal, complain: this.complain });
      this.known = await this.hiding(lists);
      this.words = connection.instructions && this.hide(connection.instructions);
      this.connection = connection;
      this.become({ kind: 'ready' });
      const { reason, wantsSignIn } = await abortable(connection.closed, signal);
      return wantsSignIn ? { kind: 'needsSignIn' } : { kind: 'lost', reason };
    } catch (error) {
      if (error instanceof SignInNeededError) return { kind: 'needsSignIn' };
      const { StartFailure } = await import('./connection/serverErrors.ts');
      const reason = () => messageOf(error);
      if (error instanceof StartFailure && !error.mayPass) return { kind: 'failed', reason };
      if (error instanceof InputMissing || error instanceof Changed) return { kind: 'failed', reason };
      return { kind: 'lost', reason };
    } finally {
      await connection?.close();
      // Keep it until then, because a call gets the reason from it.
      this.connection = undefined;
    }
  }

  /** Loads the library with the first server that starts. */
  private async connect(asked: boolean, signal: AbortSignal): Promise<McpConnection> {
    const { config, ports } = this;
    if (config.origin === 'workspace' && !(await ports.isCurrent(config.name))) throw new Changed();
    const { openConnection } = await import('./connection/openConnection.ts');
    const answers = await this.readInputs(asked, signal);
    const source = await resolveTransportConfig(config.source, answers);
    const signIn = await this.findSignIn();
    const sandboxed = await this.contain(source);
    signal.throwIfAborted();
    return await openConnection(
      {
        source,
        sandboxed,
        server: config.name,
        timeoutMs: config.timeoutMs,
        version: ports.version,
        clock: ports.clock,
        processes: ports.processes,
        folders: ports.folders,
        user: ports.user,
        showsApps: this.showsApps,
        fetch: signIn?.fetch ?? fetch,
        log: line => this.note(line),
        debug: line => void this.trace.add(this.hide(line)),
        changed: kind => this.listChanged(kind),
      },
      signal,
    );
  }

  private async contain(source: TransportConfig): Promise<SandboxedProcess | undefined> {
    if (source.kind !== 'stdio' || !source.sandbox) return undefined;
    const { sandbox: grants, cwd } = source;
    return await this.ports.sandbox.sandboxProgram({ grants, cwd, lasting: true });
  }

  private async makeSignIn(): Promise<ServerSignIn | undefined> {
    const { name, source, oauth } = this.config;
    if ((source.kind !== 'http' && source.kind !== 'sse') || !oauth.enabled) return undefined;
    const { ServerSignIn } = await import('./signIn/serverSignIn.ts');
    return new ServerSignIn(name, source.url, oauth, this.ports.secrets);
  }

  /** Asks only on the user's request, so that opening a window shows no forms. */
  private async readInputs(asked: boolean, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const { config, ports } = this;
    const answers = new Map<string, string>();
    for (const id of config.inputs) {
      const place = inputSecretName(config, id);
      const kept = await ports.secrets.find(place);
      const answer = kept ?? (asked ? await this.askInput(id, signal) : undefined);
      if (answer === undefined) {
        throw new InputMissing(() => t('It needs a value for "{0}". Restart it to enter the value.', id));
      }
      if (kept === undefined) await ports.secrets.keep(place, answer);
      answers.set(id, answer);
    }
    return answers;
  }

  private async askInput(id: string, signal: AbortSignal): Promise<string | undefined> {
    const { otherwise, ...question } = questionForInput(this.config, id);
    const said = await this.ports.user?.answer(
      {
        kind: 'form',
        server: this.config.name,
        message: t('This server asks you for a value. It is kept in the secret storage.'),
        questions: [question],
      },
      signal,
    );
    return said?.kind === 'accepted' ? said.answers[0]?.[0]?.trim() || otherwise || undefined : undefined;
  }

  /** One read runs at a time. Changes during it cause one more. */
  private listChanged(kind: ListKind): void {
    this.stale.add(kind);
    this.reading ??= this.readStale().finally(() => {
      this.reading = undefined;
    });
  }

  private async readStale(): Promise<void> {
    const { signal } = this.life;
    while (this.stale.size > 0 && !signal.aborted) {
      await this.ports.clock.sleep(settleMs);
      const { connection } = this;
      const kinds = new Set(this.stale);
      this.stale.clear();
      if (!connection) return;
      try {
        const lists = refreshServerLists(connection, kinds, this.known, { signal, complain: this.complain });
        this.known = await this.hiding(lists);
        this.changed();
      } catch (error) {
        this.note(`Its lists could not be read again: ${messageOf(error)}`);
      }
    }
  }

  private async pause(attempts: number, reason: LocalizedMessage, signal: AbortSignal): Promise<void> {
    const { clock } = this.ports;
    const whole = Math.min(firstPauseMs * 2 ** (attempts - 1), maxPauseMs);
    const ms = whole * (0.75 + clock.random() / 2);
    this.become({ kind: 'retrying', reason, until: clock.now() + ms });
    await clock.sleep(ms, signal);
  }

  private forget(): void {
    this.known = emptyLists;
    this.words = undefined;
  }

  private note(text: string): void {
    this.newestLog = this.log.add(this.hide(text));
    this.changed();
  }

  private become(state: State): void {
    this.state = 'reason' in state ? { ...state, reason: () => this.hide(state.reason()) } : state;
    this.changed();
  }

  private hide(text: string): string {
    return maskValues(text, this.config.secrets ?? []);
  }

  /** Masks the user's secrets in a server's answers, for the model and the journal. */
  private async hiding<T>(work: Promise<T>): Promise<T> {
    const { secrets = [] } = this.config;
    if (secrets.length === 0) return await work;
    try {
      return maskValuesInJson(await work, secrets) as T;
    } catch (error) {
      maskValuesInError(error, secrets);
      throw error;
    }
  }
}

/** The status as shown in the panel, but with reasons that models also get. */
type State = Said<McpStatus>;

type Said<Status> = Status extends { readonly reason: string }
  ? Omit<Status, 'reason'> & { readonly reason: LocalizedMessage }
  : Status;

type RunEnd =
  /** The server may come back. */
  | { readonly kind: 'lost'; readonly reason: LocalizedMessage }
  | Extract<State, { kind: 'failed' | 'needsSignIn' }>;

class InputMissing extends LocalizedError {}

class Changed extends LocalizedError {
  constructor() {
    super(() => t('Its program has changed since you allowed it. Review it again, then restart it.'));
  }
}

const allKinds: ReadonlySet<ListKind> = new Set(['tools', 'prompts', 'resources']);

function describe(state: Exclude<State, { kind: 'needsSignIn' }>): string {
  switch (state.kind) {
    case 'starting':
      return t('It is starting; try again in a moment.');
    case 'ready':
      return t('It has just ended; try again in a moment.');
    case 'retrying':
      return t('It will be started again: {0}', state.reason());
    case 'failed':
      return state.reason();
    case 'waiting':
      return t('The user has not allowed it to run.');
    case 'disabled':
      return t('The user disabled it.');
  }
}
