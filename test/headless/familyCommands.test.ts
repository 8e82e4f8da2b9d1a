import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

describe('commands with words in a headless run', () => {
  const world = eachTest(() => HeadlessWorld.make());

  const run = (...args: readonly string[]) =>
    world.run(args, { env: { HOME: world.home, USERPROFILE: world.home } });

  it('/memory adds a fact that later prompts are told, and lists the file', async () => {
    const added = await run('--prompt', '/memory add Use tabs.');
    expect(added).toMatchObject({ code: 0, error: '' });
    expect(added.out).toMatch(/^Kept in .+GEMINI\.md: Use tabs\.\n$/);
    expect(await readFile(join(world.home, '.gemini', 'GEMINI.md'), 'utf8')).toContain('- Use tabs.\n');
    expect((await run('--prompt', '/memory show')).out).toContain('- Use tabs.');
    const listed = await run('--prompt', '/memory list');
    expect(listed.out).toContain(join(world.home, '.gemini', 'GEMINI.md'));
    expect(listed.out).not.toContain('Use tabs');
    expect((await run('--prompt', '/memory refresh')).out).toMatch(/^1 memory file loaded/);
    expect(world.server.requests).toEqual([]);
    world.server.script([text('Hi.')]);
    await run('--prompt', 'Hello');
    expect(JSON.stringify(world.server.requests[0]!.body)).toContain('Use tabs.');
  });

  it('/chat keeps a copy under a name, which continues automatically', async () => {
    world.server.script([text('One.')], [text('Two.')], [text('Three.')]);
    expect(await run('--prompt', '/chat save early')).toMatchObject({ code: 1, out: '' });
    await run('--prompt', 'First question');
    const saved = await run('--prompt', '/chat save early', '--resume', 'latest');
    expect(saved).toMatchObject({ code: 0, error: '' });
    expect(saved.out).toContain('A copy is kept as “early”.');
    await run('--prompt', 'Second question', '--resume', 'latest');
    const listed = await run('--prompt', '/chat list');
    expect(listed.out).toMatch(/- `early`, .*\d{4}/);
    const wanted = await run('--prompt', '/chat resume early');
    expect(wanted).toMatchObject({ code: 1, out: '' });
    const [, id] = /--resume ([\w-]+)\./.exec(wanted.error) ?? [];
    expect(await run('--prompt', 'Third question', '--resume', id!)).toMatchObject({ code: 0 });
    const sent = JSON.stringify(world.server.requests[2]!.body.contents);
    expect(sent).toContain('First question');
    expect(sent).toContain('One.');
    expect(sent).not.toContain('Second question');
    expect((await run('--prompt', '/chat delete EARLY')).out).toContain('“early” was deleted.');
    expect((await run('--prompt', '/chat list')).out).toContain('No conversation has a name yet.');
  });

  it('/chat knows only the conversations of its workspace', async () => {
    world.server.script([text('One.')]);
    await run('--prompt', 'First question');
    await run('--prompt', '/chat save early', '--resume', 'latest');
    const other = join(world.folder, 'other');
    await mkdir(other);
    const { out } = await run('--prompt', '/chat list', '--workspace', other);
    expect(out).toContain('No conversation has a name yet.');
  });

  it('/restore lists the prompts and goes back to one of them with its files', async () => {
    const file = join(world.workspace, 'a.txt');
    await writeFile(file, 'old\n');
    world.server.script(
      [text('Hello.')],
      [call('replace', { file_path: 'a.txt', instruction: 'i', old_string: 'old', new_string: 'new' })],
      [text('Changed.')],
    );
    await run('--prompt', 'Say hello');
    await run('--prompt', 'Change it', '--resume', 'latest', '--approval-mode', 'yolo');
    expect(await readFile(file, 'utf8')).toBe('new\n');
    const listed = await run('--prompt', '/restore', '--resume', 'latest');
    expect(listed.out).toContain('1. Say hello\n2. Change it\n');
    const restricted = await run('--prompt', '/restore 2', '--resume', 'latest', '--untrusted');
    expect(restricted).toMatchObject({ code: 1, out: '' });
    const restored = await run('--prompt', '/restore 2', '--resume', 'latest');
    expect(restored).toMatchObject({ code: 0, error: '' });
    expect(restored.out).toContain('Files and conversation are back to before prompt 2');
    expect(await readFile(file, 'utf8')).toBe('old\n');
    expect((await run('--prompt', '/restore', '--resume', 'latest')).out).not.toContain('Change it');
  });

  it('/directory shows the folders, and adds none that the user does not trust', async () => {
    const lib = join(world.folder, 'lib');
    await mkdir(lib);
    expect((await run('--prompt', '/directory show')).out).toContain(world.workspace);
    const added = await run('--prompt', '/directory add ../lib');
    expect(added.out).toBe(`${lib}: open to Folio for the rest of this run.\n`);
    await writeFile(
      join(world.home, '.gemini', 'trustedFolders.json'),
      JSON.stringify({ [lib]: 'DO_NOT_TRUST' }),
    );
    const refused = await run('--prompt', '/directory add ../lib');
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.error).toContain('Nothing was added.');
    await rm(join(world.home, '.gemini'), { recursive: true });
  });

  it('/about and /tools print, and what needs a window says so in one sentence', async () => {
    const about = await run('--prompt', '/about', '--model', 'gemini-test');
    expect(about.out).toMatch(
      /Folio: \d+\.\d+\.\d+\n- Model: `gemini-test`\n- Provider: gemini\n- Sandbox: none/,
    );
    const [names, whole] = [await run('--prompt', '/tools'), await run('--prompt', '/tools desc')];
    expect(names.out).toContain('`read_file`');
    expect(whole.out.length).toBeGreaterThan(names.out.length);
    for (const prompt of ['/settings', '/auth', '/auth signout']) {
      const { code, out, error } = await run('--prompt', prompt);
      expect([prompt, code, out]).toEqual([prompt, 1, '']);
      expect(error).toContain('needs a window. Here ');
      expect(error.trim().split('\n')).toHaveLength(1);
    }
    expect((await run('--prompt', '/memory lst')).error).toContain('Did you mean /memory list');
  });
});
