import {
  type AgentRequestMethod,
  type AgentRequestParamsByMethod,
  type AgentRequestResponsesByMethod,
  type ClientConnection,
  type ContentBlock,
  methods,
  type PromptCapabilities,
  RequestError,
} from '@agentclientprotocol/sdk';
import { t } from '../../protocol/language.ts';
import { whenAborted } from '../base/abort.ts';
import { messageOf } from '../base/errors.ts';
import { fieldsOf } from '../base/record.ts';
import { oneLine } from '../base/text.ts';
import {
  type ExternalAgent,
  type ExternalClient,
  type ExternalEnd,
  ExternalFailure,
  type ExternalPromptPart,
} from '../core/external/externalAgent.ts';
import type { Clock } from '../platform/clock.ts';
import { ServerLog } from '../platform/framing/serverLog.ts';
import type { Log } from '../platform/log.ts';
import {
  describeServerExit,
  type ServerExit,
  type ServerProcess,
  type ServerProcesses,
  type ServerProgram,
} from '../platform/serverProcesses.ts';
import { createClientApp } from './handlers.ts';
import { lineStream } from './lineStream.ts';
import { SessionOptions } from './sessionOptions.ts';

/** Time for an agent to confirm a stop, milliseconds. */
const stopGraceMs = 5_000;
const loginNeeded = -32_000;

/** A running agent and its only session. */
export class AcpAgent implements ExternalAgent {
  session = '';
  continues = false;
  takes: PromptCapabilities = {};
  readonly name: string;
  private readonly offered = new SessionOptions();
  private readonly client: ExternalClient;
  private readonly processes: ServerProcesses;
  private readonly process: ServerProcess;
  private readonly ports: { readonly clock: Clock; readonly log: Log };
  private readonly connection: ClientConnection;
  private readonly errors = new ServerLog();
  private exit: ServerExit | undefined;
  private hasBegun = false;

  /** @param processes used by this agent only; ends with it */
  constructor(
    name: string,
    program: ServerProgram,
    processes: ServerProcesses,
    client: ExternalClient,
    ports: { readonly clock: Clock; readonly log: Log },
  ) {
    this.name = name;
    this.processes = processes;
    this.ports = ports;
    this.client = client;
    const process = processes.start(program);
    this.process = process;
    process.onDidLog(line => {
      this.errors.add(line);
      this.log(line);
    });
    const app = createClientApp(client, update => this.hears(update));
    this.connection = app.connect(lineStream(process, line => this.log(line)));
    void process.exit.then(exit => {
      this.exit = exit;
      this.connection.close();
    });
  }

  get isRunning(): boolean {
    return this.exit === undefined && !this.connection.signal.aborted;
  }

  log(line: string): void {
    this.ports.log.debug(`${this.name}: ${line}`);
  }

  get options(): ExternalAgent['options'] {
    return this.offered.all;
  }

  /**
   * Treats updates from now on as current.
   * @param answer response to the request that began or continued the session
   */
  begin(session: string, continues: boolean, answer: unknown): void {
    this.session = session;
    this.continues = continues;
    this.hasBegun = true;
    this.offered.take(answer);
  }

  async choose(option: string, value: string): Promise<void> {
    const wanted = this.offered.requestFor(option, value);
    if (!wanted) return;
    const { method, params } = wanted;
    const { name, session: sessionId, connection } = this;
    try {
      this.offered.set(option, value, await connection.agent.request(method, { sessionId, ...params }));
    } catch (error) {
      if (!(error instanceof RequestError)) throw await this.failure(error, []);
      const why = reasonOf(error);
      throw new ExternalFailure('answer', () => t('{0} rejected your choice: {1}', name, why));
    }
    this.client.update({ kind: 'options', options: this.options });
  }

  /** Returns false for an update about the past, or about the user's options. */
  private hears(update: unknown): boolean {
    if (!this.offered.update(update)) return this.hasBegun;
    if (this.hasBegun) this.client.update({ kind: 'options', options: this.options });
    return false;
  }

  /** Rejects with `ExternalFailure`. @param logins names of the agent's login methods */
  async request<Method extends AgentRequestMethod>(
    method: Method,
    params: AgentRequestParamsByMethod[Method],
    logins: readonly string[] = [],
  ): Promise<AgentRequestResponsesByMethod[Method]> {
    try {
      return await this.connection.agent.request(method, params);
    } catch (error) {
      throw await this.failure(error, logins);
    }
  }

  async prompt(parts: readonly ExternalPromptPart[], signal: AbortSignal): Promise<ExternalEnd> {
    const { session: sessionId } = this;
    const prompt = parts.flatMap(part => this.block(part));
    const over = new AbortController();
    const asked = this.request(methods.agent.session.prompt, { sessionId, prompt });
    const stopped = this.stopOn(signal, over.signal);
    try {
      const end = await Promise.race([asked, stopped]);
      if (end === 'stopped' || signal.aborted) return 'stopped';
      return ends[end.stopReason] ?? 'rested';
    } finally {
      over.abort();
      asked.catch(() => {
        // The agent was ended because of it, or its failure has reached the caller.
      });
    }
  }

  async close(): Promise<void> {
    this.connection.close();
    await this.processes.dispose();
  }

  /** Asks the agent to stop. Resolves if it did not confirm in time and was ended; otherwise never. */
  private async stopOn(signal: AbortSignal, over: AbortSignal): Promise<'stopped'> {
    await whenAborted(AbortSignal.any([signal, over]));
    if (over.aborted) return never;
    const { process } = this;
    const { clock } = this.ports;
    const cancel = this.connection.agent.notify(methods.agent.session.cancel, { sessionId: this.session });
    await cancel.catch((error: unknown) => this.log(`It could not be asked to stop: ${messageOf(error)}`));
    const late = clock.sleep(stopGraceMs, over).then(
      () => true,
      () => false,
    );
    if (!(await Promise.race([late, process.exit.then(() => true)]))) return never;
    await this.close();
    return 'stopped';
  }

  private block(part: ExternalPromptPart): readonly ContentBlock[] {
    if (part.kind === 'text') return [{ type: 'text', text: part.text }];
    const { data, mimeType } = part;
    const isPicture = mimeType.startsWith('image/');
    if (isPicture && this.takes.image) return [{ type: 'image', data, mimeType }];
    if (!isPicture && this.takes.embeddedContext)
      return [{ type: 'resource', resource: { uri: 'attachment:document', mimeType, blob: data } }];
    const what = isPicture ? 'picture' : `file of the type ${mimeType}`;
    return [{ type: 'text', text: `[A ${what} was left out, since you take none.]` }];
  }

  private async failure(error: unknown, logins: readonly string[]): Promise<ExternalFailure> {
    const { name, process } = this;
    const { clock } = this.ports;
    // The pipe breaks before the process has ended, and its exit explains more.
    if (!(error instanceof RequestError)) await Promise.race([process.exit, clock.sleep(300)]);
    const { exit, errors } = this;
    if (exit?.failure)
      return new ExternalFailure('start', () => t('{0} could not be started. {1}', name, exit.failure!()));
    if (exit) {
      return new ExternalFailure('ended', () =>
        t(
          '{0} ended unexpectedly. {1} Retry to start it again.',
          name,
          describeServerExit(exit, errors.reason),
        ),
      );
    }
    if (error instanceof RequestError && error.code === loginNeeded && logins.length > 0)
      return new ExternalFailure('login', () =>
        t(
          '{0} requires you to log in ({1}). Log in with its own program in a terminal, then retry.',
          name,
          logins.join(', '),
        ),
      );
    const why = reasonOf(error);
    return new ExternalFailure('answer', () =>
      t('{0} reported an error: {1} Retry, or change the prompt.', name, why),
    );
  }
}

/** Libraries report most errors as internal errors, with the reason in the data. */
function reasonOf(error: unknown): string {
  const { details } = fieldsOf(error instanceof RequestError ? error.data : undefined);
  const said = messageOf(error);
  return oneLine(typeof details === 'string' ? `${said}: ${details}` : said, 300);
}

/** The prompt ended in another way. */
const never = new Promise<never>(() => {});

const ends: Readonly<Record<string, ExternalEnd>> = {
  end_turn: 'rested',
  cancelled: 'stopped',
  refusal: 'refused',
  max_tokens: 'length',
  max_turn_requests: 'requests',
};
