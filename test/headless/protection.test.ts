import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { eventsOf } from '../support/headlessProgram.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

const world = eachTest(() => HeadlessWorld.make());
beforeEach(async () => {
  await mkdir(join(world.home, '.gemini', 'policies'), { recursive: true });
  await writeFile(join(world.workspace, 'a.txt'), 'alpha');
});

const set = (settings: object) =>
  writeFile(join(world.home, '.gemini', 'settings.json'), JSON.stringify(settings));
const command = (line: string) => call('run_shell_command', { command: line });
const write = call('write_file', { file_path: 'b.txt', content: 'beta' });

/** In the mode that allows all. */
async function run(calls: readonly ReturnType<typeof call>[], ...more: readonly string[]) {
  world.server.script(...calls.map(each => [each]), [text('Done.')]);
  const { out, error, code } = await world.run(
    ['--prompt', 'go', '--output-format', 'stream-json', '--approval-mode', 'yolo', ...more],
    { env: { HOME: world.home, USERPROFILE: world.home } },
  );
  expect(code, error).toBe(0);
  const outcomes = eventsOf(out).flatMap(event => (event.type === 'call.ended' ? [event.outcome] : []));
  return { outcomes, error };
}

describe('settings that hold back', () => {
  it.each([
    [{ tools: { sandbox: 'docker' } }, 'tools.sandbox'],
    [{ sandbox: true }, 'tools.sandbox'],
    [{ security: { toolSandboxing: true } }, 'security.toolSandboxing'],
  ])(
    'and want a sandbox: what does more than read is refused, and that is said: %j',
    async (settings, key) => {
      await set(settings);
      const { outcomes, error } = await run([
        command('touch b'),
        command('cat a.txt'),
        command('echo x > c'),
        write,
      ]);
      expect(outcomes).toEqual(['denied', 'ok', 'denied', 'ok']);
      expect(error).toBe(
        `~/.gemini/settings.json, ${key}: Run with --sandbox on. Until then, commands and tools that do more than read ask each time, in every mode.\n`,
      );
      expect(await readdir(world.workspace)).toEqual(['a.txt', 'b.txt']);
    },
  );

  it.each([{ sandbox: false }, { tools: { sandbox: '' } }, { tools: { sandbox: { enabled: false } } }])(
    'and want no sandbox hold nothing back: %j',
    async settings => {
      await set(settings);
      expect(await run([command('touch b')])).toEqual({ outcomes: ['ok'], error: '' });
    },
  );

  it('under the names of older files hold: tools that are excluded, tools that are the only ones', async () => {
    await set({ excludeTools: ['write_file'], tools: { exclude: ['run_shell_command(touch)'] } });
    const calls = [write, command('touch c'), command('mkdir d')];
    expect((await run(calls)).outcomes).toEqual(['denied', 'denied', 'ok']);
    await set({ coreTools: ['ReadFileTool', 'ShellTool(ls)'] });
    const others = [command('ls'), command('touch c'), call('read_file', { file_path: 'a.txt' }), write];
    expect((await run(others)).outcomes).toEqual(['ok', 'denied', 'ok', 'denied']);
  });

  it('and switch off the mode that allows all leave what only reads', async () => {
    await set({ security: { disableYoloMode: true } });
    const { outcomes, error } = await run([write, command('touch c'), command('ls')]);
    expect(outcomes).toEqual(['denied', 'denied', 'ok']);
    expect(error).toContain('security.disableYoloMode: The mode Allow all is disabled.');
  });
});

describe('rules for what Folio does not have', () => {
  const rules = (toml: string) => writeFile(join(world.home, '.gemini', 'policies', 'mine.toml'), toml);

  it('a safety checker that it cannot run has its calls refused, whatever else allows them', async () => {
    await rules(
      [
        '[[rule]]\ntoolName = "write_file"\ndecision = "allow"\npriority = 999',
        '[[safety_checker]]\ntoolName = ["write_file"]\npriority = 1',
        '[safety_checker.checker]\ntype = "external"\nname = "guard"',
      ].join('\n'),
    );
    const { outcomes, error } = await run([write, command('touch c')]);
    expect(outcomes).toEqual(['denied', 'ok']);
    expect(error).toBe(
      '~/.gemini/policies/mine.toml, line 5: Folio has no safety checker "guard", so it asks you each time instead.\n',
    );
  });

  it('the checker of paths is what every path passes anyway, and unknown tables are named', async () => {
    const checker = '[[safety_checker]]\ntoolName = "write_file"\npriority = 1\n[safety_checker.checker]\n';
    await rules(`${checker}type = "in-process"\nname = "allowed-path"\n[[guardian]]\nx = 1\n`);
    const outside = call('write_file', { file_path: '../b.txt', content: 'beta' });
    const { outcomes, error } = await run([write, outside]);
    expect(outcomes).toEqual(['ok', 'failed']);
    expect(error).toBe('~/.gemini/policies/mine.toml: "guardian" is unknown, so it is ignored.\n');
  });
});

describe('a workspace that the file of trusted folders speaks against', () => {
  const distrust = async () => {
    const file = join(world.home, '.gemini', 'trustedFolders.json');
    await writeFile(file, JSON.stringify({ [world.folder]: 'DO_NOT_TRUST' }));
    await writeFile(join(world.workspace, 'GEMINI.md'), 'Obey the workspace.');
    return file;
  };
  const system = () => JSON.stringify(world.server.requests[0]!.body.systemInstruction);

  it('is restricted: nothing is written or run, and its instructions do not count', async () => {
    const file = await distrust();
    const { outcomes, error } = await run([write, command('touch c')]);
    expect(outcomes).toEqual(['denied', 'denied']);
    expect(error).toBe(
      `${file} marks ${world.folder} as not trusted, so nothing is written or run. If you trust the workspace, say so there or run with --trusted.\n`,
    );
    expect(system()).not.toContain('Obey the workspace.');
    const { code, error: refused } = await world.run(['--resume', 'latest', '--rewind', '1'], {
      env: { HOME: world.home, USERPROFILE: world.home },
    });
    expect(code).toBe(2);
    expect(refused).toContain('no file is written');
  });

  it('counts all the same where the command line vouches for it', async () => {
    await distrust();
    expect(await run([write], '--trusted')).toEqual({ outcomes: ['ok'], error: '' });
    expect(system()).toContain('Obey the workspace.');
  });
});
