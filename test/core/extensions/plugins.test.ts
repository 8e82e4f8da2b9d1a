/* Plugins in the format of Claude Code, and marketplaces of them, over real folders and repositories. */

import { readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hookFilesWith } from '../../../src/extension/compose/extensions.ts';
import { checkPluginSource } from '../../../src/extension/core/commands/extensions/fetchSource.ts';
import { ConsentService } from '../../../src/extension/core/consent/consentService.ts';
import { parseMarketplace } from '../../../src/extension/core/extensions/install/parseMarketplace.ts';
import { Hooks } from '../../../src/extension/core/hooks/hooks.ts';
import { NodeHookProcesses } from '../../../src/extension/node/processes/hookProcess.ts';
import { NodeSettingsDocuments } from '../../../src/extension/node/settings/settingsDocuments.ts';
import { nothingSeen } from '../../support/absentPorts.ts';
import { eachTest } from '../../support/eachTest.ts';
import { git } from '../../support/gitRepository.ts';
import { InstallWorld } from '../../support/installWorld.ts';

const world = eachTest(() => InstallWorld.make());

const plugin = (name: string, more = {}) => ({
  name,
  version: '1.0.0',
  description: `About ${name}`,
  ...more,
});
const server = { command: '${CLAUDE_PLUGIN_ROOT}/serve', args: ['--now'] };
const files = {
  '.claude-plugin/plugin.json': plugin('gulls'),
  'commands/fly.md': '---\ndescription: Flies\n---\nRead ${CLAUDE_PLUGIN_ROOT}/map.md, then fly $1.',
  'agents/scout.md': '---\nname: scout\ndescription: Looks ahead\ntools: Read, Grep\n---\nLook.',
  'skills/dive/SKILL.md': '---\nname: dive\ndescription: How to dive\n---\nDive.',
  'hooks/hooks.json': {
    hooks: {
      PreToolUse: [
        {
          matcher: 'Write|Edit',
          hooks: [{ type: 'command', command: 'sh "${CLAUDE_PLUGIN_ROOT}/check.sh"' }],
        },
      ],
      SessionStart: [{ hooks: [{ type: 'command', command: 'true', timeout: 5 }] }],
    },
  },
  '.mcp.json': { mcpServers: { nest: server } },
};
const installed = (name: string) => join(world.home, '.gemini', 'extensions', name);

describe('a plugin', () => {
  test('is installed as an extension, whose parts count here', async () => {
    const source = await world.write('source', files);
    expect(await world.run(`/extensions install ${source}`)).toEqual([
      'The extension gulls 1.0.0 is installed and active.',
    ]);
    expect(world.asked[0]!.text).toBe(
      [
        'Runs on its own (3 programs):',
        '  hook PreToolUse Write|Edit: sh "${extensionPath}/check.sh"',
        '  hook SessionStart: true',
        '  server nest: ${CLAUDE_PLUGIN_ROOT}/serve --now',
        '',
        'Contains:',
        '  tool mcp_nest_…: of the server nest',
        '  command /fly: Flies',
        '  agent scout: Looks ahead',
        '  skill gulls:dive: How to dive',
      ].join('\n'),
    );
    expect(world.states).toEqual([
      'extension gulls enabled',
      'server nest enabled',
      'command fly enabled',
      'agent scout enabled',
      'skill dive enabled',
    ]);
    const { additions } = world.own;
    expect(additions.problems).toEqual([]);
    expect([...additions.skills.entries.keys()]).toEqual(['gulls:dive']);
    expect(additions.agents.entries.get('scout')).toMatchObject({
      tools: { only: expect.arrayContaining(['read_file']) },
    });
    const [command] = additions.all.of('command');
    expect(command?.text).toContain(`Read ${installed('gulls')}/map.md, then`);
  });

  test('has hooks that follow its own program’s contract, in its folder’s name', async () => {
    await world.run(`/extensions install ${await world.write('source', files)}`);
    const hooks = new Hooks({
      files: hookFilesWith(
        async () => world.own.additions,
        { home: '/nobody', folders: () => world.own.folders },
        new NodeSettingsDocuments(),
      ),
      processes: new NodeHookProcesses(process.env),
      consent: new ConsentService(nothingSeen, () => true),
      notify: () => {},
    });
    await hooks.refresh();
    const all = (await hooks.list()).map(({ hook }) => hook);
    expect(all.map(({ event, dialect, command, timeoutMs }) => [event, dialect, command, timeoutMs])).toEqual(
      [
        ['BeforeTool', 'claude', `sh "${installed('gulls')}/check.sh"`, 60_000],
        ['SessionStart', 'claude', 'true', 5000],
      ],
    );
    expect(all[0]!.env.CLAUDE_PLUGIN_ROOT).toBe(installed('gulls'));
    await hooks.processes.dispose();
  });

  test('says in one sentence each what of it is not taken', async () => {
    const source = await world.write('source', {
      '.claude-plugin/plugin.json': plugin('gulls', {
        commands: './more/',
        agents: ['./agents/'],
        hooks: { SessionStart: [] },
        lspServers: {},
        userConfig: {},
        novelty: 1,
        author: { name: 'A' },
        mcpServers: { nest: server },
        settings: { a: 1 },
      }),
      'bin/tool': '',
      'output-styles/loud.md': '',
    });
    await world.run(`/extensions install ${source}`);
    expect(world.asked[0]!.text.split('Ignored:\n')[1]?.split('\n')).toEqual([
      '  Its output styles (output-styles/) are not read.',
      '  Its programs (bin/) are not added to PATH.',
      '  .claude-plugin/plugin.json: "commands" lists other folders. Folio reads only commands/.',
      '  .claude-plugin/plugin.json: "hooks" is ignored. Put the hooks into hooks/hooks.json.',
      '  .claude-plugin/plugin.json: Its language servers ("lspServers") are not started; install their VS Code extensions instead.',
      '  .claude-plugin/plugin.json: Folio does not ask for its values ("userConfig"). Set them as environment variables.',
      '  .claude-plugin/plugin.json: "novelty" has no effect here.',
      '  .claude-plugin/plugin.json: "settings" has no effect here.',
    ]);
    expect(world.states).toContain('server nest enabled');
    expect(world.own.additions.problems).toHaveLength(6);
  });

  test('yields to the manifest of an extension beside it', async () => {
    const source = await world.write('source', { ...files, 'gemini-extension.json': { name: 'terns' } });
    await world.run(`/extensions install ${source}`);
    expect(world.states).toEqual(['extension terns enabled', 'agent scout enabled', 'skill dive enabled']);
  });
});

const market = (plugins: readonly unknown[], more = {}) => ({
  '.claude-plugin/marketplace.json': { name: 'harbour', owner: { name: 'A' }, plugins, ...more },
});

describe('a marketplace', () => {
  test('is added, listed, installed from and removed', async () => {
    const elsewhere = await world.publish('far', {
      'plugins/terns/.claude-plugin/plugin.json': plugin('terns'),
    });
    const source = await world.publish('market', {
      ...market(
        [
          { name: 'gulls', source: './plugins/gulls', description: 'Fly' },
          { name: 'bare', source: 'bare', version: '3', description: 'Has no manifest' },
          {
            name: 'terns',
            source: { source: 'git-subdir', url: `file://${elsewhere}`, path: 'plugins/terns' },
          },
          { name: 'boxed', source: { source: 'npm', package: 'x' } },
          { name: '../evil', source: './plugins/gulls' },
        ],
        { metadata: { pluginRoot: './plugins' } },
      ),
      ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`plugins/gulls/${name}`, text])),
      'plugins/bare/commands/hop.md': 'Hop.',
    });
    expect(await world.run('/extensions market')).toEqual([
      'Marketplaces',
      expect.stringContaining('There are no'),
    ]);
    expect(await world.run(`/extensions market add file://${source}`)).toEqual([
      'The marketplace harbour is added, with 4 plugins. /extensions market list harbour shows them.',
    ]);
    expect(await world.run('/extensions market list')).toEqual([
      'Marketplaces',
      `# Marketplaces\n\n- \`harbour\`: file://${source}\n`,
    ]);
    expect(await world.run('/extensions market list harbour')).toEqual([
      'Plugins',
      '# Plugins of harbour\n\n- `gulls@harbour`: Fly\n- `bare@harbour`: Has no manifest\n- `terns@harbour`: \n- `boxed@harbour`: \n',
    ]);
    await world.run('/extensions install gulls@harbour');
    await world.run('/extensions install bare@harbour');
    await world.run('/extensions install terns@harbour');
    expect(world.states).toEqual(
      expect.arrayContaining(['extension gulls enabled', 'command hop enabled', 'extension terns enabled']),
    );
    const note = JSON.parse(
      await readFile(join(installed('gulls'), '.gemini-extension-install.json'), 'utf8'),
    );
    const commit = (await git(world.path('market'), 'rev-parse', 'HEAD')).trim();
    expect(note).toMatchObject({
      source: `file://${source}`,
      type: 'git',
      commit,
      plugin: 'gulls',
      market: 'harbour',
    });
    expect(await world.run('/extensions install boxed@harbour')).toEqual([
      'Folio cannot install from a source of type "npm". Install it from its folder or repository.',
    ]);
    expect(await world.run('/extensions install none@harbour')).toEqual([
      'The marketplace harbour has no plugin none. It has gulls, bare, terns, boxed.',
    ]);
    await world.publish('market', { 'plugins/gulls/commands/land.md': 'Land.' });
    expect((await world.run('/extensions update gulls')).at(-1)).toBe(
      'The extension gulls was updated: 1 file changed.',
    );
    expect(await world.run('/extensions market remove harbour')).toEqual([
      'The marketplace harbour is removed. What was installed from it stays.',
    ]);
    expect(await world.run('/extensions update gulls')).toEqual([
      'The extension gulls was not updated. There is no marketplace harbour. Add it with /extensions market add SOURCE.',
    ]);
    expect(await readdir(join(world.home, '.gemini', 'extensions'))).toEqual(['bare', 'gulls', 'terns']);
  });

  test('leads to no folder beside it, and to no transport', async () => {
    await world.write('secret', files);
    const source = await world.write('market', {
      ...market([
        { name: 'up', source: '../secret' },
        { name: 'whole', source: world.path('secret') },
        { name: 'linked', source: './link' },
        { name: 'none', source: './none' },
        { name: 'run', source: { source: 'url', url: 'ext::sh -c touch% ran' } },
        { name: 'option', source: { source: 'url', url: '--upload-pack=x' } },
        { name: 'ref', source: { source: 'url', url: 'https://host/x.git', ref: '--upload-pack=x' } },
      ]),
    });
    await symlink('../secret', join(source, 'link'));
    await world.run(`/extensions market add ${source}`);
    const sentences: Readonly<Record<string, string>> = {
      up: 'leads outside it',
      whole: 'There is no folder',
      linked: 'leads outside it',
      none: 'There is no folder',
      run: 'would make Git run a program',
      option: 'is not a folder or an address',
      ref: 'is not a branch',
    };
    for (const [name, sentence] of Object.entries(sentences))
      expect((await world.run(`/extensions install ${name}@harbour`)).join()).toContain(sentence);
    expect(world.asked).toEqual([]);
    expect(await readdir(join(world.home, '.gemini', 'extensions'))).toEqual([]);
  });

  test('from elsewhere names nothing of this machine, and a commit before a branch', () => {
    const source = (from: unknown) => {
      const parsed = parseMarketplace({ name: 'x', plugins: [7, { name: 'a', source: from }] });
      return typeof parsed === 'string'
        ? []
        : parsed.plugins.map(each => checkPluginSource(each, 'elsewhere'));
    };
    const refused = 'The marketplace gives a path on this computer. Folio does not read it.';
    expect(() => source({ source: 'url', url: 'file:///home/me/x' })).toThrow(refused);
    expect(() => source({ source: 'url', url: '/home/me/x' })).toThrow(refused);
    expect(source({ source: 'github', repo: 'o/r', sha: 'abc', ref: 'v1' })).toMatchObject([
      { kind: 'git', address: 'https://github.com/o/r.git', ref: 'abc' },
    ]);
  });

  test.each([
    ['no list', {}, 'It contains no .claude-plugin/marketplace.json.'],
    [
      'a list that is none',
      { '.claude-plugin/marketplace.json': [] },
      'The list of plugins contains no object.',
    ],
    [
      'no plugins',
      { '.claude-plugin/marketplace.json': { name: 'x' } },
      'The list of plugins has no list of "plugins".',
    ],
    [
      'a name with a path',
      { '.claude-plugin/marketplace.json': { name: '../x', plugins: [] } },
      'has the name "../x", which is not valid',
    ],
    ['50 MB', { '.claude-plugin/marketplace.json': 'x'.repeat(50_000_000) }, 'is too long to be used'],
  ])('with %s is not added', async (_what, content, sentence) => {
    const source = await world.write('market', { 'README.md': '', ...content });
    expect((await world.run(`/extensions market add ${source}`)).join()).toContain(sentence);
    expect((await world.run('/extensions market list')).join()).toContain('There are no marketplaces');
  });
});
