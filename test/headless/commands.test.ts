import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { eventsOf } from '../support/headlessProgram.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

describe('a command as a prompt of a headless run', () => {
  const world = eachTest(() => HeadlessWorld.make());

  const run = (...args: readonly string[]) => world.run(args);

  it('shows the commands, and names the nearest to one that there is not', async () => {
    const help = await run('--prompt', '/help');
    expect(help).toMatchObject({ code: 0, error: '' });
    expect(help.out).toMatch(/^\/help .+\n\/clear .+\n\/compress .+\n\/init \[.+\] .+\n/);
    const unknown = await run('--prompt', '/comprss', '--output-format', 'stream-json');
    const error = 'There is no command /comprss. Did you mean /compress? /help shows all commands.\n';
    expect(unknown).toEqual({ code: 2, out: '', error });
    expect(world.server.requests).toEqual([]);
  });

  it('shows the memory, that of further folders too', async () => {
    await mkdir(join(world.folder, 'conventions'));
    await writeFile(join(world.folder, 'conventions', 'GEMINI.md'), 'Use tabs.');
    const settings = join(world.folder, 'settings.json');
    await writeFile(settings, '{"folio.memoryFolders":["../conventions"]}');
    const { code, out } = await run('--prompt', '/memory', '--settings', settings);
    expect(code).toBe(0);
    expect(out).toContain('Use tabs.');
    const json = await run('--prompt', '/memory', '--settings', settings, '--output-format', 'json');
    expect(JSON.parse(json.out).answer).toContain('Use tabs.');
  });

  it('has the model write the memory file, while the prompt stays what was typed', async () => {
    world.server.script(
      [call('write_file', { file_path: 'GEMINI.md', content: 'Run npm test.\n' })],
      [text('Written.')],
    );
    const mode = ['--approval-mode', 'autoEdit', '--output-format', 'stream-json'];
    const { code, out } = await run('--prompt', '/init mind the tests', ...mode);
    expect(code).toBe(0);
    expect(await readFile(join(world.workspace, 'GEMINI.md'), 'utf8')).toBe('Run npm test.\n');
    const started = eventsOf(out).find(event => event.type === 'turn.started');
    expect(started).toMatchObject({ text: '/init mind the tests' });
    const sent = JSON.stringify(world.server.requests[0]!.body.contents);
    expect(sent).toContain('Write the memory file of this project, GEMINI.md');
    expect(sent).not.toContain('/init');
  });

  it('says why it cannot be carried out, and sends nothing', async () => {
    const { code, out, error } = await run('--prompt', '/init', '--untrusted');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(error).toContain('The workspace is restricted, so nothing is written.');
    expect(world.server.requests).toEqual([]);
  });

  it('compresses an earlier session at once, and the next prompt sends the summary', async () => {
    // Words that differ: a text that only repeats itself is ended as a loop.
    const lines = Array.from(
      { length: 200 },
      (_, n) => `- Invoice ${n}: line ${n * 7} is rounded before the sum.`,
    );
    const long = lines.join('\n');
    world.server.script([text(long)], [text(long)], [text('Short.')]);
    for (const [index, prompt] of ['First', 'Second', 'Third'].entries()) {
      const resume = index === 0 ? [] : ['--resume', 'latest'];
      expect(await run('--prompt', prompt, ...resume)).toMatchObject({ code: 0 });
    }
    const snapshot = '<state_snapshot><overall_goal>Round once.</overall_goal></state_snapshot>';
    world.server.script([text(snapshot)], [text(snapshot)]);
    const compressed = await run('--prompt', '/compress', '--resume', 'latest');
    expect(compressed).toMatchObject({ code: 0, error: '' });
    expect(compressed.out).toMatch(/^Compressed from [\d,]+ to [\d,]+ tokens\.\n$/);
    // Nobody named a model for it, so the light one beside the session's writes the summary.
    const models = world.server.requests.map(({ model }) => model);
    expect(models.slice(0, 3)).toEqual(Array(3).fill('gemini-2.5-pro'));
    expect(models.slice(3)).toEqual(Array(2).fill('gemini-2.5-flash'));
    const before = world.server.requests.length;
    world.server.script([text('On.')]);
    expect(await run('--prompt', 'Fourth', '--resume', 'latest')).toMatchObject({ code: 0 });
    const sent = JSON.stringify(world.server.requests[before]!.body.contents);
    expect(sent).toContain('Round once.');
    expect(sent).not.toContain('First');
  });

  it('fails when there is nothing to compress', async () => {
    const { code, out, error } = await run('--prompt', '/compress');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(error).toContain('too little to compress');
  });

  describe('that is a file', () => {
    const home = () => join(world.folder, 'home');
    const runAtHome = (...args: readonly string[]) => world.run(args, { env: { HOME: home() } });

    beforeEach(async () => {
      await mkdir(join(home(), '.gemini', 'commands', 'git'), { recursive: true });
      await mkdir(join(world.workspace, '.claude', 'commands'), { recursive: true });
      await writeFile(join(world.workspace, 'notes.txt'), 'Mind the tax.\n');
      await writeFile(
        join(home(), '.gemini', 'commands', 'git', 'note.toml'),
        'description = "Reports the notes"\nprompt = "Sum up @{notes.txt} and !{cat notes.txt} for {{args}}."\n',
      );
      await writeFile(join(world.workspace, '.claude', 'commands', 'fix.md'), 'Fix $1, see @notes.txt.');
    });

    const sent = () => JSON.stringify(world.server.requests[0]!.body.contents);

    it.each([
      ['gemini-2.5-flash', 'gemini-2.5-flash', ''],
      ['flash', 'gemini-2.5-flash', ''],
      [
        'sonnet',
        'gemini-2.5-pro',
        '/quick names the model sonnet, which is not available here. Your model is used instead.\n',
      ],
    ])('runs with the model that it names: %s', async (name, id, reported) => {
      await mkdir(join(home(), '.claude', 'commands'), { recursive: true });
      const command = join(home(), '.claude', 'commands', 'quick.md');
      await writeFile(command, `---\nmodel: ${name}\n---\nBe quick.`);
      world.server.script([text('Done.')]);
      expect(await runAtHome('--prompt', '/quick')).toMatchObject({ code: 0, error: reported });
      expect(world.server.requests[0]!.model).toBe(id);
    });

    it('is sent with its files and with what its commands print', async () => {
      world.server.script([text('Done.')]);
      const { code, out, error } = await runAtHome(
        '--prompt',
        '/git:note "the boss"',
        '--output-format',
        'stream-json',
      );
      expect({ code, error }).toEqual({ code: 0, error: '' });
      const started = eventsOf(out).find(event => event.type === 'turn.started');
      expect(started).toMatchObject({ text: '/git:note "the boss"' });
      expect(sent()).toContain('Content of notes.txt:\\n```\\nMind the tax.');
      expect(sent()).toContain(
        '<untrusted_output>\\nMind the tax.\\n</untrusted_output> for \\"the boss\\".',
      );
    });

    it('of the workspace waits until it is let, and is then sent with the files that it names', async () => {
      const waiting = await runAtHome('--prompt', '/fix the tax');
      expect(waiting).toMatchObject({ code: 2, out: '' });
      expect(waiting.error).toContain('/fix comes from this workspace, and you have not allowed it yet');
      expect(world.server.requests).toEqual([]);
      const untrusted = await runAtHome('--prompt', '/fix the tax', '--untrusted');
      expect(untrusted.error).toContain('There is no command /fix.');
      expect(untrusted.error).toContain('run without --untrusted');
      world.server.script([text('Done.')]);
      expect(await runAtHome('--prompt', '/fix tax', '--trusted')).toMatchObject({ code: 0, error: '' });
      expect(sent()).toContain('Fix tax, see @notes.txt.');
      expect(sent()).toContain('Mind the tax.');
    });

    it('is not sent when a command of it would have to be asked about, or runs in Plan mode', async () => {
      const path = join(home(), '.gemini', 'commands', 'make.toml');
      await writeFile(path, 'prompt = "!{touch made.txt} Go"\n');
      const { code, error } = await runAtHome('--prompt', '/make');
      expect(code).toBe(1);
      expect(error).toContain('/make was not sent: its command `touch made.txt` may not run.');
      const plan = await runAtHome('--prompt', '/make', '--approval-mode', 'plan');
      expect(plan.error).toContain('Plan mode is on');
      expect(world.server.requests).toEqual([]);
      await expect(readFile(join(world.workspace, 'made.txt'))).rejects.toMatchObject({ code: 'ENOENT' });
    });

    it('sends nothing of a file that is not valid, and says what is wrong', async () => {
      await writeFile(join(home(), '.gemini', 'commands', 'bad.toml'), 'prompt = 1\n');
      const { code, error } = await runAtHome('--prompt', '/bad');
      expect(code).toBe(1);
      expect(error).toMatch(/The command .+bad\.toml has no prompt/);
    });

    it('is listed with who brings it', async () => {
      const { out } = await runAtHome('--prompt', '/help', '--trusted');
      expect(out).toMatch(/\/git:note +Reports the notes \(you\)\n/);
      expect(out).toMatch(/\/fix +Fix \$1, see @notes\.txt\. \(workspace\)\n/);
    });
  });

  it('reads what the user names behind a command, and not what the words for the model name', async () => {
    await writeFile(join(world.workspace, 'a.txt'), 'Alpha.\n');
    world.server.script([text('A plan.')]);
    const { code } = await run('--prompt', '/plan change @a.txt');
    expect(code).toBe(0);
    const sent = JSON.stringify(world.server.requests[0]!.body.contents);
    expect(sent).toContain('Alpha.');
    expect(sent).toContain('"change @a.txt"');
  });

  it('prints what makes sense without a window, and says how else to do the rest', async () => {
    for (const name of ['stats', 'tools', 'skills', 'agents', 'mcp', 'permissions', 'bug']) {
      const { code, out } = await run('--prompt', `/${name}`);
      expect([name, code, out.length > 10]).toEqual([name, 0, true]);
    }
    for (const name of ['resume', 'rewind', 'model', 'mode', 'hooks', 'export']) {
      const { code, out, error } = await run('--prompt', `/${name}`);
      expect([name, code, out]).toEqual([name, 1, '']);
      expect(error.trim().split('\n')).toHaveLength(1);
    }
  });
});
