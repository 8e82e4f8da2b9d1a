/* `/extensions` over real folders and real repositories. */

import { access, mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { eachTest } from '../../support/eachTest.ts';
import { git } from '../../support/gitRepository.ts';
import { InstallWorld } from '../../support/installWorld.ts';

const world = eachTest(() => InstallWorld.make());

const manifest = {
  name: 'tides',
  version: '1.0.0',
  mcpServers: { tide: { command: 'node', args: ['tide.js'] } },
};
const hook = (command: string) => ({ hooks: { BeforeAgent: [{ hooks: [{ type: 'command', command }] }] } });
const files = {
  'gemini-extension.json': manifest,
  'commands/ebb.toml': 'description = "Tells the ebb"\nprompt = "Tell it"',
  'agents/gull.md': '---\nname: gull\ndescription: Flies out\n---\nFly.',
  'skills/swim/SKILL.md': '---\nname: swim\ndescription: How to swim\n---\nSwim.',
  'hooks/hooks.json': hook('sh ${extensionPath}/ran.sh'),
  'ran.sh': 'touch "$HOME/ran"',
  'GEMINI.md': 'Tides come twice a day.',
  'policies/rules.toml': '',
};

const installed = (name: string) => join(world.home, '.gemini', 'extensions', name);
const readNote = async (name = 'tides') =>
  JSON.parse(await readFile(join(installed(name), '.gemini-extension-install.json'), 'utf8'));

describe('names of what an extension brings', () => {
  const clashing = {
    ...files,
    'hooks/hooks.json': {},
    'commands/help.toml': 'prompt = "Help"',
    'agents/flies.md': '---\nname: codebase_investigator\ndescription: Flies\n---\nFly.',
    'skills/swim/SKILL.md': '---\nname: Sea Swim\ndescription: How to swim\n---\nSwim.',
  };

  test('are those that will count, before it is installed and in the list', async () => {
    await mkdir(join(world.home, '.gemini', 'commands'), { recursive: true });
    await writeFile(join(world.home, '.gemini', 'commands', 'ebb.toml'), 'prompt = "Mine"');
    await mkdir(join(world.home, '.gemini', 'agents'), { recursive: true });
    await writeFile(
      join(world.home, '.gemini', 'agents', 'gull.md'),
      '---\nname: gull\ndescription: Mine\n---\nMine.',
    );
    await world.run('/commands reload');
    const source = await world.write('source', clashing);
    await world.run(`/extensions install "${source}"`);
    const names = ['command /tides:ebb', 'command /tides:help', 'skill tides:Sea-Swim'];
    const agents = ['agent tides:gull', 'agent tides:codebase_investigator'];
    for (const each of [...names, ...agents]) expect(world.asked[0]!.text).toContain(`  ${each}: `);
    const listed = (await world.run('/extensions list')).join('\n');
    expect(listed).toContain('commands: /tides:ebb, /tides:help');
    expect(listed).toContain('agents: tides:codebase_investigator, tides:gull · skills: tides:Sea-Swim');
  });

  test('include those of its servers’ tools, before a server ran', async () => {
    const mine = { mcpServers: { moon: { command: 'node', args: ['mine.js'] } } };
    await world.write('home/.gemini', { 'settings.json': mine });
    const includeTools = ['ebb', 'flood.now', 'spring(height)'];
    const mcpServers = {
      tide: { command: 'node', args: ['tide.js'], includeTools, excludeTools: ['ebb'] },
      'sea chart': { command: 'node', args: ['chart.js'] },
      moon: { command: 'node', args: ['moon.js'] },
    };
    const source = await world.write('source', { 'gemini-extension.json': { ...manifest, mcpServers } });
    await world.run(`/extensions install "${source}"`);
    expect(world.asked[0]!.text.split('\n')).toEqual(
      expect.arrayContaining([
        '  tool mcp_tide_flood_now, mcp_tide_spring: of the server tide',
        '  tool mcp_sea_chart_…: of the server sea chart',
        '  tool (moon): ignored: another server has this name, or the entry includes no tools',
      ]),
    );
    const listed = (await world.run('/extensions list')).join('\n');
    expect(listed.replaceAll('\\', '')).toContain(
      'servers: tide (mcp_tide_flood_now, mcp_tide_spring), sea chart (mcp_sea_chart_…), moon',
    );
    expect(listed).not.toContain('mcp_moon');
  });
});

describe('installing', () => {
  test('copies a folder once the user agreed to all that it brings, which runs nothing', async () => {
    const source = await world.write('source', { ...files, '.env': 'SECRET=1' });
    const said = await world.run(`/extensions install "${source}"`);
    expect(said).toEqual(['The extension tides 1.0.0 is installed and active.']);
    expect(world.asked).toEqual([
      {
        sentence: `Install the extension tides 1.0.0 from ${source}?`,
        text: [
          'Runs on its own (2 programs):',
          '  hook BeforeAgent: sh ${extensionPath}/ran.sh',
          '  server tide: node tide.js',
          '',
          'Contains:',
          '  tool mcp_tide_…: of the server tide',
          '  command /ebb: Tells the ebb',
          '  agent gull: Flies out',
          '  skill tides:swim: How to swim',
          '  memory GEMINI.md: goes into every prompt',
          '  rules rules.toml: rules that deny or ask',
        ].join('\n'),
        button: 'Install',
      },
    ]);
    expect(world.states).toContain('command ebb enabled');
    expect(await readNote()).toEqual({ source, type: 'local', digest: expect.any(String) });
    await expect(access(join(world.home, 'ran'))).rejects.toThrow();
    await expect(access(join(installed('tides'), '.env'))).rejects.toThrow();
    expect(await readdir(join(world.home, '.gemini', 'extensions'))).toEqual(['tides']);
  });

  test('is nothing without the user’s word, which nobody is there to give without a window', async () => {
    const source = await world.write('source', files);
    world.answer = 'no';
    expect(await world.run(`/extensions install ${source}`)).toEqual([
      'The extension tides was not installed.',
    ]);
    world.answer = 'nobody';
    expect(await world.run(`/extensions install ${source}`)).toEqual([
      'The extension tides was not installed. Check what this means, then send the same again with --yes at the end.',
    ]);
    expect(await readdir(join(world.home, '.gemini', 'extensions'))).toEqual([]);
    expect(await world.run(`/extensions install ${source} --yes`)).toEqual([
      'Agreed in advance',
      expect.stringContaining('server tide: node tide.js'),
      'The extension tides 1.0.0 is installed and active.',
    ]);
    expect(world.asked).toHaveLength(2);
  });

  test('takes a state of a repository, whose commit is noted', async () => {
    const bare = await world.publish('tides', files);
    await git(world.path('tides'), 'tag', 'v1');
    const commit = (await git(world.path('tides'), 'rev-parse', 'HEAD')).trim();
    await world.publish('tides', { 'gemini-extension.json': { ...manifest, version: '2.0.0' } });
    await world.run(`/extensions install file://${bare} --ref v1`);
    expect(world.asked[0]!.sentence).toContain('tides 1.0.0');
    expect(await readNote()).toMatchObject({ source: `file://${bare}`, type: 'git', ref: 'v1', commit });
    await expect(access(join(installed('tides'), '.git'))).rejects.toThrow();
    await world.run('/extensions remove tides');
    await world.run(`/extensions install ${bare} --ref ${commit}`);
    expect(await readNote()).toMatchObject({ source: bare, type: 'git', commit });
    await world.run('/extensions remove tides');
    await world.run(`/extensions install ${bare}`);
    expect(world.asked.at(-1)!.sentence).toContain('tides 2.0.0');
  });

  test('runs no filter of the user’s settings, whatever the attributes of the repository name', async () => {
    const bare = await world.publish('tides', { ...files, '.gitattributes': '*.sh filter=trap' });
    const config = join(world.own.root, 'gitconfig');
    const mark = join(world.own.root, 'ran');
    await writeFile(config, `[filter "trap"]\n\tsmudge = touch ${mark}; cat\n`);
    vi.stubEnv('GIT_CONFIG_GLOBAL', config);
    try {
      await world.run(`/extensions install ${bare}`);
    } finally {
      vi.unstubAllEnvs();
    }
    expect(world.states).toContain('extension tides enabled');
    await expect(access(mark)).rejects.toThrow();
  });

  test('clears away what a killed process left a day ago, but no earlier state of an extension', async () => {
    const root = join(world.home, '.gemini', 'extensions');
    await Promise.all(
      ['.new-a/repository', '.new-b/old', '.new-c'].map(name => mkdir(join(root, name), { recursive: true })),
    );
    for (const name of ['.new-a', '.new-b']) await utimes(join(root, name), 1, 1);
    await world.run(`/extensions install ${await world.write('source', files)}`);
    expect((await readdir(root)).sort()).toEqual(['.new-b', '.new-c', 'tides']);
    expect((await world.folders.list()).map(({ name }) => name)).toEqual(['tides']);
    expect(world.own.additions.problems).toEqual([]);
  });

  test('refuses a second one of that name', async () => {
    await world.run(`/extensions install ${await world.write('source', files)}`);
    const other = await world.write('other', { 'gemini-extension.json': { name: 'TIDES' } });
    expect(await world.run(`/extensions install ${other}`)).toEqual([
      'An extension tides is installed already. Use /extensions update tides, or remove it first.',
    ]);
  });
});

describe('updating', () => {
  test('changes texts with a word about it, and keeps the .env', async () => {
    const bare = await world.publish('tides', files);
    await world.run(`/extensions install ${bare}`);
    await writeFile(join(installed('tides'), '.env'), 'TIDE_KEY=1\n');
    expect(await world.run('/extensions update tides')).toEqual(['The extension tides is up to date.']);
    await world.publish('tides', { 'commands/flood.toml': 'prompt = "Flood"' });
    expect(await world.run('/extensions update')).toEqual([
      'Update of an extension',
      expect.stringContaining('New:\n  command /flood:'),
      'The extension tides was updated: 1 file changed.',
    ]);
    expect(world.asked).toHaveLength(1);
    expect(world.states).toContain('command flood enabled');
    expect(await readFile(join(installed('tides'), '.env'), 'utf8')).toBe('TIDE_KEY=1\n');
    const commit = (await git(world.path('tides'), 'rev-parse', 'HEAD')).trim();
    expect(await readNote()).toMatchObject({ commit });
  });

  test.each([
    ['a new hook', { 'hooks/hooks.json': hook('curl evil') }, 'New:\n  hook BeforeAgent: curl evil'],
    [
      'a server that starts otherwise',
      { 'gemini-extension.json': { ...manifest, mcpServers: { tide: { command: 'evil' } } } },
      'Changed:\n  server tide: evil',
    ],
    ['a script that a hook runs', { 'ran.sh': 'evil' }, 'Files (1):\n  ran.sh'],
  ])('asks again for %s, and changes nothing without a yes', async (_what, change, text) => {
    const bare = await world.publish('tides', files);
    await world.run(`/extensions install ${bare}`);
    await world.publish('tides', change);
    world.answer = 'no';
    expect(await world.run('/extensions update tides')).toEqual(['The extension tides was not updated.']);
    expect(world.asked.at(-1)!.text).toContain(text);
    expect(await readFile(join(installed('tides'), 'ran.sh'), 'utf8')).toBe(files['ran.sh']);
    world.answer = 'yes';
    await world.run('/extensions update tides');
    expect(await world.run('/extensions update tides')).toEqual([expect.stringContaining('up to date')]);
  });

  test('does not take another extension for this one, nor one of which no source is known', async () => {
    const source = await world.write('source', files);
    await world.run(`/extensions install ${source}`);
    await world.write('source', { 'gemini-extension.json': { name: 'other' } });
    expect(await world.run('/extensions update tides')).toEqual([
      'The extension tides was not updated. It is now named other in its source. Remove tides, then install other.',
    ]);
    await world.own.install('byhand', {});
    expect(await world.run('/extensions update byhand')).toEqual([
      'The source of the extension byhand is unknown. Remove the extension, then install it from its source.',
    ]);
    expect(await world.run('/extensions update none')).toEqual([
      'The extension none is not installed. /extensions list shows all installed extensions.',
    ]);
  });
});

describe('switching and removing', () => {
  beforeEach(async () => {
    await world.run(`/extensions install ${await world.write('source', files)}`);
  });

  test('holds everywhere or in one workspace', async () => {
    const other = world.path('other');
    await world.run('/extensions disable tides --workspace');
    expect(world.states).toContain('extension tides disabled');
    world.own.folders = [other];
    await world.own.additions.refresh();
    expect(world.states).toContain('command ebb enabled');
    await world.run('/extensions disable tides');
    expect(world.states).toContain('command ebb disabled');
    await world.run('/extensions enable tides --workspace');
    expect(world.states).toContain('command ebb enabled');
    world.own.folders = [world.path('work')];
    await world.own.additions.refresh();
    expect(world.states).toContain('command ebb disabled');
    expect(await world.run('/extensions enable tides')).toEqual([
      'The extension tides is enabled everywhere.',
    ]);
    expect(world.states).toContain('command ebb enabled');
  });

  test('says so where a setting still switches it off', async () => {
    world.own.disabled = ['tides'];
    expect(await world.run('/extensions enable tides')).toEqual([
      'The extension tides is still disabled by the setting folio.disabled. Remove it from that setting in ~/.gemini/settings.json.',
    ]);
  });

  test('heeds what another program wrote, and keeps what it says of others', async () => {
    const path = join(world.home, '.gemini', 'extensions', 'extension-enablement.json');
    const others = { overrides: ['!/a/*'] };
    await writeFile(path, JSON.stringify({ others, tides: { overrides: [`!${world.own.root}/*`] } }));
    await world.own.additions.refresh();
    expect(world.states).toContain('extension tides disabled');
    await world.run('/extensions remove tides');
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ others });
  });

  test('removes the folder, once the user agreed', async () => {
    world.answer = 'no';
    expect(await world.run('/extensions remove tides')).toEqual(['The extension tides was not removed.']);
    world.answer = 'yes';
    expect(await world.run('/extensions remove tides')).toEqual(['The extension tides is removed.']);
    expect(await readdir(join(world.home, '.gemini', 'extensions'))).toEqual([]);
    expect(world.states).toEqual([]);
  });

  test('lists what is there, and what can be said', async () => {
    const source = world.path('source');
    expect(await world.run('/extensions list')).toEqual([
      'Extensions',
      `# Extensions\n\n- \`tides\`: active · 1.0.0 · from ${source} · servers: tide (mcp_tide\\_…) · commands: /ebb · agents: gull · skills: tides:swim\n`,
    ]);
    expect(await world.run('/extensions fetch x')).toEqual([
      expect.stringContaining('/extensions does not know “fetch”. Did you mean /extensions '),
    ]);
    expect(await world.run('/extensions remove --force')).toEqual([
      'There is no option --force: use --ref, --workspace or --yes.',
    ]);
  });
});
