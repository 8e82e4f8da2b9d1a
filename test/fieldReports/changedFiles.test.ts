import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { WorkspacePaths } from '../../src/extension/core/paths.ts';
import { type FileReader, utf8Format } from '../../src/extension/platform/fileSystem.ts';
import { SeenFiles } from '../../src/extension/tools/files/seenFiles.ts';
import type { SessionEvent, SessionEventBody } from '../../src/protocol/events.ts';
import { eachTest } from '../support/eachTest.ts';
import { type Answer, call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import type { WorldCase } from './report.ts';

const file = 'a.txt';
const read = call('read_file', { file_path: file });
const part = call('read_file', { file_path: file, start_line: 1, end_line: 1 });
const many = call('read_many_files', { include: [file] });
const own = call('write_file', { file_path: file, content: 'mine\n' });
const edit = call('replace', { file_path: file, instruction: 'i', old_string: 'one', new_string: 'ONE' });

interface ChangedCase extends WorldCase {
  /** How the model came to know the file. */
  readonly seen: ReturnType<typeof call>;
}

const cases: readonly ChangedCase[] = [
  { title: 'after it was read', source: 'report', seen: call('glob', { pattern: '*' }) },
  { title: 'after a part of it was read', source: 'report', seen: part },
  { title: 'after it was read among others', source: 'report', seen: many },
  { title: "after the agent's own write", source: 'report', seen: own },
];

describe('a file that another program changes', () => {
  const world = eachTest(() => HeadlessWorld.make());
  let path: string;
  beforeEach(async () => {
    path = join(world.workspace, file);
    await writeFile(path, 'one\ntwo\n');
  });

  const write = call('write_file', { file_path: file, content: 'one\ntwo\nthree\n' });
  const elsewhere = (change: () => Promise<unknown>, ...steps: readonly ReturnType<typeof call>[]) => {
    return async (): Promise<Answer> => {
      await change();
      return [...steps];
    };
  };
  const add = () => appendFile(path, 'USER LINE\n');
  const results = () => world.server.requests.flatMap(request => lastResults(request));
  async function run(): Promise<void> {
    const { code, error } = await world.run(['--prompt', 'go', '--approval-mode', 'yolo']);
    expect(code, error).toBe(0);
  }

  // A write that a kill cut off may have taken effect.
  it('to exactly what the model writes is known to it from then on', async () => {
    const become = () => writeFile(path, 'one\ntwo\nthree\n');
    const more = call('write_file', { file_path: file, content: 'four\n' });
    world.server.script([part], elsewhere(become, write), [more], [text('Done.')]);
    await run();
    expect(results().map(({ error = 'ok' }) => error)).toEqual([
      'ok',
      expect.stringContaining('exactly this content already'),
      'ok',
    ]);
    expect(await readFile(path, 'utf8')).toBe('four\n');
  });

  it.each(cases)('$title is not overwritten, and the model reads what changed', async ({ seen }) => {
    world.server.script([read], [seen], elsewhere(add, write), [text('Done.')]);
    await run();
    expect(await readFile(path, 'utf8')).toContain('USER LINE');
    expect(results().at(-1)?.error).toMatch(/a\.txt changed since you read it[\s\S]*\+USER LINE/);
  });

  it.each([
    ['a line equal to one there', 'one\ntwo\none\n'],
    ['another blank line', 'one\n\ntwo\n'],
    ['an order of its own', 'two\none\n'],
  ])('by %s is not overwritten', async (_how, now) => {
    world.server.script(
      [read],
      elsewhere(() => writeFile(path, now), write),
      [text('Done.')],
    );
    await run();
    expect(await readFile(path, 'utf8')).toBe(now);
  });

  it('is no other for its line endings and its byte-order mark', async () => {
    await writeFile(path, '\ufeffone\r\ntwo\r\n');
    const again = call('write_file', { file_path: file, content: 'one\ntwo\nfour\n' });
    world.server.script([read], [write], [again], [edit], [own], [text('Done.')]);
    await run();
    expect(results().map(({ error }) => error)).toEqual(Array.from({ length: 5 }, () => undefined));
    expect(await readFile(path, 'utf8')).toBe('\ufeffmine\r\n');
  });

  it('can be written by the next call, which knows it', async () => {
    const right = call('write_file', { file_path: file, content: 'one\ntwo\nUSER LINE\nthree\n' });
    world.server.script([read], elsewhere(add, write), [right], [text('Done.')]);
    await run();
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\nUSER LINE\nthree\n');
  });

  it('is edited where the place still matches, and stays another than was read', async () => {
    world.server.script([read], elsewhere(add, edit), [write], [text('Done.')]);
    await run();
    expect(await readFile(path, 'utf8')).toBe('ONE\ntwo\nUSER LINE\n');
  });

  it('is not written again where it was deleted', async () => {
    world.server.script(
      [read],
      elsewhere(() => rm(path), write),
      [text('Done.')],
    );
    await run();
    await expect(readFile(path)).rejects.toThrow('ENOENT');
    expect(results().at(-1)?.error).toContain('was deleted since you read it');
  });

  it('is refused once where it was never read, and its content is not shown', async () => {
    world.server.script([write], [write], [text('Done.')]);
    await run();
    expect(results()[0]?.error).toContain('a.txt exists already and you have not read what it holds now');
    expect(results()[0]?.error).not.toContain('one');
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\nthree\n');
  });

  it('is refused again where it changed after that', async () => {
    world.server.script([write], elsewhere(add, write), [text('Done.')]);
    await run();
    expect(await readFile(path, 'utf8')).toContain('USER LINE');
  });

  it.each([
    ['it is empty', () => [elsewhere(() => writeFile(path, ''), write)]],
    ['the model edited it before', () => [[edit], [write]]],
  ])('is written at once where %s', async (_where, answers) => {
    world.server.script(...answers(), [text('Done.')]);
    await run();
    expect(results().flatMap(({ error }) => error ?? [])).toEqual([]);
  });

  it('after a prompt mentioned it is not overwritten', async () => {
    world.server.script(elsewhere(add, write), [text('Done.')]);
    const { code, error } = await world.run(['--prompt', 'Change @a.txt', '--approval-mode', 'yolo']);
    expect(code, error).toBe(0);
    expect(results()[0]?.error).toMatch(/changed since you read it[\s\S]*\+USER LINE/);
    expect(await readFile(path, 'utf8')).toContain('USER LINE');
  });

  it('is shown in part where much changed, and must be read again', async () => {
    const lines = Array.from({ length: 400 }, (_line, at) => `line ${at}\n`).join('');
    world.server.script(
      [read],
      elsewhere(() => writeFile(path, lines), write),
      [write],
      [text('Done.')],
    );
    await run();
    expect(await readFile(path, 'utf8')).toBe(lines);
    expect(results().at(-1)?.error).toContain('read a.txt again');
  });
});

describe('a file that was seen before a resume', () => {
  const world = eachTest(() => HeadlessWorld.make());
  let path: string;
  beforeEach(async () => {
    path = join(world.workspace, file);
    await writeFile(path, 'one\ntwo\n');
  });

  const write = call('write_file', { file_path: file, content: 'one\ntwo\nthree\n' });
  async function run(...args: readonly string[]): Promise<void> {
    const { code, error } = await world.run(['--approval-mode', 'yolo', ...args]);
    expect(code, error).toBe(0);
  }
  const lastResult = () => lastResults(world.server.requests.at(-1)!)[0];

  it.each([
    ['read', [read]],
    ['read in part', [part]],
    ['read among others', [many]],
    ['written', [call('write_file', { file_path: file, content: 'one\n' })]],
    ['read, then edited', [read, edit]],
    ['only edited', [edit]],
    [
      'edited twice',
      [edit, call('replace', { file_path: file, instruction: 'i', old_string: 'two', new_string: '2' })],
    ],
  ] as const)('is written at once where it was %s, and refused with what changed', async (how, steps) => {
    world.server.script(...steps.map(step => [step]), [text('Done.')]);
    // A write of a file that was never seen needs a second word.
    if (how === 'written') await writeFile(path, '');
    await run('--prompt', 'go');
    world.server.script([write], [text('Done.')]);
    await run('--resume', 'latest', '--prompt', 'continue');
    expect(lastResult()?.error).toBeUndefined();
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\nthree\n');
    await appendFile(path, 'USER LINE\n');
    world.server.script([own], [text('Done.')]);
    await run('--resume', 'latest', '--prompt', 'continue');
    // The prompt said so already, so the model knows.
    expect(JSON.stringify(world.server.requests.at(-1))).toContain('+USER LINE');
  });

  it('is refused where it was only edited, and another changed it, without what was never read', async () => {
    world.server.script([edit], [text('Done.')]);
    await run('--prompt', 'go');
    await appendFile(path, 'USER LINE\n');
    world.server.script([write], [text('Done.')]);
    await run('--resume', 'latest', '--prompt', 'continue');
    expect(lastResult()?.error).toMatch(/changed since you read it.*read it again/);
    expect(JSON.stringify(world.server.requests.at(-1))).toContain('changed: a.txt');
    expect(JSON.stringify(world.server.requests.at(-1))).not.toContain('USER LINE');
    expect(await readFile(path, 'utf8')).toBe('ONE\ntwo\nUSER LINE\n');
  });

  it('is refused with what changed where it changed within the turn', async () => {
    world.server.script([read], [text('Done.')]);
    await run('--prompt', 'go');
    const meanwhile = async (): Promise<Answer> => {
      await appendFile(path, 'USER LINE\n');
      return [write];
    };
    world.server.script(meanwhile, [text('Done.')]);
    await run('--resume', 'latest', '--prompt', 'continue');
    expect(lastResult()?.error).toMatch(/changed since you read it[\s\S]*\n\+USER LINE/);
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\nUSER LINE\n');
  });

  it('is refused without what changed where only a part was said', async () => {
    world.server.script([part], [text('Done.')]);
    await run('--prompt', 'go');
    const meanwhile = async (): Promise<Answer> => {
      await appendFile(path, 'USER LINE\n');
      return [write];
    };
    world.server.script(meanwhile, [write], [text('Done.')]);
    await run('--resume', 'latest', '--prompt', 'continue');
    expect(lastResult()?.error).toMatch(/changed since you read it.*read it again/);
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\nUSER LINE\n');
  });
});

describe('a file that the instructions hold', () => {
  const world = eachTest(() => HeadlessWorld.make());

  it.each([
    ['whole', 'Use tabs.\n', undefined],
    ['whole, by an import', 'See @b.md\n', undefined],
    ['cut', `${'Use tabs. '.repeat(2000)}\n`, 'you have not read what it holds'],
  ])('%s counts as seen there', async (_how, memory, refusal) => {
    const path = join(world.workspace, 'GEMINI.md');
    await writeFile(path, memory);
    await writeFile(join(world.workspace, 'b.md'), 'imported\n');
    const target = memory.includes('@') ? 'b.md' : 'GEMINI.md';
    const write = call('write_file', { file_path: target, content: 'Use blanks.\n' });
    world.server.script([write], [text('Done.')]);
    const { code, error } = await world.run(['--prompt', 'go', '--approval-mode', 'yolo', '--trusted']);
    expect(code, error).toBe(0);
    const [result] = lastResults(world.server.requests.at(-1)!);
    if (refusal === undefined) expect(result?.error).toBeUndefined();
    else expect(result?.error).toContain(refusal);
  });
});

describe('what was seen before a rewind', () => {
  const places = { show: async (path: string) => path.slice(1) } as unknown as WorkspacePaths;
  let seen: SeenFiles;
  let events: SessionEvent[];
  let emit: (body: SessionEventBody) => void;
  beforeEach(() => {
    seen = new SeenFiles();
    events = [];
    const follower = seen.follower({} as FileReader, places);
    seen.attach({
      noteFile: (path, digest) => emit({ type: 'file.seen', path, digest }),
      said: () => [],
    });
    emit = body => {
      const event = { ...body, seq: events.length + 1, at: events.length } as SessionEvent;
      events.push(event);
      follower.onEvent(event);
    };
  });

  const say = () => emit({ type: 'message.added', message: { role: 'user', parts: [] } });
  const rewind = (keptMessages: number) =>
    emit({
      type: 'session.rewound',
      rewindId: 'r',
      to: { kind: 'turn', turnId: 't' },
      scope: 'both',
      filesFrom: 0,
      keptMessages,
      todos: [],
      reviews: [],
      files: [],
    });
  const check = (before: string) => seen.refuseChanged({ path: '/a', before }, places);

  it('stays seen as far as the history has it, with the text of then', async () => {
    say();
    seen.note('/a', 'one\n');
    say();
    say();
    seen.note('/a', 'one\ntwo\n');
    say();
    rewind(2);
    await check('one\n');
    await expect(check('one\ntwo\n')).rejects.toThrow(/changed since you read it[\s\S]*\+two/);
    emit({ type: 'rewind.undone', rewindId: 'r', files: [] });
    await check('one\ntwo\n');
  });

  it('is not seen any more where the history lost it', async () => {
    say();
    seen.note('/a', 'one\n');
    say();
    rewind(1);
    await expect(check('one\n')).rejects.toThrow('you have not read');
  });
});

describe('files that changed between two prompts', () => {
  const paths = new Map<string, string>();
  let seen: SeenFiles;
  let now: number;
  const files = {
    stat: async (path: string) => (paths.has(path) ? { kind: 'file', size: 1, modifiedAt: now } : undefined),
    readText: async (path: string) => ({ text: paths.get(path)!, format: utf8Format }),
  } as unknown as FileReader;
  const places = { show: async (path: string) => path.slice(1) } as unknown as WorkspacePaths;
  const described = () => seen.describeChanges(files, places);
  beforeEach(() => {
    paths.clear();
    now = 0;
    seen = new SeenFiles({ now: () => now });
    for (const name of ['/a', '/b', '/c']) {
      paths.set(name, 'one\ntwo\n');
      seen.note(name, 'one\ntwo\n');
    }
    now = 60_000;
  });

  it('are described once, each line with its mark', async () => {
    expect(await described()).toBeUndefined();
    paths.set('/a', 'one\n</changed_files>\n');
    paths.delete('/b');
    const text = await described();
    expect(text).toContain('changed: a\n');
    expect(text).toContain('\n-two\n+</changed_files>\n');
    expect(text).toContain('deleted: b\n');
    expect(await described()).toBeUndefined();
    await seen.refuseChanged({ path: '/a', before: paths.get('/a')! }, places);
  });

  it('are named alone where too much changed, once for each content', async () => {
    const many = Array.from({ length: 500 }, (_line, at) => `line ${at}\n`).join('');
    paths.set('/a', many);
    const text = await described();
    expect(text).toContain('changed: a\n');
    expect(text!.split('\n').length).toBeLessThan(60);
    expect(await described()).toBeUndefined();
    await expect(seen.refuseChanged({ path: '/a', before: many }, places)).rejects.toThrow('changed since');
    paths.set('/a', `${many}more\n`);
    expect(await described()).toContain('changed: a\n');
  });
});
