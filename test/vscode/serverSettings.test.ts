import { describe, expect, test } from 'vitest';
import { ConsentService } from '../../src/extension/core/consent/consentService.ts';
import { Customizations } from '../../src/extension/core/customizations/customizations.ts';
import type { CustomFile, CustomFiles } from '../../src/extension/platform/customizations/customFiles.ts';
import {
  ServerSettings,
  type ServerSettingValues,
  userSettingsPath,
} from '../../src/extension/vscode/serverSettings.ts';
import { decideOnAll, MemorySeen } from '../support/consent.ts';

const path = '/code/.vscode/settings.json';
const server = (command: string) => ({ box: { command } });

function open(values: Partial<ServerSettingValues>, files: readonly CustomFile[] = []) {
  const world = { trusted: true };
  const inner: CustomFiles = {
    read: async trusted => files.filter(({ origin }) => trusted || origin.kind !== 'workspace'),
    digest: async command => `digest of ${command}`,
  };
  const settings = { user: undefined, workspace: undefined, workspacePath: path, ...values };
  const custom = new ServerSettings(inner, () => settings);
  const all = new Customizations({
    files: custom,
    consent: new ConsentService(new MemorySeen(), () => world.trusted),
    disabled: () => [],
  });
  const states = async () => {
    await all.refresh();
    return all.list.map(({ item, state }) => `${item.origin.kind} ${item.detail} ${item.path} ${state}`);
  };
  return { all, states, world, settings, custom };
}

const file = (origin: 'person' | 'workspace'): CustomFile => ({
  kind: 'settings',
  name: 'settings',
  origin: { kind: origin },
  path: `/${origin}/settings.json`,
  text: '',
  content: { mcpServers: server(`${origin}-file`) },
});

describe('servers in VS Code’s settings', () => {
  test('count at once as the user’s own, and of a workspace once they were seen', async () => {
    const { all, states, settings } = open({ user: server('mine'), workspace: server('theirs') });
    expect(await states()).toEqual([
      `person mine ${userSettingsPath} enabled`,
      `workspace theirs ${path} waiting`,
    ]);
    await decideOnAll(all.consent, 'allowed');
    expect(all.of('server')).toHaveLength(2);
    settings.workspace = server('other');
    expect(await states()).toContain(`workspace other ${path} waiting`);
  });

  test('of a workspace that is not trusted are not there', async () => {
    const { states, world } = open({ user: server('mine'), workspace: server('theirs') });
    world.trusted = false;
    expect(await states()).toEqual([`person mine ${userSettingsPath} enabled`]);
  });

  test('come behind the files of the same owner, so that they win, and before those of the workspace', async () => {
    const values = { user: server('mine'), workspace: server('theirs') };
    const { states } = open(values, [file('person'), file('workspace')]);
    expect((await states()).map(each => each.split(' ')[1])).toEqual([
      'person-file',
      'mine',
      'workspace-file',
      'theirs',
    ]);
  });

  test('that are no object are one sentence', async () => {
    const { all } = open({ user: ['box'] });
    await all.refresh();
    expect([all.list, all.problems]).toEqual([[], [`The servers of ${userSettingsPath} are not an object.`]]);
  });

  test('leave the digest of scripts to the files', async () => {
    expect(await open({}).custom.digest('node x.js')).toBe('digest of node x.js');
  });
});
