/* A session with a scripted Gemini server, and the tool that recalls chapters. */

import { estimateText } from '../../src/extension/core/context/tokens.ts';
import type { WireContent } from '../../src/extension/rehearsal/wire.ts';
import { recallChapterTool } from '../../src/extension/tools/recallChapter.ts';
import type { CompressionPlan } from '../../src/protocol/compression.ts';
import { makeWorld, type World, type WorldOptions } from './conversation.ts';
import { finish, type Step, text } from './geminiAnswers.ts';
import { geminiAt } from './geminiClient.ts';
import { type GeminiServer, startGeminiServer } from './geminiServer.ts';

export interface WireWorld extends World {
  readonly server: GeminiServer;
  /** Contents of all requests for an answer. */
  readonly contents: () => readonly (readonly WireContent[])[];
  dispose(): Promise<void>;
}

export async function makeWireWorld(options: Omit<WorldOptions, 'answers'> = {}): Promise<WireWorld> {
  const server = await startGeminiServer();
  const world = makeWorld({
    answers: [],
    model: 'gemini-2.5-pro',
    mode: 'yolo',
    provider: geminiAt(server.baseUrl),
    surfaceTools: surface => [recallChapterTool({ ...surface, estimateTokens: estimateText })],
    ...options,
  });
  return {
    ...world,
    server,
    contents: () => server.requests.map(({ body }) => body.contents ?? []),
    dispose: async () => {
      await world.session.dispose();
      await server.dispose();
    },
  };
}

/** Returns an answer with this prompt token count. */
export function counted(promptTokenCount: number, ...steps: readonly Step[]): readonly Step[] {
  return [...steps, finish('STOP', { promptTokenCount, candidatesTokenCount: 10 })];
}

export function snapshotOf(knowledge: string): string {
  return `<state_snapshot>\n<overall_goal>Keep the port.</overall_goal>\n<key_knowledge>${knowledge}</key_knowledge>\n</state_snapshot>`;
}

/** Returns both answers for a summary with this knowledge. */
export function summary(knowledge: string): readonly (readonly Step[])[] {
  const snapshot = snapshotOf(knowledge);
  return [[text(`<scratchpad>Hm.</scratchpad>\n${snapshot}`)], [text(snapshot)]];
}

/** Returns text of about as many tokens. */
export function long(tokens: number, word = 'filler'): string {
  const line = `${word} ${'.'.repeat(38 - word.length)}\n`;
  return line.repeat(Math.ceil((tokens * 4) / line.length));
}

export function planOf({ session }: World): CompressionPlan {
  const { compression, compressions } = session.state;
  const plan = compression?.status === 'proposed' ? compression.plan : compressions.at(-1)?.plan;
  if (!plan) throw new Error('There is no plan.');
  return plan;
}
