import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as claude from '../support/anthropicAnswers.ts';
import { startAnthropicServer } from '../support/anthropicServer.ts';
import { eachTest } from '../support/eachTest.ts';
import { call, dailyQuota, text } from '../support/geminiAnswers.ts';
import { eventsOf } from '../support/headlessProgram.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

const world = eachTest(() => HeadlessWorld.make());

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

describe('a fallback of another provider', () => {
  const anthropic = eachTest(() => startAnthropicServer({ apiKey: 'claudes' }));

  async function run(folio: object, args: readonly string[] = []) {
    const settings = join(world.folder, 'settings.json');
    const where = { 'anthropic.baseUrl': anthropic.baseUrl };
    await writeFile(settings, JSON.stringify({ folio: { ...folio, ...where } }));
    await writeFile(join(world.workspace, 'note.txt'), 'seven sheep');
    const env = { ANTHROPIC_API_KEY: 'claudes' };
    return world.run(['--model', 'gemini-2.5-pro', '--settings', settings, ...args, ...go], { env });
  }

  it('continues in the middle of a turn with all that was said and found, and is told and priced as what it is', async () => {
    const usage = { input_tokens: 1_000_000, output_tokens: 0 };
    world.server.script(
      [call('read_file', { file_path: 'note.txt' }, { signature: 'c2VhbA==' })],
      dailyQuota(),
    );
    anthropic.script([claude.text('Seven sheep.'), claude.finish('end_turn', usage)]);
    const { code, out, error } = await run({ fallbackModel: 'anthropic:claude-sonnet-4-6' });
    expect([code, error]).toEqual([0, '']);
    const [request] = anthropic.requests;
    expect([request?.fault, request?.body.model]).toEqual([undefined, 'claude-sonnet-4-6']);
    const sent = JSON.stringify(request?.body);
    expect(sent).toContain('seven sheep');
    expect(sent).not.toContain('c2VhbA==');
    const events = eventsOf(out);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'model.routed', model: 'anthropic:claude-sonnet-4-6', by: 'fallback' }),
    );
    const costs = events.flatMap(event => (event.type === 'step.ended' ? (event.cost ?? []) : []));
    expect(costs.at(-1)).toBeCloseTo(3);
  });

  it('has a short name, too, and auto chooses among providers that the user allows', async () => {
    anthropic.script([claude.text(JSON.stringify({ why: 'So.', model: 'fast' }))], [claude.text('Done.')]);
    const auto = { fastModel: 'anthropic:haiku' };
    const { code } = await run({ auto, otherProviders: ['anthropic'] }, ['--model', 'auto']);
    expect(code).toBe(0);
    expect(anthropic.requests.map(({ body }) => body.model)).toEqual([
      'claude-haiku-5-5',
      'claude-haiku-5-5',
    ]);
    expect(world.server.requests).toEqual([]);
  });

  it('is not asked where a workspace names it, nor by a name whose provider the user did not allow', async () => {
    await mkdir(join(world.workspace, '.gemini'), { recursive: true });
    const folio = { fallbackModel: 'anthropic:claude-sonnet-4-6', otherProviders: ['anthropic'] };
    await writeFile(join(world.workspace, '.gemini', 'settings.json'), JSON.stringify({ folio }));
    world.server.script(dailyQuota());
    const { code } = await run({}, ['--trusted']);
    expect(code).toBe(1);
    expect(anthropic.requests).toEqual([]);
  });
});

it('a headless run with a model of its own fails with that model', async () => {
  world.server.script(dailyQuota());
  const { code, error } = await world.run(['--model', 'gemini-2.5-pro', '--prompt', 'go']);
  expect(code).toBe(1);
  expect(modelsAsked()).toEqual(['gemini-2.5-pro']);
  expect(error).toContain('quota');
});

describe('the name of a model in a headless run', () => {
  it.each([
    ['flash', 'gemini-2.5-flash'],
    ['pro', 'gemini-2.5-pro'],
    ['3-pro', 'gemini-3-pro-preview'],
    ['flash-lite', 'gemini-2.5-flash-lite'],
  ])('%s stands for %s', async (name, id) => {
    world.server.script([text('Done.')]);
    expect(await world.run(['--model', name, ...go])).toMatchObject({ code: 0, error: '' });
    expect(modelsAsked()).toEqual([id]);
  });

  it('in the settings of the home folder stands for a model, too, and so does auto with a version', async () => {
    const home = join(world.folder, 'home');
    await mkdir(join(home, '.gemini'), { recursive: true });
    const env = { HOME: home, USERPROFILE: home };
    const set = (name: string) =>
      writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify({ model: { name } }));
    await set('flash');
    world.server.script([text('Done.')]);
    await world.run(go, { env });
    await set('auto-gemini-3');
    world.server.script(verdict('strong'), [text('Done.')]);
    await world.run(go, { env });
    expect(modelsAsked()).toEqual(['gemini-2.5-flash', 'gemini-3-flash-preview', 'gemini-3-pro-preview']);
  });

  it('that nobody lists is told with near ones before the first request, which goes out all the same', async () => {
    world.server.script([text('Done.')]);
    const { code, error } = await world.run(['--model', 'gemini-2.5-prp', ...go]);
    expect(code).toBe(0);
    expect(error).toBe(
      "The model is gemini-2.5-prp, which is not in the provider's list. Near it: gemini-2.5-pro, gemini-2.5-flash.\n",
    );
    expect(world.server.requests.map(({ method }) => method)).toEqual(['models', 'streamGenerateContent']);
    expect(modelsAsked()[1]).toBe('gemini-2.5-prp');
  });
});
