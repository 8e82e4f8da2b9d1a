import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { compiler } from '../lsp/support/lspWorld.ts';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults, toolNames } from '../support/geminiServer.ts';
import { eventsOf } from '../support/headlessProgram.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import { languageSample } from '../support/languagesContract.ts';
import { processesIn } from '../support/processesIn.ts';
import { mustHaveSandbox } from '../support/sandboxWorld.ts';

const hostile = resolve(import.meta.dirname, '../support/hostileLanguageServer.ts');
const tools = ['find_symbol', 'rename_symbol', 'apply_code_action', 'get_problems'];

const world = eachTest(() => HeadlessWorld.make());

beforeEach(async () => {
  for (const [path, content] of Object.entries(languageSample)) await write(path, content);
});

async function write(path: string, content: string): Promise<void> {
  const file = join(world.workspace, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

const read = (path: string) => readFile(join(world.workspace, path), 'utf8');

/** As a package manager links it: the program lies in the workspace's `node_modules` by its name alone. */
async function installTypeScript(): Promise<void> {
  const modules = join(world.workspace, 'node_modules');
  await mkdir(modules);
  await symlink(dirname(dirname(compiler)), join(modules, 'typescript'));
}

const setHome = (languageServers: object) =>
  writeFile(join(world.home, '.gemini', 'settings.json'), JSON.stringify({ folio: { languageServers } }));

const native = { command: process.execPath, args: [compiler, '--lsp', '--stdio'] };

/** The first prompt waits for servers, so that a slow machine changes nothing. */
function run(...more: readonly string[]) {
  const args = ['--approval-mode', 'autoEdit', '--server-start', '120', '--output-format', 'stream-json'];
  // Nothing of this machine is found on the PATH.
  const env = { HOME: world.home, USERPROFILE: world.home, PATH: '/usr/bin:/bin' };
  return world.run([...args, ...more], { env });
}

const offered = (at = 0) => tools.filter(name => toolNames(world.server.requests[at]!).includes(name));

describe('language servers without a window', () => {
  it('rename a symbol over files; each change is told for review, and a rewind puts all back', async () => {
    await setHome({ '*.ts': native });
    world.server.script(
      [call('find_symbol', { name: 'computeSum', find: 'callers' })],
      [call('rename_symbol', { name: 'computeSum', new_name: 'addUp' })],
      [text('Renamed.')],
    );
    const { code, out, error } = await run('--prompt', 'Rename it');
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(offered()).toEqual(tools);
    const results = world.server.requests.slice(1).map(request => lastResults(request)[0]?.output ?? '');
    expect(results[0]).toContain('main.ts\n4: const sum = computeSum(3, 4); [printAll]');
    expect(results[1]).toContain('Renamed computeSum to addUp in 4 places in 2 files');
    expect(await read('main.ts')).toBe(languageSample['main.ts'].replaceAll('computeSum', 'addUp'));
    const reviewed = eventsOf(out).flatMap(event => (event.type === 'review.changed' ? [event] : []));
    expect(JSON.stringify(reviewed)).toContain('main.ts');
    expect(JSON.stringify(reviewed)).toContain('sums.ts');

    expect((await run('--resume', 'latest', '--rewind', '1')).code).toBe(0);
    expect(await read('main.ts')).toBe(languageSample['main.ts']);
    expect(await read('sums.ts')).toBe(languageSample['sums.ts']);
  });

  it('tell the model what an edit broke elsewhere, and what is still broken when it asks', async () => {
    await setHome({ '*.ts': native });
    world.server.script(
      [
        call('replace', {
          file_path: 'sums.ts',
          instruction: 'i',
          old_string: 'first: number',
          new_string: 'first: string',
        }),
      ],
      [call('run_shell_command', { command: 'cp loose.ts main.ts' })],
      [call('get_problems', {})],
      [text('Done.')],
    );
    expect((await run('--prompt', 'go', '--approval-mode', 'yolo')).code).toBe(0);
    const results = world.server.requests.slice(1).map(request => lastResults(request)[0]?.output ?? '');
    expect(results[0]).toContain('The edit brought 3 new problems:');
    expect(results[0]).toMatch(/main\.ts, line 4: error: Argument of type 'number'/);
    // What a command changed past Folio is known, too.
    expect(results[2]).toContain("main.ts:2: error: Cannot find name 'amuont'");
    expect(results[2]).not.toContain('main.ts:4');
  });

  it('are offered only where one answers, and cost few bytes', async () => {
    world.server.afterScript([text('Hi.')]);
    await run('--prompt', 'hi');
    expect(offered()).toEqual([]);
    await setHome({ '*.ts': native });
    await run('--prompt', 'hi');
    expect(offered(1)).toEqual(tools);
    const [without, withTools] = world.server.requests.map(({ body }) => JSON.stringify(body).length);
    expect(withTools! - without!).toBeLessThan(2_500);
    await run('--prompt', 'hi', '--untrusted');
    expect(offered(2)).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('that are not there have no prompt list the files', async () => {
    const bin = join(world.home, 'bin');
    const used = join(world.home, 'used');
    await mkdir(bin);
    // Fewer are listed without ripgrep.
    const notes = Array.from({ length: 1001 }, (_, index) => `note${index}.txt`);
    await Promise.all(notes.map(name => writeFile(join(world.workspace, name), '')));
    const program = `#!/bin/sh\necho "$@" >> '${used}'\necho ripgrep 15.0\n`;
    await writeFile(join(bin, 'rg'), program, { mode: 0o755 });
    world.server.afterScript([text('Hi.')]);
    const lines = ['hi', 'hi again'].map(words => JSON.stringify({ type: 'prompt.send', text: words }));
    const env = { HOME: world.home, USERPROFILE: world.home, PATH: `${bin}:/usr/bin:/bin` };
    const { code } = await world.run(['--input-format', 'stream-json'], { env, input: lines.join('\n') });
    expect(code).toBe(0);
    expect(world.server.requests).toHaveLength(2);
    // At most once for notebooks, and once for changes of files, with the first prompt.
    expect((await readFile(used, 'utf8')).match(/--files /g)?.length).toBeLessThan(3);
  });

  it('are looked for by the prompt that first finds a file of theirs', async () => {
    await Promise.all(Object.keys(languageSample).map(name => rm(join(world.workspace, name))));
    await setHome({ '*.ts': native });
    const file = { file_path: 'sums.ts', content: languageSample['sums.ts'] };
    world.server.script([call('write_file', file)], [text('Written.')], [text('Hi.')]);
    const prompts = ['Write it', 'hi'].map(words => ({ type: 'prompt.send', text: words }));
    const lines = [{ type: 'mode.set', mode: 'autoEdit' }, ...prompts].map(line => JSON.stringify(line));
    const args = ['--server-start', '120', '--input-format', 'stream-json'];
    const env = { HOME: world.home, USERPROFILE: world.home, PATH: '/usr/bin:/bin' };
    const { code, error } = await world.run(args, { env, input: lines.join('\n') });
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect([0, 1, 2].map(offered)).toEqual([[], [], tools]);
  });

  it('of the project itself is code of the workspace, which runs once the user vouches for it', async () => {
    await installTypeScript();
    world.server.afterScript([text('Hi.')]);
    await run('--prompt', 'hi');
    await run('--prompt', 'hi', '--trusted');
    await run('--prompt', 'hi', '--untrusted');
    await setHome({ '*.ts': false });
    await run('--prompt', 'hi', '--trusted');
    expect([0, 1, 2, 3].map(at => offered(at).length)).toEqual([0, 4, 0, 0]);
  });

  it('of the project itself runs unasked in the sandbox, as commands do', async () => {
    await mustHaveSandbox();
    const server = await readFile(hostile, 'utf8');
    const about = { name: 'typescript', version: '7.1.0', type: 'module' };
    await write('node_modules/typescript/package.json', JSON.stringify(about));
    const start = `import { writeFileSync } from 'node:fs';
try { writeFileSync('escaped.txt', ''); } catch {}
process.argv = [process.argv[0], 'x', 'plain'];
await import('../server.mjs');
`;
    await write('node_modules/typescript/bin/tsc', start);
    await write('node_modules/typescript/server.mjs', await plainScript(server));
    world.server.afterScript([text('Hi.')]);
    const { error } = await run('--prompt', 'hi', '--sandbox', 'on');
    expect(error).toBe('');
    expect(offered()).toEqual(tools);
    await expect(read('escaped.txt')).rejects.toThrow();
  });

  it('named by a workspace wait until the user has seen its settings', async () => {
    await write('.gemini/settings.json', JSON.stringify({ folio: { languageServers: { '*.ts': native } } }));
    world.server.afterScript([text('Hi.')]);
    const { error } = await run('--prompt', 'hi');
    expect(error).toMatch(/settings of .* do not count/);
    await run('--prompt', 'hi', '--trusted');
    expect([0, 1].map(at => offered(at).length)).toEqual([0, 4]);
  });

  it('that cannot be used are named with the reason', async () => {
    await setHome({ '*.ts': { command: 'no-such-server' }, '*.py': { program: 'x' } });
    world.server.afterScript([text('Hi.')]);
    const { code, error } = await run('--prompt', 'hi');
    expect(code).toBe(0);
    expect(error).toContain('The language server no-such-server is not used.');
    expect(error).toContain('The program no-such-server was not found.');
    expect(error).toContain(
      'The entry "*.py" of folio.languageServers is not used: its "command" is not right',
    );
    expect(offered()).toEqual([]);
  });

  it.each([
    ['outside of the workspace', 'far.ts', /outside the workspace/],
    ['in a protected file', '.env', /may hold secrets|needs approval/],
  ])('whose rename reaches a place %s change nothing', async (_where, target, says) => {
    const far = join(target === '.env' ? world.workspace : world.folder, target);
    await writeFile(far, 'SECRET=1\n');
    await setHome({ '*.ts': { command: process.execPath, args: [hostile, 'elsewhere', far] } });
    world.server.script(
      [call('rename_symbol', { name: 'computeSum', new_name: 'addUp', file_path: 'sums.ts' })],
      [text('Done.')],
    );
    expect((await run('--prompt', 'go')).code).toBe(0);
    const { output = '', error = '' } = lastResults(world.server.requests[1]!)[0] ?? {};
    expect(`${output}${error}`).toMatch(says);
    expect(await readFile(far, 'utf8')).toBe('SECRET=1\n');
  });

  it('that die over a question are a sentence for the model, and leave no process behind', async () => {
    const args = [hostile, 'crash', 'textDocument/rename'];
    await setHome({ '*.ts': { command: process.execPath, args } });
    const rename = call('rename_symbol', { name: 'computeSum', new_name: 'addUp', file_path: 'sums.ts' });
    world.server.script([rename], [text('Done.')]);
    expect((await run('--prompt', 'go')).code).toBe(0);
    expect(JSON.stringify(lastResults(world.server.requests[1]!))).toContain(
      'has ended. Its process ended with code 3: I cannot continue.',
    );
    expect(await processesIn(world.workspace)).toEqual([]);
  });
});

/** Without types, for a Node that cannot take them out below `node_modules`. */
async function plainScript(source: string): Promise<string> {
  const { stripTypeScriptTypes } = await import('node:module');
  return stripTypeScriptTypes(source);
}
