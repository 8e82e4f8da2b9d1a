import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ElicitRequestSchema,
  type ElicitResult,
  ErrorCode,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  McpError,
  type Progress,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import * as z from 'zod';
import { messageOf } from '../../base/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { McpProcesses } from '../../platform/mcp.ts';
import type { ServerSource } from '../config/serverConfig.ts';
import type { McpPerson } from '../person.ts';
import { TimeRanOut, withDeadline } from './deadline.ts';
import { answerElicitation } from './elicitation.ts';
import { type OpenedTransport, openTransport } from './openTransport.ts';
import { findSignInNeeded, plainError, ServerRefusal, StartFailure } from './serverErrors.ts';
import { withoutPatterns } from './withoutPatterns.ts';

export type ListKind = 'tools' | 'prompts' | 'resources';

export interface ConnectionParts {
  readonly server: string;
  readonly source: ServerSource;
  readonly timeoutMs: number;
  /** Of Folio. */
  readonly version: string;
  readonly clock: Clock;
  readonly processes: McpProcesses;
  readonly fetch: FetchLike;
  /** Absolute. */
  readonly folders: () => readonly string[];
  /** Absent: nobody is there, and the server is told so. */
  readonly person: McpPerson | undefined;
  readonly log: (line: string) => void;
  /** What only helps who looks for a mistake. */
  readonly debug: (line: string) => void;
  readonly changed: (list: ListKind) => void;
}

export interface ServerCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly callId: string;
  readonly asTask: boolean;
  readonly signal: AbortSignal;
  readonly progress: (line: string) => void;
}

const lastWordsMs = 300;
const longestListMs = 60_000;
const longestLeaveMs = 1_000;
/** Requests to the person that wait at once; more only a server makes that has gone wrong. */
const mostWaiting = 3;
/** The library's own limit, which counts a person's time too. */
const never = 2 ** 31 - 1;
const mostPages = 100;
const mostEntries = 2_000;

const anyResult = z.looseObject({});

export interface Closed {
  /** A sentence. */
  readonly reason: string;
  /** It is there, and lets the person do no more than before. */
  readonly wantsSignIn: boolean;
}

/** A server that answers. */
export class Connection {
  /** Resolves with why it is over. */
  readonly closed: Promise<Closed>;
  private readonly parts: ConnectionParts;
  private readonly client: Client;
  private readonly validator = new AjvJsonSchemaValidator();
  private readonly opened: OpenedTransport;
  private readonly running = new Set<string>();
  private asking: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private calls = 0;
  /** The person closed a question then: until the next call there is no other. */
  private closedAt = -1;
  private over: string | undefined;
  /** By Folio. */
  private wasStopped = false;
  private resolveClosed: (closed: Closed) => void = () => {};

  static async open(parts: ConnectionParts, signal: AbortSignal): Promise<Connection> {
    const connection = new Connection(parts);
    try {
      await connection.start(signal);
      return connection;
    } catch (error) {
      await connection.hearOut(signal);
      await connection.close();
      throw connection.startFailure(error);
    }
  }

  private constructor(parts: ConnectionParts) {
    this.parts = parts;
    const { version, person, log } = parts;
    this.client = new Client(
      { name: 'folio', title: 'Folio', version },
      {
        capabilities: {
          roots: { listChanged: true },
          ...(person && { elicitation: { form: {}, url: {} } }),
        },
        jsonSchemaValidator: this.validator,
      },
    );
    this.closed = new Promise(resolve => {
      this.resolveClosed = resolve;
    });
    this.opened = openTransport(parts.source, {
      ...{ processes: parts.processes, fetch: parts.fetch, log },
      lost: reason => this.lose(reason),
    });
    this.client.onclose = () => this.end(this.opened.reason() ?? 'Its connection has ended.');
    this.client.onerror = error => parts.debug(messageOf(error));
    this.listen();
  }

  get instructions(): string | undefined {
    return this.client.getInstructions();
  }

  /** Every entry of a list, whole pages of it, as the server gave them. */
  async list(method: ListMethod, signal: AbortSignal): Promise<readonly unknown[]> {
    const { capability, key } = lists[method];
    if (!this.client.getServerCapabilities()?.[capability]) return [];
    const entries: unknown[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < mostPages && entries.length < mostEntries; page++) {
      const result = await this.request(
        method,
        cursor === undefined ? {} : { cursor },
        longestListMs,
        signal,
      );
      const found = result[key];
      if (Array.isArray(found)) entries.push(...found.slice(0, mostEntries));
      if (typeof result.nextCursor !== 'string' || result.nextCursor === cursor) break;
      cursor = result.nextCursor;
    }
    return entries.slice(0, mostEntries);
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
    const { tool, args, callId, asTask, signal, progress } = call;
    this.running.add(callId);
    this.calls++;
    const request = { name: tool, arguments: { ...args } };
    try {
      return await this.guard(this.parts.timeoutMs, signal, async (inner, heard) => {
        const options = {
          ...{ signal: inner, timeout: never },
          onprogress: (told: Progress) => {
            heard();
            progress(describeProgress(told));
          },
        };
        return asTask
          ? await this.runTask(request, options, heard, progress)
          : await this.client.request({ method: 'tools/call', params: request }, anyResult, options);
      });
    } finally {
      this.running.delete(callId);
    }
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

  async tellFolders(): Promise<void> {
    await this.client.sendRootsListChanged().catch((error: unknown) => this.parts.debug(messageOf(error)));
  }

  /** Resolves when nothing of it is left. Never rejects. */
  async close(): Promise<void> {
    if (this.over === undefined) {
      await Promise.race([
        this.opened.leave().catch((error: unknown) => this.parts.debug(messageOf(error))),
        this.parts.clock.sleep(longestLeaveMs),
      ]);
    }
    this.wasStopped = this.over === undefined;
    this.end('It was stopped.');
    // Before the library has the transport, closing the client closes nothing.
    await this.opened.transport.close().catch((error: unknown) => this.parts.debug(messageOf(error)));
    await this.client.close().catch((error: unknown) => this.parts.debug(messageOf(error)));
  }

  private async start(signal: AbortSignal): Promise<void> {
    await this.client.connect(this.opened.transport, { signal, timeout: never });
    if (this.client.getServerCapabilities()?.logging) {
      // Servers may refuse; then they log as they see fit.
      await this.client.setLoggingLevel('info', { signal, timeout: never }).catch((error: unknown) => {
        this.parts.debug(messageOf(error));
      });
    }
  }

  /** A pipe breaks before the process has ended, and its end says more. */
  private async hearOut(signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.parts.source.kind !== 'stdio') return;
    await Promise.race([this.closed, this.parts.clock.sleep(lastWordsMs)]);
  }

  private startFailure(error: unknown): Error {
    const needed = findSignInNeeded(error);
    if (needed) return needed;
    const why = this.wasStopped ? undefined : this.over;
    const mayPass = !this.opened.cannotStart();
    return new StartFailure(why ?? `It did not start: ${plainError(error)}`, { mayPass, cause: error });
  }

  private listen(): void {
    const { client, parts } = this;
    client.setRequestHandler(ListRootsRequestSchema, () => ({
      roots: parts.folders().map(folder => ({ uri: pathToFileURL(folder).href, name: nameOf(folder) })),
    }));
    if (parts.person) {
      client.setRequestHandler(ElicitRequestSchema, (request, { signal }) =>
        this.ask(request.params, signal),
      );
    }
    client.fallbackRequestHandler = async ({ method }) => {
      throw new McpError(
        ErrorCode.MethodNotFound,
        method === 'sampling/createMessage'
          ? 'Folio does not let servers use its language model.'
          : `Folio does not know ${method}.`,
      );
    };
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
      const text = typeof params.data === 'string' ? params.data : JSON.stringify(params.data);
      parts.log(`${params.level}: ${text}`);
    });
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => parts.changed('tools'));
    client.setNotificationHandler(PromptListChangedNotificationSchema, () => parts.changed('prompts'));
    client.setNotificationHandler(ResourceListChangedNotificationSchema, () => parts.changed('resources'));
  }

  /** One question at a time: a person reads one. */
  private async ask(
    params: Parameters<typeof answerElicitation>[0],
    signal: AbortSignal,
  ): Promise<ElicitResult> {
    const { person, server } = this.parts;
    if (!person || this.waiting >= mostWaiting) return { action: 'cancel' };
    const [only] = this.running;
    const callId = this.running.size === 1 ? only : undefined;
    this.waiting++;
    const answer = this.asking.then(() => {
      const isUnwanted = this.closedAt === this.calls || signal.aborted || this.over !== undefined;
      if (isUnwanted) return { action: 'cancel' as const };
      return answerElicitation(params, { server, person, callId, validator: this.validator }, signal);
    });
    this.asking = answer.then(
      () => undefined,
      () => undefined,
    );
    try {
      const { action, ...rest } = await answer;
      if (action === 'cancel' && !signal.aborted) this.closedAt = this.calls;
      return { action, ...rest };
    } catch (error) {
      this.parts.log(`A question to you could not be shown: ${messageOf(error)}`);
      return { action: 'cancel' };
    } finally {
      this.waiting--;
    }
  }

  private async runTask(
    request: { readonly name: string; readonly arguments: Record<string, unknown> },
    options: { readonly signal: AbortSignal; readonly timeout: number },
    heard: () => void,
    progress: (line: string) => void,
  ): Promise<Readonly<Record<string, unknown>>> {
    const stream = this.client.experimental.tasks.callToolStream(request, anyResult as never, {
      ...options,
      task: {},
    });
    let told = '';
    for await (const message of stream) {
      heard();
      switch (message.type) {
        case 'taskCreated':
          break;
        case 'taskStatus': {
          const line = message.task.statusMessage ?? message.task.status;
          if (line !== told) progress(line);
          told = line;
          break;
        }
        case 'result':
          return message.result;
        case 'error':
          throw message.error;
      }
    }
    throw new Error('Its task ended without a result.');
  }

  private async guard<T>(
    ms: number,
    signal: AbortSignal,
    work: (signal: AbortSignal, heard: () => void) => Promise<T>,
  ): Promise<T> {
    const { clock, server } = this.parts;
    try {
      return await withDeadline({ ms, clock, isPaused: () => this.waiting > 0 }, signal, work);
    } catch (error) {
      signal.throwIfAborted();
      const needed = findSignInNeeded(error);
      if (needed) {
        this.lose(needed.message, { wantsSignIn: true });
        throw needed;
      }
      if (error instanceof TimeRanOut) {
        throw new Error(
          `The server ${server} was silent for ${Math.round(ms / 1000)} seconds, so it was given up.`,
        );
      }
      if (this.over !== undefined) throw new Error(`The server ${server} is gone. ${this.over}`);
      throw new ServerRefusal(plainError(error));
    }
  }

  private lose(reason: string, { wantsSignIn } = { wantsSignIn: false }): void {
    this.end(reason, { wantsSignIn });
    void this.client.close().catch((error: unknown) => this.parts.debug(messageOf(error)));
  }

  private end(reason: string, { wantsSignIn } = { wantsSignIn: false }): void {
    if (this.over !== undefined) return;
    this.over = reason;
    this.resolveClosed({ reason, wantsSignIn });
  }
}

export type ListMethod = keyof typeof lists;

const lists = {
  'tools/list': { capability: 'tools', key: 'tools' },
  'prompts/list': { capability: 'prompts', key: 'prompts' },
  'resources/list': { capability: 'resources', key: 'resources' },
  'resources/templates/list': { capability: 'resources', key: 'resourceTemplates' },
} as const;

function describeProgress({ progress, total, message }: Progress): string {
  const count = total === undefined ? String(progress) : `${progress} of ${total}`;
  return message ? `${message} (${count})` : count;
}

function nameOf(folder: string): string {
  return folder.split(/[\\/]/).findLast(part => part !== '') ?? folder;
}
