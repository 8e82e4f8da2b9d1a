import { chmod, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { findLanguageServers } from '../../src/extension/node/languages/findLanguageServers.ts';
import { isUserBinFolder, ProgramFinder } from '../../src/extension/node/processes/programs.ts';
import { fileNamesOf, searchedFolders } from '../../src/extension/node/processes/searchPath.ts';
import { NodeServerProcesses } from '../../src/extension/node/processes/serverProcesses.ts';
import { shellCommand } from '../../src/extension/node/processes/shell.ts';
import { findRipgrep } from '../../src/extension/node/search/findRipgrep.ts';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { git } from '../support/gitRepository.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import { readSources } from '../support/sourceFiles.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { WorldCase } from './report.ts';

const names = [
  ...['bwrap', 'nsenter', 'unshare', 'git', 'rg', 'node', 'env', 'bash', 'sh', 'pwsh', 'powershell.exe'],
  ...['taskkill', 'stty', 'ps', 'mkfifo', 'az', 'npx', 'gopls', 'clangd', 'rust-analyzer', 'tsc'],
  ...['pyright-langserver', 'typescript-language-server'],
];

/** Programs that write their names into a folder of marks. */
async function plant(folder: string, marks: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await mkdir(marks, { recursive: true });
  for (const name of names) {
    const file = join(folder, name);
    await writeFile(file, `#!/bin/sh\n: > '${marks}/${name}'\nexit 1\n`);
    await chmod(file, 0o755);
  }
}

interface PathCase extends WorldCase {
  /** Entries before that of the system, `outside`; absolute ones begin with the name of a folder of the test. */
  readonly entries: readonly string[];
  /** Folders of the workspace; absent: `workspace`. */
  readonly folders?: readonly string[];
  /** The first folder that counts; absent: `outside`. */
  readonly from?: string;
}

const cases: readonly PathCase[] = [
  { title: 'programs of packages', source: 'report', entries: ['workspace/node_modules/.bin'] },
  { title: 'the present folder', source: 'report', entries: ['.'] },
  { title: 'an empty entry', source: 'report', entries: ['', 'outside-too', ''], from: 'outside-too' },
  { title: 'a relative entry', source: 'report', entries: ['node_modules/.bin', './node_modules/.bin'] },
  { title: 'a way up and down', source: 'trial', entries: ['outside/../workspace/node_modules/.bin'] },
  { title: 'a link to a folder of the workspace', source: 'trial', entries: ['link-to-bin'] },
  { title: 'a link to a program of the workspace', source: 'report', entries: ['linked-programs'] },
  { title: 'a link of the workspace to elsewhere', source: 'trial', entries: ['workspace/link-out'] },
  {
    title: 'a workspace that is opened by a link',
    source: 'trial',
    entries: ['workspace/node_modules/.bin', 'link-to-workspace/node_modules/.bin'],
    folders: ['link-to-workspace'],
  },
  {
    title: 'a workspace of several folders',
    source: 'trial',
    entries: ['workspace/node_modules/.bin'],
    folders: ['other', 'workspace'],
  },
  {
    title: 'a folder beside it whose name begins the same',
    source: 'trial',
    entries: ['workspace-tools'],
    from: 'workspace-tools',
  },
  {
    title: 'a workspace that holds the system itself',
    source: 'trial',
    entries: ['workspace/node_modules/.bin'],
    folders: ['/'],
    from: 'workspace/node_modules/.bin',
  },
];

describe.skipIf(process.platform === 'win32')('a program of the workspace is not run by Folio itself', () => {
  let root: string;
  beforeEach(async () => {
    root = await temporaryFolder('folio-git-');
    const marks = join(root, 'marks');
    await plant(join(root, 'workspace', 'node_modules', '.bin'), marks);
    for (const folder of ['outside', 'outside-too', 'workspace-tools'])
      await plant(join(root, folder), marks);
    await symlink(join(root, 'workspace', 'node_modules', '.bin'), join(root, 'link-to-bin'));
    await symlink(join(root, 'workspace'), join(root, 'link-to-workspace'));
    await symlink(join(root, 'outside-too'), join(root, 'workspace', 'link-out'));
    await mkdir(join(root, 'linked-programs'));
    for (const name of names) {
      await symlink(join(root, 'workspace/node_modules/.bin', name), join(root, 'linked-programs', name));
    }
  });

  const place = (name: string) => (isAbsolute(name) ? name : join(root, name));

  it.each(cases)('$title', async ({ entries, folders = ['workspace'], from = 'outside' }) => {
    const isRelative = (entry: string) => entry === '' || /^(\.|node_modules)/.test(entry);
    const path = [...entries, 'outside']
      .map(entry => (isRelative(entry) ? entry : join(root, entry)))
      .join(delimiter);
    const programs = new ProgramFinder(() => folders.map(place), { PATH: path });
    for (const name of names) expect(programs.find(name)).toBe(join(root, from, name));
    for (const entry of programs.clean(path).split(delimiter)) expect(isAbsolute(entry)).toBe(true);
    expect(shellCommand(programs, 'true').file).toBe(join(root, from, 'bash'));
    // Those of a link lie elsewhere, which PATH alone does not show.
    if (!entries.includes('linked-programs')) {
      expect(new ProgramFinder(() => [], { PATH: programs.clean(path) }).find('git')).toBe(
        join(root, from, 'git'),
      );
    }
    if (folders.includes('/')) return;
    const servers = await findLanguageServers({ folders: folders.map(place), path });
    for (const { name, command, runsWorkspace } of servers) {
      // The project's own is found without PATH, and runs as the workspace's.
      if (name === 'typescript-language-server') expect(runsWorkspace).toBe(true);
      else expect(command).toBe(join(root, from, name));
    }
    expect(await findRipgrep([], programs)).toBeUndefined();
  });

  const homePlaces: readonly (WorldCase & { readonly entry: string; readonly isFound: boolean })[] = [
    { title: "the user's own programs", source: 'report', entry: '.local/bin', isFound: true },
    { title: 'a version of Node', source: 'report', entry: '.nvm/versions/node/v24/bin', isFound: true },
    { title: 'packages of the home folder', source: 'trial', entry: 'node_modules/.bin', isFound: false },
    { title: 'packages below it', source: 'trial', entry: '.local/node_modules/.bin', isFound: false },
    { title: 'packages of a project', source: 'trial', entry: 'code/shop/node_modules/.bin', isFound: false },
    { title: 'a folder of a project', source: 'trial', entry: 'code/shop/bin', isFound: false },
    { title: 'a link to a project', source: 'trial', entry: '.local/link', isFound: false },
  ];
  it.each(homePlaces)('with the home folder as workspace: $title', async ({ entry, isFound }) => {
    const home = join(root, 'person');
    await plant(join(home, 'code/shop/bin'), join(root, 'marks'));
    await mkdir(join(home, '.local'), { recursive: true });
    await symlink(join(home, 'code/shop/bin'), join(home, '.local/link'));
    if (entry !== '.local/link') await plant(join(home, entry), join(root, 'marks'));
    for (const folder of [home, root]) {
      const programs = new ProgramFinder(() => [folder], { PATH: join(home, entry), HOME: home });
      expect(programs.find('rg')).toBe(isFound ? join(home, entry, 'rg') : undefined);
    }
    const project = new ProgramFinder(() => [join(home, entry.split('/')[0]!)], {
      PATH: join(home, entry),
      HOME: home,
    });
    expect(project.find('rg')).toBeUndefined();
  });

  it('counts as missing where a server is configured by its bare name, and that is said', async () => {
    const env = { PATH: join(root, 'workspace', 'node_modules', '.bin') };
    const processes = new NodeServerProcesses(env, new ProgramFinder(() => [join(root, 'workspace')], env));
    onTestFinished(() => processes.dispose());
    const start = (command: string) => processes.start({ command, args: [], cwd: root, env: {} });
    const missing = await start('npx').exit;
    expect(missing.failure?.()).toBe(
      'The program npx was found only in the workspace, which Folio does not search for safety. Install it elsewhere, or give its full path.',
    );
    expect((await start('nothing').exit).failure?.()).toContain('was not found. Install it');
    expect(await readdir(join(root, 'marks'))).toEqual([]);
    // By its whole path it is meant.
    expect((await start(join(env.PATH, 'npx')).exit).code).toBe(1);
    expect(await readdir(join(root, 'marks'))).toEqual(['npx']);
  });

  it('is not the interpreter of a server either', async () => {
    const bin = join(root, 'workspace', 'node_modules', '.bin');
    const server = join(root, 'outside', 'server');
    await writeFile(server, '#!/usr/bin/env node\nprocess.exit(7)\n');
    await chmod(server, 0o755);
    const env = { PATH: [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter) };
    const processes = new NodeServerProcesses(env, new ProgramFinder(() => [join(root, 'workspace')], env));
    onTestFinished(() => processes.dispose());
    const run = (more: Record<string, string>) =>
      processes.start({ command: server, args: [], cwd: root, env: more }).exit;
    expect(await run({})).toMatchObject({ code: 7 });
    expect(await readdir(join(root, 'marks'))).toEqual([]);
    expect(await run({ PATH: env.PATH })).toMatchObject({ code: 1 });
  });
});

describe.skipIf(process.platform === 'win32')('a run in such a workspace', () => {
  const world = eachTest(() => HeadlessWorld.make());
  let marks: string;
  let bin: string;
  beforeEach(async () => {
    marks = join(world.folder, 'marks');
    bin = join(world.workspace, 'node_modules', '.bin');
    await plant(bin, marks);
    await plant(join(world.workspace, 'tools'), marks);
    await git(world.workspace, 'init', '--quiet');
    await writeFile(join(world.workspace, 'a.go'), 'package a\nfunc Needle() {}\n');
    await writeFile(join(world.workspace, 'a.py'), 'def needle(): pass\n');
    const home = join(world.folder, 'home', '.gemini');
    await mkdir(home, { recursive: true });
    await writeFile(
      join(home, 'settings.json'),
      JSON.stringify({
        mcpServers: { ghost: { command: 'npx', args: ['ghost'] } },
        hooks: { BeforeTool: [{ hooks: [{ type: 'command', command: 'true' }] }] },
      }),
    );
  });

  function run(path: readonly string[], ...more: readonly string[]) {
    const home = join(world.folder, 'home');
    const env = { HOME: home, USERPROFILE: home, PATH: path.join(delimiter) };
    const args = ['--prompt', 'Go @diff', '--approval-mode', 'yolo', '--trusted', '--server-start', '60'];
    return world.run([...args, ...more], { env });
  }

  it.each(['on', 'off'])('starts none of its programs, with the sandbox %s', async sandbox => {
    world.server.script(
      [
        call('glob', { pattern: '**/*' }),
        call('grep_search', { pattern: 'needle' }),
        call('run_shell_command', { command: ': > made; echo made' }),
        call('write_file', { file_path: 'b.go', content: 'package a\n' }),
      ],
      [text('Done.')],
    );
    const path = [bin, '.', 'node_modules/.bin', '', './tools', process.env.PATH ?? ''];
    const { code, error } = await run(path, '--sandbox', sandbox);
    expect(code, error).toBe(0);
    expect(lastResults(world.server.requests.at(-1)!)).toHaveLength(4);
    expect(await readdir(marks)).toEqual([]);
  });

  it('leaves a command the PATH of the user', async () => {
    world.server.script([call('run_shell_command', { command: 'gopls; true' })], [text('Done.')]);
    const { code, error } = await run([bin, process.env.PATH ?? ''], '--sandbox', 'off');
    expect(code, error).toBe(0);
    expect(await readdir(marks)).toEqual(['gopls']);
  });
});

it.each([
  ['.local\\bin', true],
  ['AppData\\Roaming\\npm', true],
  ['AppData\\Roaming\\node_modules\\.bin', false],
  ['.localhost/bin', false],
  ['..\\.local\\bin', false],
  ['code\\bin', false],
  ['.pyenv/shims', true],
  ['.rbenv/shims', true],
  ['.fnm/node-versions/v22/installation/bin', true],
  ['.deno/bin', true],
  ['.sdkman/candidates/java/current/bin', true],
  ['.dotnet/tools', true],
  ['.dotnet/project', false],
  ['.yarn/bin', true],
  ['.yarn/releases', false],
  ['scoop/shims', true],
  ['scooper/shims', false],
  ['Library/pnpm', true],
  ['Library/Application Support/fnm', true],
  ['Library/Projects', false],
  ['miniconda3/bin', true],
  ['AppData/Local/pnpm', true],
  ['AppData/Local/Temp', false],
  ['.pyenv/versions/3.12/node_modules/.bin', false],
  ['', false],
])('below the home folder %s is a place of tools: %s', (inside, isTools) => {
  expect(isUserBinFolder(inside)).toBe(isTools);
});

it.each([
  ['/usr/bin:/bin', 'linux', ['/usr/bin', '/bin']],
  [':/usr/bin::node_modules/.bin:', 'linux', ['/usr/bin']],
  ['/a;b:/c', 'darwin', ['/a;b', '/c']],
  ['C:\\Windows;D:\\tools', 'win32', ['C:\\Windows', 'D:\\tools']],
  ['"C:\\a;b";C:\\c', 'win32', ['C:\\a;b', 'C:\\c']],
  [';.;tools;C:\\c; C:\\d ;', 'win32', ['C:\\c', 'C:\\d']],
  ['\\\\server\\share;C:/e', 'win32', ['\\\\server\\share', 'C:/e']],
  ['', 'win32', []],
] as const)('PATH %s on %s leads to %j', (path, platform, folders) => {
  expect(searchedFolders(path, platform)).toEqual(folders);
});

it.each([
  ['gopls', {}, 'linux', ['gopls']],
  ['gopls', { PATHEXT: '.EXE' }, 'darwin', ['gopls']],
  ['gopls', { PATHEXT: '.EXE;.CMD' }, 'win32', ['gopls.EXE', 'gopls.CMD']],
  ['npx', {}, 'win32', ['npx.COM', 'npx.EXE', 'npx.BAT', 'npx.CMD']],
  ['npx', { Pathext: '.CMD' }, 'win32', ['npx.CMD']],
  ['npx', { PATHEXT: '' }, 'win32', ['npx.COM', 'npx.EXE', 'npx.BAT', 'npx.CMD']],
  ['npx', { PATHEXT: '.EXE; .CMD;;x;' }, 'win32', ['npx.EXE', 'npx.CMD']],
  ['npx.cmd', { PATHEXT: '.EXE' }, 'win32', ['npx.cmd', 'npx.cmd.EXE']],
  ['python3.12', { PATHEXT: '.EXE' }, 'win32', ['python3.12', 'python3.12.EXE']],
] as const)('the command %s with %j on %s may be %j', (command, env, platform, names) => {
  expect(fileNamesOf(command, env, platform)).toEqual(names);
});

describe('in the source', () => {
  const starts = /\b(?:spawn|spawnSync|execFile|execFileSync|fork)\)?\(\s*(['"`][^'"`]*['"`])/g;
  const hosts =
    /new (?:NodeProcesses|NodeServerProcesses|NodeHookProcesses|ClientProcesses|GitFiles|GitDiff|NodeSearch|NodeExtensionFolders|AzureCommandLine)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g;

  it('no program is started by its bare name, nor through a shell', async () => {
    const bare = (await readSources('src/extension')).flatMap(({ path, text: source }) =>
      [...source.matchAll(starts)].flatMap(([, program = '']) =>
        isAbsolute(program.slice(1)) ? [] : [`${path}: ${program}`],
      ),
    );
    expect(bare).toEqual([]);
    const sources = await readSources('src/extension');
    const imports = sources.filter(({ text: source }) =>
      /import \{[^}]*\b(?:exec|execSync)\b[^}]*\} from 'node:child_process'/.test(source),
    );
    expect(imports.map(({ path }) => path)).toEqual([]);
  });

  it('each part that starts programs is given those of its host', async () => {
    const made = (await readSources('src/extension')).flatMap(({ path, text: source }) =>
      [...source.matchAll(hosts)].map(([found]) => `${path}: ${found.replace(/\s+/g, ' ')}`),
    );
    expect(made.length).toBeGreaterThan(12);
    expect(made.filter(each => !/rogram(?:s\b|Finder)/.test(each.slice(each.indexOf('('))))).toEqual([]);
  });
});
