/* What another model gets over the wire in the middle of a turn: nothing that was meant for the one before. */

import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { defineReadTool } from '../../../src/extension/core/tool.ts';
import type { WireContent } from '../../../src/extension/rehearsal/wire.ts';
import type { WorldOptions } from '../../support/conversation.ts';
import { call, dailyQuota, modelNotFound, text, unavailable } from '../../support/geminiAnswers.ts';
import { png } from '../../support/pictures.ts';
import { counted, long, makeWireWorld, summary, type WireWorld } from '../../support/wireWorld.ts';

const worlds: WireWorld[] = [];

afterEach(async () => {
  for (const world of worlds.splice(0)) {
    for (const { fault } of world.server.requests) expect(fault).toBeUndefined();
    await world.dispose();
  }
});

/** Gives a picture, which each generation takes in another place. */
const scan = defineReadTool({
  name: 'look',
  description: 'Looks at a picture.',
  input: () => z.object({}),
  title: () => 'Look',
  run: async () => ({
    text: 'A picture.',
    blobs: [{ mimeType: 'image/png', data: png({ width: 1, height: 1 }).toString('base64') }],
    display: { summary: () => 'Seen' },
  }),
});

async function newWorld(options: Omit<WorldOptions, 'answers'>): Promise<WireWorld> {
  const world = await makeWireWorld({ model: 'auto', mode: 'plan', tools: [scan], ...options });
  worlds.push(world);
  return world;
}

const requestsOf = ({ server }: WireWorld) =>
  server.requests.map(({ model, body }) => ({
    model,
    thinks: JSON.stringify(body).includes('thinkingConfig'),
    signatures: signaturesOf(body.contents ?? []),
    pictures: picturesOf(body.contents ?? []),
  }));

function signaturesOf(contents: readonly WireContent[]): readonly string[] {
  return contents.flatMap(({ parts = [] }) => parts.flatMap(part => part.thoughtSignature ?? []));
}

function picturesOf(contents: readonly WireContent[]): readonly string[] {
  return contents.flatMap(({ parts = [] }) =>
    parts.flatMap(part => [
      ...(part.inlineData ? ['beside'] : []),
      ...(part.functionResponse?.parts ?? []).map(() => 'nested'),
    ]),
  );
}

const unsigned = 'skip_thought_signature_validator';
const signed = (signature: string) => [call('look', {}, { signature })];

describe('another generation takes over', () => {
  test('from the third to one that does not think, and back with the next prompt', async () => {
    const world = await newWorld({
      models: { strong: 'gemini-3-pro-preview', fast: 'gemini-2.5-flash-lite' },
    });
    world.server.script(signed('U2VhbGVk'), unavailable, unavailable, unavailable, [text('Seen.')]);
    await world.session.send('Look');
    world.server.script([text('Again.')]);
    await world.session.send('And again');
    const all = requestsOf(world);
    const strong = {
      model: 'gemini-3-pro-preview',
      thinks: true,
      signatures: ['U2VhbGVk'],
      pictures: ['nested'],
    };
    expect(all.slice(1, 4)).toEqual([strong, strong, strong]);
    expect(all[4]).toEqual({
      model: 'gemini-2.5-flash-lite',
      thinks: false,
      signatures: [],
      pictures: ['beside'],
    });
    expect(all[5]).toEqual(strong);
  });

  test('from the second to the third, which wants a signature that the second cannot give', async () => {
    const world = await newWorld({ models: { strong: 'gemini-2.5-pro', fast: 'gemini-3-flash-preview' } });
    world.server.script(signed('T2xk'), unavailable, unavailable, unavailable, signed('TmV3'), [
      text('Seen.'),
    ]);
    await world.session.send('Look');
    const all = requestsOf(world);
    expect(all[1]).toMatchObject({ signatures: ['T2xk'], pictures: ['beside'] });
    expect(all[4]).toEqual({
      model: 'gemini-3-flash-preview',
      thinks: true,
      signatures: [unsigned],
      pictures: ['nested'],
    });
    expect(all[5]?.signatures).toEqual([unsigned, 'TmV3']);
  });
});

test('a used up quota of the day asks, and the candidate continues with the same messages', async () => {
  const world = await newWorld({
    model: 'gemini-2.5-pro',
    models: { strong: 'gemini-2.5-pro', fast: 'gemini-2.5-flash' },
  });
  world.session.onEvent(event => {
    if (event.type === 'model.asked') world.session.decideFallback('switch');
  });
  world.server.script(dailyQuota(), [text('Here.')]);
  await world.session.send('Go');
  const [before, after] = world.server.requests;
  expect(after?.model).toBe('gemini-2.5-flash');
  expect(after?.body).toEqual(before?.body);
  expect(world.session.state.model).toBe('gemini-2.5-flash');
});

test('a model that is not there is asked about, and a bad key is not', async () => {
  const world = await newWorld({ models: { strong: 'gemini-9', fast: 'gemini-2.5-flash' } });
  const asked: string[] = [];
  world.session.onEvent(event => {
    if (event.type !== 'model.asked') return;
    asked.push(event.failure.kind);
    world.session.decideFallback('later');
  });
  world.server.script(modelNotFound);
  expect(await world.session.send('Go')).toMatchObject({ kind: 'failed', trouble: { kind: 'notFound' } });
  expect(asked).toEqual(['notFound']);
});

test('a smaller model that takes over gets a compressed context where the whole would not fit', async () => {
  const limits: Readonly<Record<string, number>> = { 'gemini-2.5-flash': 3_000 };
  const world = await newWorld({
    models: { strong: 'gemini-2.5-pro', fast: 'gemini-2.5-flash', cheap: 'gemini-2.5-flash-lite' },
    files: { 'a.txt': long(1_500), 'b.txt': long(1_500, 'other') },
    limitOf: model => limits[model] ?? 100_000,
  });
  const read = (file_path: string) => [call('read_file', { file_path })];
  world.server.script(read('a.txt'), read('b.txt'), counted(4_000, text('Read both.')));
  await world.session.send('Read a and b');
  world.server.script(unavailable, unavailable, unavailable, ...summary('It is filler.'), [text('On.')]);
  expect(await world.session.send('Continue')).toEqual({ kind: 'rested' });
  expect(world.session.state.compressions).toHaveLength(1);
  expect(world.server.requests.at(-1)?.model).toBe('gemini-2.5-flash');
  expect(JSON.stringify(world.contents().at(-1))).toContain('It is filler.');
});
