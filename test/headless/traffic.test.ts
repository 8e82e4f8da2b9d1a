import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text, unavailable } from '../support/geminiAnswers.ts';
import { eventsOf } from '../support/headlessProgram.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

const secret = `AIza${'SyA1234567890abcdefghijklmnopqrstuv'}`;

const world = eachTest(() => HeadlessWorld.make());
let file: string;

beforeEach(async () => {
  file = join(world.folder, 'traffic.jsonl');
  await writeFile(join(world.workspace, 'a.txt'), `one ${secret}\n`);
});

/** Reads the file, edits it, and says so. */
async function record(...failures: readonly (typeof unavailable)[]): Promise<string> {
  world.server.script(
    [call('read_file', { file_path: 'a.txt' })],
    ...failures,
    [call('replace', { file_path: 'a.txt', instruction: 'Count on', old_string: 'one', new_string: 'two' })],
    [text('Changed.')],
  );
  const run = await world.run(['--prompt', 'Change it', '--approval-mode', 'yolo', '--record', file]);
  expect(run).toMatchObject({ code: 0, out: 'Changed.\n' });
  return await readFile(file, 'utf8');
}

describe('a recording', () => {
  it('has every request and answer, failures too, each message once, and no secret', async () => {
    const lines = (await record(unavailable))
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(lines.map(({ type, n }) => `${type} ${n}`)).toEqual(
      [1, 2, 3, 4].flatMap(n => [`request ${n}`, `answer ${n}`]),
    );
    const requests = lines.filter(({ type }) => type === 'request');
    expect(requests.map(({ like, kept, messages }) => [like, kept, messages.length])).toEqual([
      [undefined, undefined, requests[0].messages.length],
      [1, requests[0].messages.length, 2],
      [2, requests[0].messages.length + 2, 0],
      [3, requests[0].messages.length + 2, 2],
    ]);
    expect(lines[3].end).toMatchObject({
      ok: false,
      error: { kind: 'overloaded', retryable: true, status: 503 },
    });
    expect(JSON.stringify(lines)).not.toContain(secret);
    expect((await stat(file)).mode & 0o077).toBe(0);
  });

  it('plays the same work again without a service and without a key', async () => {
    await record();
    await writeFile(join(world.workspace, 'a.txt'), 'one more\n');
    const asked = world.server.requests.length;
    const { code, out, error } = await world.run(
      [
        '--prompt',
        'Change it',
        '--approval-mode',
        'yolo',
        '--replay',
        file,
        '--output-format',
        'stream-json',
      ],
      { env: { GEMINI_API_KEY: '' } },
    );
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(await readFile(join(world.workspace, 'a.txt'), 'utf8')).toBe('two more\n');
    expect(eventsOf(out).filter(({ type }) => type === 'call.ended')).toHaveLength(2);
    expect(world.server.requests.length).toBe(asked);
  });

  it('says what it has no answer for', async () => {
    await record();
    const { code, error } = await world.run(['--prompt', 'Again', '--resume', 'latest', '--replay', file]);
    expect(code).toBe(1);
    expect(error).toContain('The recording has no answer left for this request.');
  });

  it.each([
    ['not there', undefined, /cannot be replayed: ENOENT.*Name a file that --record has written\./],
    ['no recording', 'hello\n', /cannot be replayed: Line 1 is no line of a recording\./],
    ['empty', '', /cannot be replayed: It holds no answer\./],
  ])('that is %s is refused in one sentence', async (_what, content, sentence) => {
    if (content !== undefined) await writeFile(file, content);
    const { code, out, error } = await world.run(['--prompt', 'hi', '--replay', file]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toMatch(sentence);
  });

  it('is not written and played at once', async () => {
    const { code, error } = await world.run(['--prompt', 'hi', '--replay', file, '--record', file]);
    expect(code).toBe(2);
    expect(error).toContain('--record and --replay cannot be given together.');
  });
});
