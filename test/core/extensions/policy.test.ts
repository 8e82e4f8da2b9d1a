import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { withExcludedTools } from '../../../src/extension/core/extensions/excludedTools.ts';
import type { Extension } from '../../../src/extension/core/extensions/extensions.ts';
import { PolicyWorld, reasonOf } from '../../support/policyWorld.ts';

let world: PolicyWorld | undefined;
afterEach(() => world?.dispose());

test('a tool that an extension excludes is denied in every mode and whatever allows it, until the extension is gone', async () => {
  const folder = join('/home', 'tides');
  const excluding: Extension = {
    env: {},
    manifest: {
      ...{ name: 'tides', folder, path: join(folder, 'gemini-extension.json') },
      ...{ contextFiles: [], settings: [], excludeTools: ['web_fetch', 'run_shell_command(git push)'] },
    },
  };
  let extensions: readonly Extension[] = [excluding];
  world = await PolicyWorld.make({
    files: {
      'home/.gemini/settings.json': JSON.stringify({
        tools: { allowed: ['web_fetch', 'run_shell_command(git)'] },
      }),
    },
    around: files => withExcludedTools(files, () => extensions),
  });
  const fetched = await world.fetch('https://a.b', 'yolo');
  expect(fetched.kind).toBe('deny');
  expect(reasonOf(fetched)).toContain('switched off by the extension tides');
  expect((await world.run('git push -f', 'yolo')).kind).toBe('deny');
  expect((await world.run('git fetch && git push', 'yolo')).kind).toBe('deny');
  expect((await world.run('git fetch', 'yolo')).kind).toBe('allow');
  expect((await world.edit('a.ts', 'yolo')).kind).toBe('allow');
  extensions = [];
  await world.policy.refresh();
  expect((await world.fetch('https://a.b', 'yolo')).kind).toBe('allow');
});
