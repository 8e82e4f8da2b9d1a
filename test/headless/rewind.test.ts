import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { eventsOf } from '../support/headlessProgram.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

const world = eachTest(() => HeadlessWorld.make());

const run = (...args: readonly string[]) => world.run(args);

/** A session with two prompts: `a.txt` is made, then changed, and `b.txt` made. */
async function beginSession(): Promise<void> {
  world.server.script(
    [call('write_file', { file_path: 'a.txt', content: 'one\n' })],
    [text('Made.')],
    [
      call('replace', { file_path: 'a.txt', instruction: 'i', old_string: 'one', new_string: 'two' }),
      call('write_file', { file_path: 'b.txt', content: 'new\n' }),
    ],
    [text('Changed.')],
  );
  expect(await run('--prompt', 'Make it', '--approval-mode', 'autoEdit')).toMatchObject({ code: 0 });
  const changed = await run('--resume', 'latest', '--prompt', 'Change it');
  expect(changed).toEqual({ code: 0, out: 'Changed.\n', error: '' });
}

async function readFiles(): Promise<Record<string, string>> {
  const names = (await readdir(world.workspace)).sort();
  const texts = names.map(async name => [name, await readFile(join(world.workspace, name), 'utf8')] as const);
  return Object.fromEntries(await Promise.all(texts));
}

describe('an earlier session', () => {
  it('continues with all that was said, in the mode that it had', async () => {
    await beginSession();
    const { contents } = world.server.requests[2]!.body;
    expect(contents!.map(({ role }) => role)).toEqual(['user', 'model', 'user', 'model', 'user']);
    expect(await readFiles()).toEqual({ 'a.txt': 'two\n', 'b.txt': 'new\n' });
    expect(
      (await readdir(join(world.folder, 'sessions'))).filter(
        name => name !== 'blobs' && !name.startsWith('.'),
      ),
    ).toHaveLength(1);
  });

  it('is the newest in which something was asked, or the one that is named', async () => {
    world.server.afterScript([text('Hi.')]);
    await run('--prompt', 'first');
    const [first] = (await readdir(join(world.folder, 'sessions'))).filter(name => name !== 'blobs');
    await run('--prompt', 'second');
    await run('--resume', 'latest', '--prompt', 'more');
    expect(JSON.stringify(world.server.requests[2]!.body.contents)).toContain('second');
    await run('--resume', first!, '--prompt', 'more');
    expect(JSON.stringify(world.server.requests[3]!.body.contents)).toContain('first');
  });

  it('of another folder is refused', async () => {
    await beginSession();
    const other = join(world.folder, 'other');
    await mkdir(other);
    const [id] = (await readdir(join(world.folder, 'sessions'))).filter(name => !/^\.|^blobs$/.test(name));
    const { code, out, error } = await run('--resume', id!, '--prompt', 'x', '--workspace', other);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toContain(`belongs to ${world.workspace}, not to ${other}`);
    const latest = await run('--resume', 'latest', '--prompt', 'x', '--workspace', other);
    expect(latest).toMatchObject({ code: 2, out: '' });
    expect(latest.error).toContain(`There is no session of ${other} to resume yet`);
  });

  it('of another folder is not the newest, though something was asked in it later', async () => {
    world.server.afterScript([text('Hi.')]);
    await run('--prompt', 'here');
    const other = join(world.folder, 'other');
    await mkdir(other);
    await run('--prompt', 'elsewhere', '--workspace', other);
    expect(await run('--resume', 'latest', '--prompt', 'more')).toMatchObject({ code: 0, error: '' });
    expect(JSON.stringify(world.server.requests[2]!.body.contents)).toContain('here');
  });
});

describe('a rewind', () => {
  it('goes back to before a prompt, says what it did, and can be undone', async () => {
    await beginSession();
    const { code, out, error } = await run('--resume', 'latest', '--rewind', '2');
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out).toBe(
      'a.txt: put back (+1 -1)\nb.txt: removed (+0 -1)\n' +
        'Files and conversation are back to before prompt 2 (Change it). 2 files changed.\n',
    );
    expect(await readFiles()).toEqual({ 'a.txt': 'one\n' });
    const undone = await run('--resume', 'latest', '--undo-rewind');
    expect(undone).toMatchObject({ code: 0, error: '' });
    expect(undone.out).toContain('The rewind is undone. 2 files changed.');
    expect(await readFiles()).toEqual({ 'a.txt': 'two\n', 'b.txt': 'new\n' });
    expect(world.server.requests).toHaveLength(4);
  });

  it('with a prompt continues from there', async () => {
    await beginSession();
    world.server.script([text('Otherwise.')]);
    const { code, out } = await run('--resume', 'latest', '--rewind', '2', '--prompt', 'Do it otherwise');
    expect(code).toBe(0);
    expect(out).toMatch(/1 file|2 files changed\.\nOtherwise\.\n$/);
    const asked = JSON.stringify(world.server.requests.at(-1)!.body.contents);
    expect(asked).toContain('Do it otherwise');
    expect(asked).not.toContain('Change it');
  });

  it('of files leaves the conversation, and of the conversation leaves files', {
    tags: ['longer'],
  }, async () => {
    await beginSession();
    const files = await run('--resume', 'latest', '--rewind', '1', '--rewind-scope', 'files');
    expect(files.out).toContain('the conversation stays. 2 files changed.');
    expect(await readFiles()).toEqual({});
    const words = await run('--resume', 'latest', '--rewind', '2', '--rewind-scope', 'conversation');
    expect(words.out).toBe(
      'The conversation is back to before prompt 2 (Change it); files stay. 0 files changed.\n',
    );
    const { code, error } = await run('--resume', 'latest', '--rewind', '2');
    expect(code).toBe(2);
    expect(error).toContain('There is no prompt 2 to go back to: the session has 1 prompt.');
  });

  it('keeps what the user wrote, and says so', { tags: ['longer'] }, async () => {
    await beginSession();
    await writeFile(join(world.workspace, 'a.txt'), 'mine\n');
    const { code, out } = await run('--resume', 'latest', '--rewind', '2');
    expect(code).toBe(0);
    expect(out).toContain('a.txt: not changed: others wrote into what would be put back\n');
    expect(out).toContain('1 file changed, 1 not changed.');
    expect(await readFiles()).toEqual({ 'a.txt': 'mine\n' });
  });

  it('is told as one object, or as events', async () => {
    await beginSession();
    const json = await run('--resume', 'latest', '--rewind', '2', '--output-format', 'json');
    expect(JSON.parse(json.out)).toMatchObject({
      rewind: { kind: 'rewound', prompt: 2, text: 'Change it', scope: 'both', files: [{}, {}] },
    });
    const stream = await run('--resume', 'latest', '--undo-rewind', '--output-format', 'stream-json');
    const events = eventsOf(stream.out);
    expect(events.at(-1)).toMatchObject({ type: 'rewind.undone', files: [{}, {}] });
    expect(events.filter(event => event.type === 'file.written')).toHaveLength(2);
  });

  it.each([
    [['--rewind', '1'], 'needs a session'],
    [['--resume', 'latest'], 'There is no prompt'],
    [['--resume', 'latest', '--rewind', '0'], 'from 1, not 0'],
    [['--resume', 'latest', '--rewind', 'x'], 'from 1, not x'],
    [['--resume', 'latest', '--rewind', '1', '--undo-rewind'], 'cannot be given together'],
    [['--resume', 'latest', '--rewind-scope', 'files', '--prompt', 'x'], 'needs --rewind N'],
    [['--resume', 'latest', '--rewind', '1', '--rewind-scope', 'all'], 'takes files, conversation, both'],
    [['--resume', 'latest', '--rewind', '1', '--untrusted'], 'no file is written'],
    [['--resume', 'latest', '--rewind', '1'], 'to resume yet. Start one without'],
    [['--resume', 'nothing', '--rewind', '1'], 'There is no session nothing'],
    [['--resume', '../x', '--rewind', '1'], 'is not the id of a session'],
  ])('with the arguments %j ends with 2 and one sentence', async (args, sentence) => {
    const { code, out, error } = await run(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toContain(sentence);
    expect(error.trim().split('\n')).toHaveLength(1);
  });

  it('that was never done is not undone, and one beyond the last prompt goes nowhere', async () => {
    await beginSession();
    const undo = await run('--resume', 'latest', '--undo-rewind');
    expect(undo).toMatchObject({ code: 2, out: '' });
    expect(undo.error).toContain('There is no rewind to undo');
    const beyond = await run('--resume', 'latest', '--rewind', '3');
    expect(beyond).toMatchObject({ code: 2, out: '' });
    expect(beyond.error).toContain('the session has 2 prompts');
  });
});
