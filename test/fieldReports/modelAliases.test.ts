import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readModelAliases } from '../../src/extension/platform/settingFiles/modelAliases.ts';
import { eachTest } from '../support/eachTest.ts';
import { text } from '../support/geminiAnswers.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import { fc } from '../support/properties.ts';
import type { WorldCase } from './report.ts';

interface AliasCase extends WorldCase {
  readonly aliases: object;
  /** The model that answers to the name `deep`. */
  readonly model: string;
  readonly report?: string;
}

const named = (model: string) => ({ modelConfig: { model } });

const cases: readonly AliasCase[] = [
  {
    title: 'an alias that the command line names is sent as the model',
    source: 'report',
    aliases: { deep: named('gemini-2.5-flash') },
    model: 'gemini-2.5-flash',
  },
  {
    title: 'an alias has the model of what it extends',
    source: 'service',
    aliases: { deep: { extends: 'middle' }, middle: { extends: 'low' }, low: named('gemini-2.5-flash') },
    model: 'gemini-2.5-flash',
  },
  {
    title: 'an own model wins over that of the base',
    source: 'service',
    aliases: { deep: { extends: 'low', ...named('gemini-2.5-flash-lite') }, low: named('gemini-2.5-flash') },
    model: 'gemini-2.5-flash-lite',
  },
  {
    title: 'a base that is no alias is a model',
    source: 'service',
    aliases: { deep: { extends: 'gemini-2.5-flash' } },
    model: 'gemini-2.5-flash',
  },
  {
    title: 'an alias that only tunes a model leaves its name alone',
    source: 'report',
    aliases: { deep: { modelConfig: { generateContentConfig: { temperature: 0.7 } } } },
    model: 'deep',
    report: 'modelConfigs.customAliases.deep.modelConfig.generateContentConfig.temperature is ignored',
  },
  {
    title: 'aliases that extend each other are reported and left alone',
    source: 'trial',
    aliases: { deep: { extends: 'low' }, low: { extends: 'deep' } },
    model: 'deep',
    report: 'the alias deep is ignored, because it extends itself',
  },
];

describe('aliases of models in settings files', () => {
  const world = eachTest(() => HeadlessWorld.make());

  const run = (...args: readonly string[]) =>
    world.run(args, { env: { HOME: world.home, USERPROFILE: world.home } });
  // A model that is not known is looked up in the provider's list.
  const asked = () => world.server.requests.flatMap(({ model }) => (model === '' ? [] : [model]));
  const write = (settings: object) =>
    writeFile(join(world.home, '.gemini', 'settings.json'), JSON.stringify(settings));

  it.each(cases)('$title', async ({ aliases, model, report = '' }) => {
    await write({ modelConfigs: { customAliases: aliases } });
    world.server.script([text('Done.')]);
    const { error } = await run('--model', 'deep', '--prompt', 'go');
    expect(asked()).toEqual([model]);
    expect(error).toContain(report);
  });

  it('custom ones win, and those of a workspace have no say', async () => {
    await write({
      model: { name: 'deep' },
      modelConfigs: {
        aliases: { deep: named('gemini-2.5-flash') },
        customAliases: { deep: named('gemini-2.5-flash-lite') },
      },
    });
    await mkdir(join(world.workspace, '.gemini'), { recursive: true });
    const theirs = { modelConfigs: { customAliases: { deep: named('gemini-3-pro-preview') } } };
    await writeFile(join(world.workspace, '.gemini', 'settings.json'), JSON.stringify(theirs));
    world.server.script([text('Done.')]);
    const { error } = await run('--prompt', 'go');
    expect(asked()).toEqual(['gemini-2.5-flash-lite']);
    expect(error).toContain('only you can set it');
  });

  it('every alias ends at a name that is no alias with a model, or is reported as circular', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd');
    const entry = fc.record(
      { extends: name, modelConfig: fc.record({ model: fc.constantFrom('x', 'y') }, { requiredKeys: [] }) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.dictionary(name, entry), aliases => {
        const { models, circular } = readModelAliases({ modelConfigs: { customAliases: aliases } });
        for (const each of Object.keys(aliases)) {
          const own = aliases[each]?.modelConfig?.model;
          if (own !== undefined) expect(models[each]).toBe(own);
          if (circular.includes(each)) expect(models[each]).toBeUndefined();
        }
        for (const model of Object.values(models)) expect(aliases[model]?.modelConfig?.model).toBeUndefined();
      }),
    );
  });
});
