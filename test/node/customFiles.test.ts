import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { NodeCustomFiles } from '../../src/extension/node/customizations/customFiles.ts';
import { NodeHookFiles } from '../../src/extension/node/customizations/hookFiles.ts';
import { NodeSettingsDocuments } from '../../src/extension/node/settings/settingsDocuments.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

let root: string;
let files: NodeCustomFiles;

beforeEach(async () => {
  root = await temporaryFolder('folio-custom-');
  files = new NodeCustomFiles(
    { home: join(root, 'home'), folders: () => [join(root, 'work')] },
    new NodeSettingsDocuments(),
  );
});

async function write(path: string, text = 'x'): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

async function names(trusted = true) {
  const read = await files.read(trusted);
  return read.map(({ kind, name, origin, path }) => `${origin.kind} ${kind} ${name} ${relative(root, path)}`);
}

test('each kind is found where people keep it, the least important first', async () => {
  await write('home/.gemini/extensions/security/gemini-extension.json', '{"name":"security"}');
  await write('home/.gemini/extensions/security/commands/audit.toml');
  await write('home/.gemini/commands/git/commit.toml');
  await write('home/.claude/agents/reviewer.md');
  await write('work/.vscode/mcp.json', '{ "servers": {}, /* ours */ }');
  await write('work/.claude/commands/fix/issue.md');
  await write('work/.agents/skills/notes/SKILL.md');
  await write('work/.gemini/agents/_draft.md');
  await write('work/.gemini/commands/readme.txt');
  expect(await names()).toEqual([
    'extension manifest security home/.gemini/extensions/security/gemini-extension.json',
    'extension toml audit home/.gemini/extensions/security/commands/audit.toml',
    'person toml git/commit home/.gemini/commands/git/commit.toml',
    'person agent reviewer home/.claude/agents/reviewer.md',
    'workspace servers .vscode/mcp work/.vscode/mcp.json',
    'workspace markdown fix/issue work/.claude/commands/fix/issue.md',
    'workspace skill notes work/.agents/skills/notes/SKILL.md',
  ]);
});

test('agents of one program may stand in folders, among which lists of them are none', async () => {
  for (const path of ['core/coder', 'core/deep/er', 'core/README', '_shared/part', '_draft'])
    await write(`work/.claude/agents/${path}.md`);
  await write('work/.gemini/agents/core/coder.md');
  expect(await names()).toEqual([
    'workspace agent core/coder work/.claude/agents/core/coder.md',
    'workspace agent core/deep/er work/.claude/agents/core/deep/er.md',
  ]);
});

test('without trust nothing of the workspace is looked at', async () => {
  await write('work/.gemini/settings.json', '{"mcpServers":{}}');
  await write('home/.gemini/settings.json', '{"mcpServers":{}}');
  expect(await names(false)).toEqual(['person settings .gemini/settings home/.gemini/settings.json']);
});

test('a home that is open as the workspace counts once, as the user’s own', async () => {
  files = new NodeCustomFiles(
    { home: join(root, 'home'), folders: () => [join(root, 'home')] },
    new NodeSettingsDocuments(),
  );
  await write('home/.gemini/commands/tidy.toml');
  expect(await names()).toEqual(['person toml tidy home/.gemini/commands/tidy.toml']);
});

test('what cannot be used says why, and its text is empty', async () => {
  await write('work/.gemini/settings.json', '{ "mcpServers": ');
  await write('work/.gemini/commands/huge.toml', 'x'.repeat(1024 * 1024 + 1));
  const read = await files.read(true);
  expect(read.map(({ text }) => text)).toEqual(['', '']);
  expect(read[0]?.problem).toMatch(/settings\.json cannot be used: .+/);
  expect(read[1]?.problem).toMatch(/huge\.toml is too long to be used\.$/);
});

test('links to folders are not followed, so that a circle ends', async () => {
  await write('work/.gemini/commands/a.toml');
  await symlink(join(root, 'work'), join(root, 'work/.gemini/commands/loop'));
  expect(await names()).toEqual(['workspace toml a work/.gemini/commands/a.toml']);
});

test('the digest changes with a script of the workspace that a command names', async () => {
  await write('work/bin/server.mjs', 'one');
  const command = 'node ${workspaceFolder}/bin/server.mjs';
  const before = await files.digest(command);
  await write('work/bin/server.mjs', 'two');
  expect(await files.digest(command)).not.toBe(before);
  expect(await files.digest('node elsewhere.mjs')).toBe(await files.digest('node other.mjs'));
});

test.each([
  ['in the folder where it runs', 'node\nserver.mjs', 'tools', 'tools/server.mjs'],
  ['whose name has a blank', 'node\n./my server.mjs', undefined, 'my server.mjs'],
  ['that is named without its ending', 'node\n./server', undefined, 'server.js'],
  ['that a folder stands for', 'node\n.', undefined, 'index.js'],
  ['that a module stands for', 'python3\n-m\ntools.server', undefined, 'tools/server.py'],
  ['of a script of the package', 'npm\nrun\nserver', undefined, 'package.json'],
  ['of a package that is installed', 'npx\n-y\n@a/tidy@1.2', undefined, 'node_modules/.bin/tidy'],
  ['that a variable has loaded first', 'npx\ntidy\n--require ./x.cjs', undefined, 'x.cjs'],
])('the digest changes with a program %s', async (_what, command, cwd, file) => {
  await mkdir(join(root, 'work'), { recursive: true });
  const none = await files.digest(command, cwd);
  await write(`work/${file}`, 'one');
  const one = await files.digest(command, cwd);
  await write(`work/${file}`, 'two');
  expect(new Set([none, one, await files.digest(command, cwd)]).size).toBe(3);
});

test('what never ends or is no such file is not read', async () => {
  await write('work/.gemini/commands/a.toml');
  await write('home/.ssh/id_rsa', 'secret');
  await mkdir(join(root, 'work/.claude/skills/keys'), { recursive: true });
  await symlink('/dev/zero', join(root, 'work/.gemini/settings.json'));
  await symlink(join(root, 'home/.ssh/id_rsa'), join(root, 'work/.claude/skills/keys/SKILL.md'));
  execFileSync('mkfifo', [join(root, 'work/.gemini/commands/pipe.toml')]);
  const read = await files.read(true);
  const place = join(root, 'work');
  expect(read.flatMap(({ problem = [] }) => problem)).toEqual([
    `${place}/.gemini/settings.json leads to a file of another type.`,
    `${place}/.gemini/commands/pipe.toml is no regular file.`,
    `${place}/.claude/skills/keys/SKILL.md leads to a file of another type.`,
  ]);
  expect(read.map(({ text }) => text).join('')).toBe('x');
});

test('hooks are not read from what never ends', async () => {
  await mkdir(join(root, 'work/.gemini'), { recursive: true });
  await symlink('/dev/zero', join(root, 'work/.gemini/settings.json'));
  const hooks = new NodeHookFiles(
    { user: [], folders: () => [join(root, 'work')] },
    new NodeSettingsDocuments(),
  );
  expect((await hooks.read(true)).map(({ problem }) => problem)).toEqual([
    `The hooks of ${join(root, 'work/.gemini/settings.json')} cannot be read (is no regular file). None of them runs.`,
  ]);
});

test('files that are too much together are not all read', async () => {
  const text = 'x'.repeat(1024 * 1024);
  for (let at = 0; at < 18; at++) await write(`work/.gemini/commands/c${at}.toml`, text);
  const read = await files.read(true);
  expect(read.filter(({ problem }) => problem === undefined)).toHaveLength(16);
});

describe('what was read before', () => {
  /** Long after everything was written, so that it is at rest. */
  const now = () => Date.now() + 60_000;
  const settled = () =>
    new NodeCustomFiles(
      { home: join(root, 'home'), folders: () => [join(root, 'work')], now },
      new NodeSettingsDocuments(now),
    );

  beforeEach(async () => {
    files = settled();
    await write('home/.gemini/extensions/a/gemini-extension.json', '{}');
    await write('home/.gemini/extensions/a/commands/git/commit.toml', 'one');
    await write('home/.gemini/extensions/b/gemini-extension.json', '{}');
    await write('home/.gemini/extensions/b/commands/fix.toml', 'one');
    await write('work/.gemini/commands/tidy.toml', 'one');
  });

  test('is the same object while nothing has changed', async () => {
    const before = await files.read(true);
    const after = await files.read(true);
    expect(before).toHaveLength(5);
    expect(after.every((file, index) => file === before[index])).toBe(true);
  });

  test.each<[string, () => Promise<void>, readonly string[]]>([
    [
      'a file is written',
      () => write('home/.gemini/extensions/a/commands/git/commit.toml', 'and another'),
      ['', 'and another', '', 'one', 'one'],
    ],
    [
      'a file comes into a folder',
      () => write('home/.gemini/extensions/a/commands/git/push.toml', 'new'),
      ['', 'one', 'new', '', 'one', 'one'],
    ],
    [
      'a folder comes that was not there',
      () => write('home/.gemini/extensions/a/agents/x.md', 'new'),
      ['', 'one', 'new', '', 'one', 'one'],
    ],
    [
      'a file goes',
      () => rm(join(root, 'home/.gemini/extensions/a/commands/git/commit.toml')),
      ['', '', 'one', 'one'],
    ],
    [
      'a link leads elsewhere',
      async () => {
        const path = join(root, 'home/.gemini/extensions/a/commands/git/commit.toml');
        await write('elsewhere.toml', 'two');
        await rm(path);
        await symlink(join(root, 'elsewhere.toml'), path);
      },
      ['', 'two', '', 'one', 'one'],
    ],
  ])('is read again where %s, and nowhere else', async (_what, change, texts) => {
    const before = await files.read(true);
    await change();
    const after = await files.read(true);
    expect(after.map(({ text, name }) => (name === 'a' ? '' : text))).toEqual(texts);
    const isOfOther = ({ path }: { readonly path: string }) => !path.includes(join('extensions', 'a'));
    const [kept, others] = [before.filter(isOfOther), after.filter(isOfOther)];
    expect(others).toHaveLength(3);
    expect(others.every((file, index) => file === kept[index])).toBe(true);
    expect((await files.read(true)).every((file, index) => file === after[index])).toBe(true);
  });

  test('is of a plugin as before when it is looked at again', async () => {
    await write('home/.gemini/extensions/gulls/.claude-plugin/plugin.json', '{"name":"gulls"}');
    await write('home/.gemini/extensions/gulls/commands/fly.md', 'Read ${CLAUDE_PLUGIN_ROOT}/map.md.');
    const folder = join(root, 'home/.gemini/extensions/gulls');
    for (let time = 0; time < 3; time++) {
      const texts = (await files.read(true)).map(({ text }) => text);
      expect(texts).toContain(`Read ${folder}/map.md.`);
    }
  });

  test('is read again as long as it was written just now: it may change without a trace', async () => {
    files = new NodeCustomFiles(
      { home: join(root, 'home'), folders: () => [join(root, 'work')] },
      new NodeSettingsDocuments(),
    );
    const before = await files.read(true);
    const after = await files.read(true);
    expect(after).toEqual(before);
    expect(after.some((file, index) => file === before[index])).toBe(false);
  });

  test('is tried again where it could not be used', async () => {
    await write('home/.gemini/extensions/a/gemini-extension.json', '{ ');
    const [before] = await files.read(true);
    const [after] = await files.read(true);
    expect(before?.problem).toBeDefined();
    expect(after).toEqual(before);
    expect(after).not.toBe(before);
  });

  test('does not count once the workspace is not trusted, and again when it is', async () => {
    const before = await files.read(true);
    expect(await files.read(false)).toEqual(before.filter(({ origin }) => origin.kind !== 'workspace'));
    expect(await files.read(true)).toEqual(before);
  });
});
