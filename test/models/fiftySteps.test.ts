import { describe, expect, test } from 'vitest';
import type { ModelProvider } from '../../src/extension/core/model.ts';
import { anthropicAt } from '../support/anthropicClient.ts';
import { callFaults } from '../support/checkHistory.ts';
import { makeWorld } from '../support/conversation.ts';
import { geminiAt } from '../support/geminiClient.ts';
import { openAiAt } from '../support/openaiClient.ts';
import { responsesAt } from '../support/responsesClient.ts';
import { type ServedWire, servedWires } from '../support/talkingServers.ts';

const steps = 50;

const providers: Readonly<Record<ServedWire['provider'], (address: string) => ModelProvider>> = {
  gemini: geminiAt,
  anthropic: anthropicAt,
  openai: openAiAt,
  'openai-responses': responsesAt,
};

describe.for(servedWires)('over $provider a session of fifty steps', wire => {
  test('reads, edits and ends, and each request repeats what the one before said', async () => {
    await using server = await wire.start(done => {
      if (done.length === steps - 1) return { text: 'Done.' };
      const file_path = done.length % 7 === 6 ? 'missing.txt' : 'a.txt';
      if (done.length % 5 === 4)
        return { call: 'write_file', args: { file_path: 'b.txt', content: `${done.length}\n` } };
      return { call: 'read_file', args: { file_path, start_line: done.length + 1 } };
    });
    const text = Array.from({ length: 100 }, (_, line) => `line ${line}`).join('\n');
    const world = makeWorld({
      answers: [],
      mode: 'yolo',
      model: wire.model,
      files: { 'a.txt': text },
      provider: providers[wire.provider](`${server.origin}${wire.path}`),
    });
    expect(await world.session.send('Work line by line.')).toEqual({ kind: 'rested' });
    expect(server.faults()).toEqual([]);
    expect(server.asked()).toBe(steps);
    const ended = world.events.filter(event => event.type === 'call.ended');
    expect(ended).toHaveLength(steps - 1);
    expect(new Set(ended.map(({ outcome }) => outcome))).toEqual(new Set(['ok', 'failed']));
    expect(callFaults(world.events)).toEqual([]);
    expect(world.files.get('b.txt')).toBe('44\n');
    expect(Buffer.byteLength(JSON.stringify(server.bodies()[0]))).toBeLessThanOrEqual(20_000);
    const said = server.bodies().map(splitBody);
    expect(said.map(({ rest }) => rest)).toEqual(said.map(() => said[0]!.rest));
    const broken = said.slice(1).filter(({ list }, at) => !list.startsWith(said[at]!.list.slice(0, -1)));
    expect(broken).toEqual([]);
    await world.session.dispose();
  });
});

/** The conversation and all that stands beside it, without the moving marks for a cache. */
function splitBody(body: object): { readonly list: string; readonly rest: string } {
  const entries = Object.entries(body);
  const isList = ([name]: readonly [string, unknown]) => /^(contents|messages|input)$/.test(name);
  const text = (value: unknown) => JSON.stringify(value).replace(/,"cache_control":\{[^}]*\}/g, '');
  return {
    list: text(entries.find(isList)?.[1]),
    rest: text(entries.filter(entry => !isList(entry))),
  };
}
