/* Hooks of extensions as real processes. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hookFilesWith } from '../../../src/extension/compose/extensions.ts';
import { ConsentService } from '../../../src/extension/core/consent/consentService.ts';
import { HookRuns } from '../../../src/extension/core/hooks/hookRuns.ts';
import { Hooks } from '../../../src/extension/core/hooks/hooks.ts';
import { NodeHookProcesses } from '../../../src/extension/node/processes/hookProcess.ts';
import { SeenItemsFile } from '../../../src/extension/node/settings/seenItemsFile.ts';
import { NodeSettingsDocuments } from '../../../src/extension/node/settings/settingsDocuments.ts';
import { SystemClock } from '../../../src/extension/node/systemClock.ts';
import type { SessionEventBody } from '../../../src/protocol/events.ts';
import { eachTest } from '../../support/eachTest.ts';
import { ExtensionWorld } from '../../support/extensionWorld.ts';
import { oneHook } from '../../support/hookWorld.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';

describe.skipIf(process.platform === 'win32')('hooks of extensions', () => {
  const world = eachTest(() => ExtensionWorld.make());
  let hooks: Hooks;
  let reported: string[];
  let events: SessionEventBody[];
  beforeEach(async () => {
    reported = [];
    events = [];
    hooks = new Hooks({
      files: hookFilesWith(
        async () => world.additions,
        { home: join(world.root, 'home'), folders: () => [join(world.root, 'work')] },
        new NodeSettingsDocuments(),
      ),
      processes: new NodeHookProcesses(process.env),
      consent: new ConsentService(new SeenItemsFile(join(world.root, 'seen.txt')), () => true),
      notify: sentence => void reported.push(sentence),
    });
  });
  afterEach(async () => {
    await hooks.processes.dispose();
  });

  async function run(): Promise<void> {
    await hooks.refresh();
    const clock = new SystemClock();
    const cwd = join(world.root, 'work');
    const changes = {
      filesOf: () => Object.assign(new MemoryFileSystem(), { found: async () => {} }),
      watch: async <T>(_call: unknown, work: () => Promise<T>) => ({ result: await work() }),
    };
    const place = { hooks, sessionId: 's', transcript: '', plans: '', clock, cwd, changes };
    const runs = new HookRuns(place, event => void events.push(event));
    await runs.run({ event: 'BeforeAgent', fields: {}, signal: new AbortController().signal });
  }

  const printed = () => readFile(join(world.root, 'work', 'printed'), 'utf8').catch(() => 'nothing');
  const script = 'echo "$0 $TIDE_PORT" >> printed';

  test('run as the user’s own, from their folder, with what was set for them', async () => {
    const hook = oneHook('BeforeAgent', 'sh ${extensionPath}${/}hooks${/}tide.sh');
    const files = {
      'hooks/hooks.json': JSON.stringify(hook),
      'hooks/tide.sh': script,
      '.env': 'TIDE_PORT=7',
    };
    await world.install('tides', { settings: [{ envVar: 'TIDE_PORT' }] }, files);
    const other = oneHook('BeforeAgent', 'echo "other ${TIDE_PORT-unset}" >> printed', {});
    await world.install('other', {}, { 'hooks/hooks.json': JSON.stringify(other) });
    await run();
    const lines = (await printed()).trim().split('\n').sort();
    expect(lines).toEqual([`${join(world.folderOf('tides'), 'hooks/tide.sh')} 7`, 'other unset']);
  });

  test('print what is set for them, and neither a journal nor the panel shows it', async () => {
    const hook = oneHook('BeforeAgent', 'echo "I use $TIDE_KEY"; echo "and $TIDE_KEY" >&2; exit 1');
    await world.install(
      'tides',
      { settings: [{ envVar: 'TIDE_KEY', sensitive: true }] },
      { 'hooks/hooks.json': JSON.stringify(hook), '.env': 'TIDE_KEY=tide-4711-low-water' },
    );
    await run();
    const shown = JSON.stringify(events);
    expect(shown).toContain('I use [masked]');
    expect(shown).not.toContain('tide-4711');
  });

  test('find a folder whose name a shell could read as a command, and run nothing of it', async () => {
    const name = 'ti$(touch hacked)des';
    const hook = oneHook('BeforeAgent', 'sh "${extensionPath}/tide.sh"; echo "${workspacePath}" >> printed');
    await world.install(name, {}, { 'hooks/hooks.json': JSON.stringify(hook), 'tide.sh': script });
    await run();
    expect(await printed()).toBe(`${join(world.folderOf(name), 'tide.sh')} \n${join(world.root, 'work')}\n`);
    await expect(readFile(join(world.root, 'work', 'hacked'))).rejects.toThrow('ENOENT');
  });

  test('of two extensions run both, also when their words are the same', async () => {
    const hook = oneHook('BeforeAgent', 'sh "$extensionPath/tide.sh"');
    const files = { 'hooks/hooks.json': JSON.stringify(hook), 'tide.sh': script };
    for (const name of ['one', 'two']) await world.install(name, {}, files);
    await run();
    expect((await printed()).trim().split('\n')).toHaveLength(2);
  });

  test('do not run while the extension is switched off', async () => {
    const hook = oneHook('BeforeAgent', 'echo ran >> printed');
    await world.install('tides', {}, { 'hooks/hooks.json': JSON.stringify(hook) });
    world.disabled = ['tides'];
    await run();
    expect(await printed()).toBe('nothing');
    world.disabled = [];
    await run();
    expect(await printed()).toBe('ran\n');
  });

  test.each([
    ['switches all off', { hooksConfig: { enabled: false }, disableAllHooks: true }],
    ['names those of others', { hooksConfig: { disabled: ['echo mine >> printed'] } }],
    ['does so in the old way', { hooks: { enabled: false, disabled: ['echo mine >> printed'] } }],
    ['is damaged', { hooks: [] }],
    ['is no JSON', '{ "hooks": '],
  ])('of the user run on where the file of an extension %s', async (_what, content) => {
    await mkdir(join(world.root, 'home', '.gemini'), { recursive: true });
    await writeFile(
      join(world.root, 'home', '.gemini', 'settings.json'),
      JSON.stringify(oneHook('BeforeAgent', 'echo mine >> printed')),
    );
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    await world.install('tides', {}, { 'hooks/hooks.json': text });
    await run();
    expect(await printed()).toBe('mine\n');
    expect(hooks.notifications).toBe(true);
  });

  test('that cannot be used are one sentence', async () => {
    await world.install('tides', {}, { 'hooks/hooks.json': '{ "hooks": ' });
    await hooks.refresh();
    const path = join(world.folderOf('tides'), 'hooks', 'hooks.json');
    expect(reported).toEqual([expect.stringMatching(`^The hooks of ${path} cannot be read`)]);
  });
});
