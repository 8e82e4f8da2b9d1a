/* The built Folio as an MCP server, with its folders. */

import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  Client,
  type ClientCapabilities,
  type ElicitResult,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type GeminiServer, startGeminiServer } from '../../support/geminiServer.ts';
import { environment, headlessEntry, type RunningProgram } from '../../support/headlessProgram.ts';
import { startHeadless } from '../../support/headlessRun.ts';

export type Era = 'legacy' | 'auto';
type FormAnswer = (message: string, withdrawn: AbortSignal) => ElicitResult | Promise<ElicitResult>;

/** Transport over the streams of a program, possibly in a shared process. */
class ProgramTransport implements Transport {
  onmessage: Transport['onmessage'];
  onclose: Transport['onclose'];
  private readonly program: RunningProgram;

  constructor(program: RunningProgram) {
    this.program = program;
  }

  async start(): Promise<void> {
    const { stdout, exit } = this.program;
    createInterface({ input: stdout }).on('line', line => this.onmessage?.(JSON.parse(line)));
    void exit.then(() => this.onclose?.());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.program.stdin.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.program.stdin.end();
    await this.program.exit;
  }
}

export class FolioServer {
  readonly model: GeminiServer;
  readonly folder: string;
  readonly workspace: string;
  private readonly clients: Client[] = [];
  private readonly programs: RunningProgram[] = [];

  private constructor(model: GeminiServer, folder: string) {
    this.model = model;
    this.folder = folder;
    this.workspace = join(folder, 'workspace');
  }

  static async make(): Promise<FolioServer> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'folio-served-')));
    const server = new FolioServer(await startGeminiServer(), folder);
    await mkdir(server.workspace);
    await mkdir(join(folder, 'home'));
    return server;
  }

  get env(): Record<string, string> {
    const all = environment(join(this.folder, 'home'), { GEMINI_API_KEY: 'test' });
    return Object.fromEntries(
      Object.entries(all).filter((each): each is [string, string] => each[1] !== undefined),
    );
  }

  /** Returns the arguments of a client's configuration. */
  args(...more: readonly string[]): string[] {
    const { workspace, folder, model } = this;
    const places = ['--workspace', workspace, '--session-dir', join(folder, 'sessions')];
    return ['--mcp', ...places, '--base-url', model.baseUrl, ...more];
  }

  /** Connects a client whose user answers forms. `answer` gets the shown text. */
  async connectAsking(mode: Era, answer: FormAnswer, ...more: readonly string[]): Promise<Client> {
    const client = this.makeClient(mode, { elicitation: { form: {} } });
    client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) =>
      answer(params.message, mcpReq.signal),
    );
    await client.connect(new ProgramTransport(startHeadless(this.args(...more), this.env)));
    return client;
  }

  /** Connects a client of the official library. */
  async connect(mode: Era, ...more: readonly string[]): Promise<Client> {
    const client = this.makeClient(mode);
    await client.connect(new ProgramTransport(startHeadless(this.args(...more), this.env)));
    return client;
  }

  /** Connects with a separate process, as a client's configuration does. */
  async connectOwn(mode: Era, ...more: readonly string[]): Promise<Client> {
    const client = this.makeClient(mode);
    const args = [headlessEntry, ...this.args(...more)];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, env: this.env, stderr: 'ignore' }),
    );
    return client;
  }

  /** Starts the program, for lines that no client would send. */
  start(...more: readonly string[]): RunningProgram {
    return this.launch(this.args(...more));
  }

  /** Starts a headless run of the user. */
  run(...more: readonly string[]): RunningProgram {
    return this.launch(this.args(...more).slice(1));
  }

  private makeClient(mode: Era, capabilities: ClientCapabilities = {}): Client {
    const options = { versionNegotiation: { mode }, capabilities };
    const client = new Client({ name: 'test', version: '1' }, options);
    this.clients.push(client);
    return client;
  }

  private launch(args: readonly string[]): RunningProgram {
    const program = startHeadless(args, this.env, 'own');
    program.stdin.on('error', () => {});
    this.programs.push(program);
    return program;
  }

  async dispose(): Promise<void> {
    await Promise.all(this.clients.map(client => client.close()));
    for (const program of this.programs) program.stdin.end();
    await Promise.all(this.programs.map(program => program.exit));
    await this.model.dispose();
    await rm(this.folder, { recursive: true, force: true });
  }
}
