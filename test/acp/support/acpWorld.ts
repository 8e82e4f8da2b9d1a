/* The built agent, connected to a client of the official ACP library. */

import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  type ClientApp,
  type ClientCapabilities,
  type ClientConnection,
  type ClientContext,
  client,
  type InitializeResponse,
  type McpServer,
  methods,
  ndJsonStream,
  type RequestPermissionOutcome,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { type GeminiServer, startGeminiServer } from '../../support/geminiServer.ts';
import { headlessEntry, type RunningProgram } from '../../support/headlessProgram.ts';
import { type Process, startHeadless } from '../../support/headlessRun.ts';
import { faultOf } from './protocolSchema.ts';

export interface ClientOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly process?: Process;
  readonly capabilities?: ClientCapabilities;
  /** Answer of the user. Absent: the first option. */
  readonly answer?: (request: RequestPermissionRequest) => Promise<RequestPermissionOutcome>;
  /** Adds handlers to the client. */
  readonly extend?: (app: ClientApp) => ClientApp;
}

/** A raw message. */
interface Wire {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

export class AcpWorld {
  readonly server: GeminiServer;
  readonly folder: string;
  readonly workspace: string;
  private readonly clients: TestClient[] = [];

  private constructor(server: GeminiServer, folder: string) {
    this.server = server;
    this.folder = folder;
    this.workspace = join(folder, 'workspace');
  }

  static async make(): Promise<AcpWorld> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'folio-acp-')));
    const world = new AcpWorld(await startGeminiServer(), folder);
    await mkdir(world.workspace);
    await mkdir(join(folder, 'home'));
    return world;
  }

  /** Returns how to start the agent, also for other clients. */
  command(options: Pick<ClientOptions, 'args' | 'env'> = {}) {
    if (!existsSync(headlessEntry))
      throw new Error('There is no dist/headless.cjs: run "npm run build" first.');
    const {
      GEMINI_API_KEY: _key,
      GOOGLE_API_KEY: _other,
      GOOGLE_GEMINI_BASE_URL: _url,
      ...inherited
    } = process.env;
    const home = join(this.folder, 'home');
    const places = ['--session-dir', join(this.folder, 'sessions'), '--base-url', this.server.baseUrl];
    return {
      file: process.execPath,
      args: [headlessEntry, '--acp', ...places, ...(options.args ?? [])],
      env: { ...inherited, HOME: home, USERPROFILE: home, GEMINI_API_KEY: 'test', ...options.env },
    };
  }

  async start(options: ClientOptions = {}): Promise<TestClient> {
    const { args, env } = this.command(options);
    const started = new TestClient(startHeadless(args.slice(1), env, options.process), options);
    this.clients.push(started);
    await started.initialize();
    return started;
  }

  async dispose(): Promise<void> {
    await Promise.all(this.clients.map(each => each.end()));
    await this.server.dispose();
    await rm(this.folder, { recursive: true, force: true });
  }
}

export class TestClient {
  readonly program: RunningProgram;
  readonly connection: ClientConnection;
  readonly updates: SessionUpdate[] = [];
  readonly asked: RequestPermissionRequest[] = [];
  /** Violations of the protocol by the agent. */
  readonly faults: string[] = [];
  /** Raw messages of the agent. */
  readonly wire: Wire[] = [];
  readonly exit: Promise<number | null>;
  errors = '';
  initialized!: InitializeResponse;
  private readonly capabilities: ClientCapabilities;
  private readonly sent = new Map<unknown, string>();

  constructor(program: RunningProgram, { capabilities = {}, answer, extend = app => app }: ClientOptions) {
    this.program = program;
    this.capabilities = capabilities;
    this.exit = program.exit;
    program.stderr.setEncoding('utf8').on('data', text => (this.errors += text));
    // Ignores errors of a pipe that the test closes.
    program.stdin.on('error', () => {});
    const app = client({ name: 'test' })
      .onNotification(methods.client.session.update, ({ params }) => void this.updates.push(params.update))
      .onRequest(methods.client.session.requestPermission, async ({ params }) => {
        this.asked.push(params);
        const first = { outcome: 'selected', optionId: params.options[0]!.optionId } as const;
        return { outcome: (await answer?.(params)) ?? first };
      });
    const input = (Readable.toWeb(program.stdout) as ReadableStream<Uint8Array>).pipeThrough(
      this.tap(line => this.check(line)),
    );
    const output = this.tap(line => this.note(line));
    void output.readable.pipeTo(Writable.toWeb(program.stdin)).catch(() => {});
    this.connection = extend(app).connect(ndJsonStream(output.writable, input));
  }

  get agent(): ClientContext {
    return this.connection.agent;
  }

  async initialize(): Promise<void> {
    this.initialized = await this.agent.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientCapabilities: this.capabilities,
      clientInfo: { name: 'test', version: '1.0.0' },
    });
  }

  async newSession(cwd: string, mcpServers: McpServer[] = []): Promise<string> {
    return (await this.agent.request(methods.agent.session.new, { cwd, mcpServers })).sessionId;
  }

  prompt(sessionId: string, text: string) {
    return this.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] });
  }

  /** Joins the text of all chunks of this kind. */
  said(kind: 'agent_message_chunk' | 'agent_thought_chunk' | 'user_message_chunk'): string {
    return this.of(kind)
      .map(({ content }) => (content.type === 'text' ? content.text : `[${content.type}]`))
      .join('');
  }

  of<K extends SessionUpdate['sessionUpdate']>(kind: K): Extract<SessionUpdate, { sessionUpdate: K }>[] {
    return this.updates.filter(
      (update): update is Extract<SessionUpdate, { sessionUpdate: K }> => update.sessionUpdate === kind,
    );
  }

  /** Closes the pipe, as a client does at its end. */
  async end(): Promise<number | null> {
    this.program.stdin.end();
    return await this.exit;
  }

  private tap(hear: (line: Wire) => void): TransformStream<Uint8Array, Uint8Array> {
    const decoder = new TextDecoder();
    let rest = '';
    return new TransformStream({
      transform: (chunk, controller) => {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) this.hearLine(line, hear);
        controller.enqueue(chunk);
      },
    });
  }

  private hearLine(line: string, hear: (line: Wire) => void): void {
    try {
      hear(JSON.parse(line));
    } catch {
      this.faults.push(`Not a message: ${line}`);
    }
  }

  private note({ id, method }: Wire): void {
    if (method !== undefined && id !== undefined) this.sent.set(id, method);
  }

  private check(message: Wire): void {
    this.wire.push(message);
    const { id, method, params, result } = message;
    if (method === '$/cancel_request') return;
    const fault =
      method !== undefined
        ? faultOf(method, id === undefined ? 'Notification' : 'Request', params)
        : result !== undefined
          ? faultOf(this.sent.get(id) ?? 'nothing that was asked', 'Response', result)
          : undefined;
    if (fault !== undefined) this.faults.push(fault);
  }
}
