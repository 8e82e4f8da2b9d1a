import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { eventsOf } from '../support/headlessProgram.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import { secrets } from '../support/secrets.ts';

const world = eachTest(() => HeadlessWorld.make());

let settings: string;

beforeEach(async () => {
  // Less than what is kept of one moment's output, however fast it came.
  settings = join(world.folder, 'settings.json');
  await writeFile(settings, JSON.stringify({ 'folio.toolOutputLimit': 10_000 }));
});

const asYolo = ['--approval-mode', 'yolo', '--output-format', 'stream-json'];
const flags = () => [...asYolo, '--settings', settings];

/** Runs until a command has printed this and so many calls have ended, and not a moment longer. */
async function runUntil(shown: string, ended = 0): Promise<void> {
  await world.run(['--prompt', 'look', ...flags()], {
    onStart: child => {
      let out = '';
      child.stdout.on('data', (piece: string) => {
        out += piece;
        const lines = out.split('\n');
        const isShown = lines.some(line => line.includes('"call.output"') && line.includes(shown));
        const ends = lines.filter(line => line.includes('"call.ended"') && line.endsWith('}'));
        if (isShown && ends.length >= ended) child.kill('SIGKILL');
      });
    },
  });
}

/** Continues with the session; what the model is then told of earlier calls, and what the user is shown of them. */
async function goOn() {
  world.server.script([text('Continuing.')]);
  const { code, error, out } = await world.run(['--resume', 'latest', '--prompt', 'continue', ...flags()]);
  expect({ code, error }).toEqual({ code: 0, error: '' });
  const request = world.server.requests.findLast(({ method }) => method === 'streamGenerateContent')!;
  expect(request.fault).toBeUndefined();
  const results = (request.body.contents ?? [])
    .flatMap(({ parts = [] }) => parts)
    .flatMap(({ functionResponse }) => functionResponse ?? [])
    .map(({ name, response }) => ({ name, ...(response as { output?: string; error?: string }) }));
  const shown = eventsOf(out).flatMap(event => (event.type === 'call.ended' ? [event.display] : []));
  return { results, shown };
}

/** Everything that stands below the folder of sessions, by path. */
async function readDisk(): Promise<ReadonlyMap<string, string>> {
  const folder = join(world.folder, 'sessions');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return new Map(await Promise.all(paths.map(async path => [path, await readFile(path, 'utf8')] as const)));
}

const running = (disk: ReadonlyMap<string, string>) =>
  [...disk.keys()].filter(path => path.includes('running-'));

describe('when Folio is killed while a command runs', () => {
  it('model and user get what it had printed, and results that were there stay results', async () => {
    await writeFile(join(world.workspace, 'notes.txt'), `important\n${secrets['a private key']!.text}\n`);
    const command = "cat notes.txt; printf 'no end of line'; sleep 47";
    world.server.script([
      call('create_new_topic', { title: 'Looking around', summary: 'Nothing yet.' }),
      call('write_file', { file_path: 'made.txt', content: 'made\n' }),
      call('run_shell_command', { command: 'echo finished' }),
      call('run_shell_command', { command }),
    ]);
    // The two commands run side by side, as both only read.
    await runUntil('no end of line', 3);

    const killed = await readDisk();
    expect(running(killed).map(path => killed.get(path))).toEqual(
      expect.arrayContaining([expect.stringMatching(/^important\n[\s\S]*no end of line$/)]),
    );
    for (const [path, content] of killed)
      expect(content, path).not.toContain(secrets['a private key']!.hidden);

    const { results, shown } = await goOn();
    expect(results).toEqual([
      { name: 'create_new_topic', output: 'Topic changed to: "Looking around"' },
      { name: 'write_file', output: expect.stringMatching(/^Done: .*made\.txt: \+1/) },
      { name: 'run_shell_command', output: expect.stringMatching(/Exit code: 0\n[\s\S]*finished/) },
      {
        name: 'run_shell_command',
        error: expect.stringMatching(
          /^Ended by the end of Folio before [\s\S]*<untrusted_output>\nimportant\n[\s\S]*no end of line/,
        ),
      },
    ]);
    expect(shown).toEqual([
      {
        summary: 'Ended by the end of Folio',
        detail: { kind: 'text', text: expect.stringMatching(/^important\n[\s\S]*no end of line$/) },
      },
    ]);
    const afterwards = await readDisk();
    expect(running(afterwards)).toEqual([]);
    for (const [path, content] of afterwards)
      expect(content, path).not.toContain(secrets['a private key']!.hidden);
  });

  it('of a command that never stops talking the newest part is kept, within bounds', async () => {
    world.server.script([call('run_shell_command', { command: 'seq 1 400000; echo "the end"; sleep 47' })]);
    await runUntil('the end');
    const { results, shown } = await goOn();
    expect(results[0]?.error).toMatch(/400000\nthe end\n<\/untrusted_output>/);
    expect(results[0]?.error).toMatch(/The whole is in .*interrupted-.*: read parts of it with read_file/);
    expect(shown[0]?.detail).toMatchObject({ outputPath: expect.stringContaining('interrupted-') });
    for (const [path, content] of await readDisk()) expect(content.length, path).toBeLessThan(1_500_000);
  });
});

describe('when nothing is killed', () => {
  it('no output is left in the session but what was saved', async () => {
    world.server.script([call('run_shell_command', { command: 'echo short' })], [text('Done.')]);
    const { code } = await world.run(['--prompt', 'look', ...asYolo]);
    expect(code).toBe(0);
    expect(running(await readDisk())).toEqual([]);
  });
});
