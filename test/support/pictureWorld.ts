/* Runs of the built program with pictures, over each of the four wires. */

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ModelProvider } from '../../src/extension/core/model.ts';
import type { ScalePicture } from '../../src/extension/models/media/fitMedia.ts';
import { pictureScaler } from '../../src/extension/models/media/scalePicture.ts';
import { readGrammar } from '../../src/extension/node/grammarFiles.ts';
import * as claude from './anthropicAnswers.ts';
import { startAnthropicServer } from './anthropicServer.ts';
import { region } from './bedrockClient.ts';
import { startBedrockServer } from './bedrockServer.ts';
import * as gemini from './geminiAnswers.ts';
import { startGeminiServer } from './geminiServer.ts';
import type { HeadlessResult } from './headlessProgram.ts';
import { runHeadless } from './headlessRun.ts';
import * as chat from './openaiAnswers.ts';
import { startOpenAiServer } from './openaiServer.ts';
import { plainProvider } from './plainProvider.ts';
import * as responses from './responsesAnswers.ts';
import { responsesRefusal, startResponsesServer } from './responsesServer.ts';

export type WireName = 'gemini' | 'anthropic' | 'openai' | 'openai-responses' | 'bedrock';

/** What the model says at each step. */
export type Say =
  | { readonly call: string; readonly args: object }
  | { readonly text: string }
  /** The service refuses. */
  | { readonly status: number; readonly words: string };

interface WireServer {
  readonly baseUrl: string;
  readonly requests: readonly SentRequest[];
  /** One answer each. */
  readonly say: (...says: readonly Say[]) => void;
  /** To any request behind the script. */
  readonly sayLater: (answer: (body: string) => Say) => void;
  readonly dispose: () => Promise<void>;
}

interface SentRequest {
  readonly body: unknown;
  readonly fault: string | undefined;
}

interface Wire {
  readonly model: string;
  readonly start: () => Promise<WireServer>;
}

function speak<Answer>(
  server: ScriptableServer<Answer>,
  answerOf: (say: Say, id: string) => Answer,
): WireServer {
  let count = 0;
  const next = (say: Say) => answerOf(say, `call_${count++}`);
  return {
    baseUrl: server.baseUrl,
    requests: server.requests,
    say: (...says) => server.script(...says.map(next)),
    sayLater: answer => server.afterScript(request => next(answer(JSON.stringify(request.body)))),
    dispose: () => server.dispose(),
  };
}

interface ScriptableServer<Answer> {
  readonly baseUrl: string;
  readonly requests: readonly SentRequest[];
  script(...answers: readonly Answer[]): void;
  afterScript(answer: (request: { readonly body: unknown }) => Answer): void;
  dispose(): Promise<void>;
}

const wires: Readonly<Record<WireName, Wire>> = {
  gemini: {
    model: 'gemini-2.5-pro',
    start: async () =>
      speak<gemini.Answer>(await startGeminiServer(), say => {
        if ('status' in say) return gemini.refusal(say.status, 'INVALID_ARGUMENT', say.words);
        return 'text' in say ? [gemini.text(say.text)] : [gemini.call(say.call, { ...say.args })];
      }),
  },
  anthropic: {
    model: 'claude-opus-4-6',
    start: async () => speak<claude.MessagesAnswer>(await startAnthropicServer(), sayClaude),
  },
  bedrock: {
    model: 'eu.anthropic.claude-opus-4-6',
    start: async () =>
      speak<claude.MessagesAnswer>(
        await startBedrockServer({
          region,
          apiKey: 'test',
          model: 'eu.anthropic.claude-opus-4-6',
          like: 'claude-opus-4-6',
        }),
        sayClaude,
      ),
  },
  openai: {
    model: 'm',
    start: async () =>
      speak<chat.ChatAnswer>(await startOpenAiServer(), (say, id) => {
        if ('status' in say) return chat.refusal(say.status, say.words);
        return 'text' in say ? [chat.text(say.text)] : [chat.call(say.call, say.args, { id })];
      }),
  },
  'openai-responses': {
    model: 'gpt-4.1',
    start: async () =>
      speak<responses.ResponsesAnswer>(await startResponsesServer(), (say, id) => {
        if ('status' in say) return responsesRefusal(say.status, say.words);
        return 'text' in say ? [responses.text(say.text)] : [responses.call(say.call, say.args, id)];
      }),
  },
};

function sayClaude(say: Say, id: string): claude.MessagesAnswer {
  if ('status' in say) return claude.refusal(say.status, 'invalid_request_error', say.words);
  return 'text' in say ? [claude.text(say.text)] : [claude.call(say.call, say.args, id)];
}

export const wireNames = Object.keys(wires) as readonly WireName[];

export interface OpenWire {
  readonly server: WireServer;
  /** The provider as the program has it. */
  readonly provider: ModelProvider;
  readonly model: string;
}

/** Without a thread for each picture, which takes longer to start than to scale most of them. */
const scaleHere = pictureScaler(() => readGrammar('photon.wasm', '@cf-wasm/photon/photon.wasm'));

export async function openWire(wire: WireName, scalePicture: ScalePicture = scaleHere): Promise<OpenWire> {
  const { model, start } = wires[wire];
  const server = await start();
  const provider = plainProvider({
    provider: () => wire,
    baseUrl: () => (wire === 'bedrock' ? server.baseUrl.replace(/\/v1$/, '') : server.baseUrl),
    scalePicture,
    bedrock: { region: () => region },
  });
  return { server, provider, model };
}

/** A workspace, sessions, and a server of each wire that a test asks for. */
export class PictureWorld {
  readonly folder: string;
  readonly workspace: string;
  private readonly servers = new Map<WireName, WireServer>();

  private constructor(folder: string) {
    this.folder = folder;
    this.workspace = join(folder, 'workspace');
  }

  static async make(): Promise<PictureWorld> {
    const world = new PictureWorld(await mkdtemp(join(tmpdir(), 'folio-pictures-')));
    await mkdir(world.workspace);
    return world;
  }

  async server(wire: WireName): Promise<WireServer> {
    const server = this.servers.get(wire) ?? (await wires[wire].start());
    this.servers.set(wire, server);
    return server;
  }

  async run(wire: WireName, prompt: string, ...more: readonly string[]): Promise<HeadlessResult> {
    return this.start(wire, ['--prompt', prompt, ...more]);
  }

  /** @param lines of standard input */
  async runLines(wire: WireName, lines: readonly object[]): Promise<HeadlessResult> {
    const input = lines.map(line => `${JSON.stringify(line)}\n`).join('');
    return this.start(wire, ['--input-format', 'stream-json'], input);
  }

  private async start(wire: WireName, args: readonly string[], input?: string): Promise<HeadlessResult> {
    const { baseUrl } = await this.server(wire);
    const places = ['--workspace', this.workspace, '--session-dir', join(this.folder, 'sessions')];
    const model = ['--provider', wire, '--model', wires[wire].model, '--base-url', baseUrl];
    const keys = { ANTHROPIC_API_KEY: 'test', OPENAI_API_KEY: 'test', GEMINI_API_KEY: 'test' };
    const home = { HOME: join(this.folder, 'home'), USERPROFILE: join(this.folder, 'home') };
    return runHeadless({
      args: [...places, ...model, ...args],
      env: { ...keys, ...home },
      ...(input === undefined ? {} : { input }),
    });
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.servers.values()].map(server => server.dispose()));
    await rm(this.folder, { recursive: true, force: true });
  }
}
