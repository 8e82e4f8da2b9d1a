import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dailyQuota, text } from '../support/geminiAnswers.ts';
import { eventsOf } from '../support/headlessRun.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

let world: HeadlessWorld;

beforeEach(async () => {
  world = await HeadlessWorld.make();
});

afterEach(() => world.dispose());

const verdict = (model: 'strong' | 'fast') => [text(JSON.stringify({ why: 'So.', model }))];
const modelsAsked = () => world.server.requests.map(({ model }) => model);
const go = ['--prompt', 'go', '--output-format', 'stream-json'];

describe('a headless run with the model auto', () => {
  it('works with the model that a small question names, and says which', async () => {
    world.server.script(verdict('fast'), [text('Done.')]);
    const { code, out } = await world.run(['--model', 'auto', ...go]);
    expect(code).toBe(0);
    expect(modelsAsked()).toEqual(['gemini-2.5-flash', 'gemini-2.5-flash']);
    expect(eventsOf(out)).toContainEqual(
      expect.objectContaining({ type: 'model.routed', model: 'gemini-2.5-flash', by: 'classifier' }),
    );
  });

  it('takes the models that the settings name, and asks nobody when one has no quota left', async () => {
    const settings = join(world.folder, 'settings.json');
    const auto = { strongModel: 'gemini-3-pro-preview' };
    await writeFile(settings, JSON.stringify({ folio: { auto, cheapModel: 'gemini-2.5-flash-lite' } }));
    world.server.script(verdict('strong'), dailyQuota(), [text('Done.')]);
    const { code, out } = await world.run(['--model', 'auto', '--settings', settings, ...go]);
    expect(code).toBe(0);
    expect(modelsAsked()).toEqual(['gemini-2.5-flash-lite', 'gemini-3-pro-preview', 'gemini-2.5-flash']);
    expect(eventsOf(out).some(({ type }) => type === 'model.asked')).toBe(false);
  });
});

it('a headless run with a model of its own fails with that model', async () => {
  world.server.script(dailyQuota());
  const { code, error } = await world.run(['--model', 'gemini-2.5-pro', '--prompt', 'go']);
  expect(code).toBe(1);
  expect(modelsAsked()).toEqual(['gemini-2.5-pro']);
  expect(error).toContain('quota');
});
