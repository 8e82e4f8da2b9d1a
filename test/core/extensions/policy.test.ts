import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { policyFilesWith } from '../../../src/extension/compose/extensions.ts';
import { withExcludedTools } from '../../../src/extension/core/extensions/excludedTools.ts';
import type { Extension } from '../../../src/extension/core/extensions/extensions.ts';
import { NodeSettingsDocuments } from '../../../src/extension/node/settings/settingsDocuments.ts';
import { ExtensionWorld } from '../../support/extensionWorld.ts';
import { PolicyWorld, reasonOf } from '../../support/policyWorld.ts';

let world: PolicyWorld | undefined;
let home: ExtensionWorld | undefined;
afterEach(async () => {
  await world?.dispose();
  await home?.dispose();
});

test('a tool that an extension excludes is denied in every mode and whatever allows it, until the extension is gone', async () => {
  const folder = join('/home', 'tides');
  const excluding: Extension = {
    env: {},
    secrets: [],
    manifest: {
      name: 'tides',
      folder,
      home: folder,
      path: join(folder, 'gemini-extension.json'),
      isOfWorkspace: false,
      contextFiles: [],
      settings: [],
      excludeTools: ['web_fetch', 'run_shell_command(git push)'],
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
  expect(reasonOf(fetched)).toContain('disabled by the extension tides');
  expect((await world.run('git push -f', 'yolo')).kind).toBe('deny');
  expect((await world.run('git fetch && git push', 'yolo')).kind).toBe('deny');
  expect((await world.run('git fetch', 'yolo')).kind).toBe('allow');
  expect((await world.edit('a.ts', 'yolo')).kind).toBe('allow');
  extensions = [];
  await world.policy.refresh();
  expect((await world.fetch('https://a.b', 'yolo')).kind).toBe('allow');
});

describe('the rules of an extension', () => {
  /** @param rules of the extension. @param mine of the user. @param team of the workspace, which were seen */
  async function install(rules: string, mine = '', team = ''): Promise<PolicyWorld> {
    const own = await ExtensionWorld.make();
    home = own;
    await own.install('tides', {}, { 'policies/tides.toml': rules });
    world = await PolicyWorld.make({
      files: { 'home/.folio/policies/mine.toml': mine, 'workspace/.folio/policies/team.toml': team },
      around: (_files, places) => policyFilesWith(own.additions, places, new NodeSettingsDocuments()),
    });
    const unseen = await world.policy.findUnseen();
    if (unseen) await world.policy.accept(unseen);
    return world;
  }

  const rule = (decision: string, more = '') =>
    `[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "npm"\ndecision = "${decision}"\npriority = 500\n${more}\n`;
  const kind = async (command: string, mode?: 'default' | 'plan' | 'yolo') =>
    (await world!.run(command, mode)).kind;

  test('forbid and ask in every mode, also beside others, and say where they stand', async () => {
    const asks = rule('ask_user').replace('npm', 'ls');
    await install(rule('deny', 'denyMessage = "Use the tide."') + asks);
    const denied = await world!.run('npm test', 'yolo');
    expect(denied.kind).toBe('deny');
    expect(reasonOf(denied)).toMatch(/^Use the tide\. \(.*tides[\\/]policies[\\/]tides\.toml, line 1\)$/);
    expect([await kind('npm test'), await kind('ls'), await kind('ls', 'yolo')]).toEqual([
      'deny',
      'ask',
      'ask',
    ]);
    expect(world!.reported).toEqual([]);
  });

  test.each([
    ['allow', rule('allow'), /line 1: an extension cannot have "allow" rules\. The rule is ignored\.$/],
    [
      'are about the mode that allows all',
      rule('deny', 'modes = ["default", "yolo"]'),
      /line 1: an extension cannot set rules for the mode that allows everything\. The rule is ignored\.$/,
    ],
    ['allow by a condition', rule('allow', 'subagent = "x"'), /cannot have "allow" rules/],
    [
      'allow with a slip',
      rule('allow', 'wish = 1'),
      /"wish" is not a key of a rule\. The rule is ignored\.$/,
    ],
  ])('that %s are refused with a sentence, and the others count', async (_what, refused, sentence) => {
    await install(refused + rule('deny').replace('npm', 'touch'));
    expect([await kind('npm test'), await kind('npm test', 'yolo')]).toEqual(['ask', 'allow']);
    expect(await kind('touch a')).toBe('deny');
    expect(world!.reported).toEqual([expect.stringMatching(sentence)]);
  });

  test('that ask do not open what is denied without them', async () => {
    await install(rule('ask_user'));
    expect(await kind('npm test', 'plan')).toBe('deny');
    await world!.dispose();
    await home!.dispose();
    await install(rule('ask_user'), '', rule('deny'));
    expect(await kind('npm test')).toBe('deny');
  });

  test('yield to what the user wrote, and a denial to nothing that the workspace says', async () => {
    await install(rule('deny'), rule('allow'));
    expect(await kind('npm test')).toBe('allow');
    await world!.dispose();
    await home!.dispose();
    await install(rule('deny'), '', rule('allow'));
    expect(await kind('npm test')).toBe('deny');
  });

  test('go when it is switched off, and a file that is no TOML asks for everything that acts', async () => {
    await install('[[rule');
    expect([await kind('touch a', 'yolo'), await kind('touch a', 'plan')]).toEqual(['ask', 'deny']);
    expect(world!.reported).toEqual([
      expect.stringContaining('Until you correct it, Folio asks before every action.'),
    ]);
    home!.disabled = ['tides'];
    await home!.additions.refresh();
    await world!.policy.refresh();
    expect(await kind('touch a', 'yolo')).toBe('allow');
  });
});
