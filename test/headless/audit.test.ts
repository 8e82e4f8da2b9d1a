import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { runHeadless } from '../support/headlessRun.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import { secrets } from '../support/secrets.ts';

const { text: token, hidden } = secrets['a GitHub token']!;

describe('an audit log', () => {
  const world = eachTest(() => HeadlessWorld.make());
  let folder: string;
  beforeEach(async () => {
    folder = join(world.folder, 'audit');
    await writeFile(join(world.workspace, 'a.txt'), 'sand');
  });

  async function writeLog(): Promise<string> {
    world.server.script(
      [call('run_shell_command', { command: `echo ${token}` })],
      [call('write_file', { file_path: 'b.txt', content: 'shell' })],
      [text('Done.')],
    );
    const { code, error } = await world.run([
      '--prompt',
      'Write',
      '--approval-mode',
      'yolo',
      '--audit',
      folder,
    ]);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    const name = (await readdir(folder)).find(each => each.endsWith('.jsonl'));
    return join(folder, name!);
  }

  const linesOf = async (path: string) => (await readFile(path, 'utf8')).trimEnd().split('\n');
  const change = async (path: string, to: (lines: string[]) => string[]) =>
    await writeFile(path, `${to(await linesOf(path)).join('\n')}\n`);
  const verify = (path: string) => runHeadless({ args: ['--verify-audit', path] });

  it('holds sessions, calls, commands and written files, without secrets of known formats', async () => {
    const path = await writeLog();
    const entries = (await linesOf(path)).map(line => JSON.parse(line));
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, at) => at + 1));
    expect(entries.map(({ event }) => event)).toEqual([
      'log.started',
      'session.started',
      'turn.started',
      'call.requested',
      'call.started',
      'call.ended',
      'call.requested',
      'call.started',
      'file.written',
      'call.ended',
      'turn.ended',
      'log.ended',
    ]);
    expect(entries[3]).toMatchObject({ tool: 'run_shell_command', effect: 'run' });
    expect(entries[3].command).toMatch(/^echo /);
    expect(entries[5]).toMatchObject({ outcome: 'ok', exitCode: 0 });
    expect(await readFile(path, 'utf8')).not.toContain(hidden);
    const { code, out } = await verify(path);
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringContaining('is as it was written: 12 '),
    });
  });

  it('holds what is asked and what is denied', async () => {
    world.server.script([call('run_shell_command', { command: 'touch c.txt' })], [text('Then not.')]);
    await world.run(['--prompt', 'Write', '--audit', folder]);
    const name = (await readdir(folder)).find(each => each.endsWith('.jsonl'));
    const entries = (await linesOf(join(folder, name!))).map(line => JSON.parse(line));
    expect(entries.find(({ event }) => event === 'call.ended')).toMatchObject({ outcome: 'denied' });
  });

  it.each<[string, (lines: string[]) => string[], RegExp]>([
    ['changed', lines => lines.with(3, lines[3]!.replace('echo', 'Echo')), /line 5: it does not follow/],
    [
      'changed at the end',
      lines => lines.with(-1, lines.at(-1)!.replace('log.', 'Log.')),
      /line 12: it is not the/,
    ],
    ['removed', lines => lines.toSpliced(3, 1), /line 4: it does not follow/],
    ['moved', lines => lines.with(3, lines[4]!).with(4, lines[3]!), /line 4: it does not follow/],
    ['cut off', lines => lines.slice(0, -2), /line 10: the lines up to 12 are missing/],
    ['added', lines => [...lines, '{"seq":13,"event":"call.decided"}'], /line 13: it does not follow/],
  ])('shows that a line was %s', async (_, to, expected) => {
    const path = await writeLog();
    await change(path, to);
    const { code, out } = await verify(path);
    expect(out).toMatch(expected);
    expect(code).toBe(1);
  });

  it('that cannot be written says so once, and the work goes on', async () => {
    await writeFile(folder, 'in the way');
    world.server.script([text('Done.')]);
    const { code, out, error } = await world.run(['--prompt', 'Say', '--audit', folder]);
    expect({ code, out }).toEqual({ code: 0, out: 'Done.\n' });
    expect(error).toMatch(/^error: The audit log [^\n]* ends here[^\n]*\n$/);
  });
});
