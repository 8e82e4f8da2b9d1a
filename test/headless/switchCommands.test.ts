import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

describe('commands known from other agents, in a headless run', () => {
  const world = eachTest(() => HeadlessWorld.make());
  beforeEach(async () => {
    await mkdir(join(world.home, '.gemini', 'skills', 'tides'), { recursive: true });
    await writeFile(
      join(world.home, '.gemini', 'skills', 'tides', 'SKILL.md'),
      '---\nname: tides\ndescription: Tells the tides\n---\nLook at the moon.\n',
    );
    await writeFile(
      join(world.home, '.gemini', 'settings.json'),
      JSON.stringify({
        hooks: { BeforeAgent: [{ hooks: [{ type: 'command', name: 'greet', command: 'touch greeted' }] }] },
      }),
    );
  });

  const run = (...args: readonly string[]) =>
    world.run(args, { env: { HOME: world.home, USERPROFILE: world.home } });
  const lines = (...texts: readonly string[]) =>
    world.run(['--input-format', 'stream-json', '--output-format', 'stream-json'], {
      env: { HOME: world.home, USERPROFILE: world.home },
      input: texts.map(each => `${JSON.stringify({ type: 'prompt.send', text: each })}\n`).join(''),
    });

  it.each([
    ['/skills disable tides', /^tides is disabled\. \/skills enable turns it on again\./],
    ['/skills enable tides', /^tides is enabled\./],
    ['/skills reload', /^Skills: \d+\./],
    ['/agents disable codebase_investigator', /^codebase_investigator is disabled/],
    ['/agents reload', /^Subagents: \d+\./],
    ['/commands reload', /^Custom commands: 0\./],
    ['/commands', /^\/help /],
    ['/hooks list', /`greet`, BeforeAgent: runs/],
    ['/hooks disable greet', /^greet is disabled/],
    ['/policies list', /ask +Commands \(Folio\)/],
    ['/policies list', /allow +Everything \(Folio; only in Allow all\)/],
    ['/stats model', /No model has answered yet/],
    ['/stats tools', /No tool was called yet/],
    ['/mcp schema', /No server is configured/],
    ['/extensions explore', /geminicli\.com\/extensions/],
    ['/bug It broke', /^# It broke\n[\s\S]*## Facts/],
  ])('%s', async (prompt, reported) => {
    const { code, out } = await run('--prompt', prompt);
    expect(out).toMatch(reported);
    expect(code).toBe(0);
  });

  it.each([
    ['/skills disable tide', 'tide was not found. Did you mean tides?'],
    ['/hooks enable', 'Add a name: /hooks enable NAME.'],
    ['/mcp disable notes', 'notes was not found'],
    ['/chat share', 'This conversation is empty.'],
    ['/extensions link https://x.y/z', 'Nothing was fetched'],
    ['/resume', 'No other session'],
  ])('%s says why not, also as a line of stream-json', async (prompt, why) => {
    const plain = await run('--prompt', prompt);
    expect(plain.error).toContain(why);
    expect(plain.code).toBe(1);
  });

  it('answers of commands are lines of stream-json, refusals too', async () => {
    const answered = await run('--prompt', '/skills list', '--output-format', 'stream-json');
    const [line] = answered.out
      .trim()
      .split('\n')
      .map(each => JSON.parse(each))
      .filter(each => each.type === 'command.answered');
    expect(line.text).toContain('`tides`');
    const refused = await run('--prompt', '/skills disable x', '--output-format', 'stream-json');
    expect(refused.out).toContain('{"type":"command.refused","reason":"x');
  });

  it('what is switched off stays off for the run', async () => {
    world.server.script([text('Hi.')], [text('Hi.')]);
    expect((await run('--prompt', 'Hello')).code).toBe(0);
    expect(JSON.stringify(world.server.requests[0]!.body)).toContain('Tells the tides');
    expect(await readFile(join(world.workspace, 'greeted'), 'utf8')).toBe('');
    const before = world.server.requests.length;
    const { code, out } = await lines('/skills disable tides', 'Hello');
    expect(code).toBe(0);
    expect(out).toContain('"type":"command.answered"');
    expect(JSON.stringify(world.server.requests[before]!.body)).not.toContain('Tells the tides');
  });

  it('/chat share writes the conversation into a file, and not over another', async () => {
    world.server.script([call('list_directory', { dir_path: '.' })], [text('Hi there.')]);
    await run('--prompt', 'Hello');
    const share = (file: string) => run('--prompt', `/chat share ${file}`, '--resume', 'latest');
    expect((await share('talk.md')).out).toContain('talk.md');
    expect(await readFile(join(world.workspace, 'talk.md'), 'utf8')).toContain('Hi there.');
    await share('talk.json');
    expect(JSON.parse(await readFile(join(world.workspace, 'talk.json'), 'utf8'))).toMatchObject({
      format: 'folio-session',
    });
    expect((await share('talk.md')).error).toContain('already exists');
    expect((await share('talk.txt')).error).toContain('ends in .md or .json');
    expect((await run('--prompt', '/stats tools', '--resume', 'latest')).out).toMatch(
      /`list_directory` \| 1 \| 0 \| 0/,
    );
    expect((await run('--prompt', '/stats model', '--resume', 'latest')).out).toMatch(
      /`gemini-2\.5-pro` \| 1 \| 2/,
    );
    expect((await run('--prompt', '/resume')).out).toMatch(/^--resume \S+ .*Hello/);
    // Words of prompts count, as in the history of a window, whatever the title says.
    expect((await run('--prompt', '/resume HELLO')).out).toMatch(/^--resume \S+ /);
    expect((await run('--prompt', '/resume nowhere')).error).toContain('title, chapters or prompts');
  });

  it.skipIf(process.platform === 'win32')('/extensions link lets a folder count as it stands', async () => {
    const folder = join(world.folder, 'mine');
    await mkdir(join(folder, 'commands'), { recursive: true });
    await writeFile(join(folder, 'gemini-extension.json'), '{"name":"mine","version":"1.0.0"}');
    const asked = await run('--prompt', `/extensions link ${folder}`);
    expect(asked.error).toContain('was not installed. Check what this means');
    expect((await run('--prompt', `/extensions link ${folder} --yes`)).code).toBe(0);
    await writeFile(join(folder, 'commands', 'ebb.toml'), 'prompt = "Tell of the ebb"');
    world.server.script([text('Low.')]);
    expect((await run('--prompt', '/ebb')).out).toContain('Low.');
    expect((await run('--prompt', '/extensions uninstall mine --yes')).code).toBe(0);
    expect(await readFile(join(folder, 'gemini-extension.json'), 'utf8')).toContain('mine');
  });
});
