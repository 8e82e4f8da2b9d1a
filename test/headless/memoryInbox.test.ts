import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

describe('the memory inbox of a headless run', () => {
  const world = eachTest(() => HeadlessWorld.make());
  beforeEach(async () => {
    await writeFile(join(world.workspace, 'a.txt'), 'Note: deploy with make ship.\n');
  });

  const run = (...args: readonly string[]) =>
    world.run(args, { env: { HOME: world.home, USERPROFILE: world.home } });

  const fact = (words: string, at: string, quote: string) => ({
    kind: 'convention',
    fact: words,
    evidence: [{ at, quote }],
  });
  const proposed = (...facts: readonly object[]) => text(JSON.stringify({ facts, skills: [] }));
  const reads = () => Array.from({ length: 4 }, () => call('read_file', { file_path: 'a.txt' }));

  /** Three prompts and eight calls, then what the light model answers. */
  async function work(answer: ReturnType<typeof text>, ...more: readonly string[]) {
    world.server.script(reads(), [text('One.')], reads(), [text('Two.')], [text('Three.')], [answer]);
    await run('--prompt', 'Always use tabs here', ...more);
    await run('--prompt', 'Read it again', '--resume', 'latest', ...more);
    return run('--prompt', 'Thanks', '--resume', 'latest', '--output-format', 'stream-json', ...more);
  }

  const inboxFiles = async () =>
    (await readdir(join(world.folder, 'sessions'))).filter(name => name.startsWith('.inbox-'));

  it('gets proposals once enough was done, and writes none unseen', async () => {
    const last = await work(
      proposed(
        fact('Use tabs.', 'P1', 'Always use tabs here'),
        fact('Deploy with make ship.', 'C1', 'deploy with make ship'),
        fact('Use spaces.', 'P1', 'use spaces'),
      ),
    );
    expect(last).toMatchObject({ code: 0, error: '' });
    const events = last.out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(events.filter(({ type }) => type === 'side.asked')).toMatchObject([{ purpose: 'memory' }]);
    expect(world.server.requests).toHaveLength(6);
    const asked = JSON.stringify(world.server.requests.at(-1)!.body);
    expect(asked).toContain('[P1] Always use tabs here');
    expect(asked).toMatch(/\[C8\] ok: read_file/);
    const [name, ...others] = await inboxFiles();
    expect(others).toEqual([]);
    const path = join(world.folder, 'sessions', name!);
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
    const listed = await run('--prompt', '/memory inbox');
    expect(listed.out).toContain('2 entries wait.');
    expect(listed.out).toMatch(/## 1\. Use tabs\.\n\n- Your prompt 1: Always use tabs here/);
    expect(listed.out).toMatch(/## 2\. Deploy with make ship\.\n\nThis comes only from the output of a tool/);
    expect(await readdir(world.workspace)).toEqual(['a.txt']);
    expect(await readdir(world.home, { recursive: true })).toEqual(['.gemini']);
  });

  it('entries are accepted, edited and dropped by number', async () => {
    await work(
      proposed(
        fact('Use tabs.', 'P1', 'Always use tabs here'),
        fact('Files are read twice.', 'P2', 'Read it again'),
        fact('The user is polite.', 'P3', 'Thanks'),
      ),
    );
    const kept = await run('--prompt', '/memory inbox accept 1');
    expect(kept.out).toMatch(/^Kept in .*workspace\/GEMINI\.md: Use tabs\.\n$/);
    expect(await readFile(join(world.workspace, 'GEMINI.md'), 'utf8')).toContain('- Use tabs.\n');
    expect((await run('--prompt', '/memory inbox edit 2 Files are read once.')).code).toBe(0);
    await run('--prompt', '/memory inbox accept 2 --user');
    expect(await readFile(join(world.home, '.gemini', 'GEMINI.md'), 'utf8')).toContain(
      '- Files are read once.\n',
    );
    expect((await run('--prompt', '/memory inbox drop 3')).out).toBe('Dropped: The user is polite.\n');
    expect(await run('--prompt', '/memory inbox accept 1')).toMatchObject({ code: 1, out: '' });
    expect((await run('--prompt', '/memory inbox drop')).error).toContain('Add the number of an entry');
    expect((await run('--prompt', '/memory inbox')).out).toContain('The inbox is empty.');
    expect(world.server.requests).toHaveLength(6);
  });

  it('a stretch is looked at once, and what was decided on is not proposed again', async () => {
    await work(proposed(fact('Use tabs.', 'P1', 'Always use tabs here')));
    await run('--prompt', '/memory inbox drop 1');
    world.server.script([text('Four.')]);
    await run('--prompt', 'Bye', '--resume', 'latest');
    expect(world.server.requests).toHaveLength(7);
    await work(proposed(fact('Always use tabs here.', 'P1', 'Always use tabs here')));
    expect(JSON.stringify(world.server.requests.at(-1)!.body)).toContain('Use tabs.');
    expect((await run('--prompt', '/memory inbox')).out).toContain('The inbox is empty.');
  });

  it('an answer that cannot be read is dropped, and the run ends well', {
    tags: ['longer'],
  }, async () => {
    expect(await work(text('I would remember the tabs.'))).toMatchObject({ code: 0 });
    expect((await run('--prompt', '/memory inbox')).out).toContain('The inbox is empty.');
  });

  it.each([
    ['an untrusted workspace', ['--untrusted'], '{}'],
    ['the setting', [], '{ "folio": { "memory": { "propose": false } } }'],
    ["the other program's setting", [], '{ "experimental": { "autoMemory": false } }'],
  ])('%s proposes nothing', async (_name, args, settings) => {
    const file = join(world.folder, 'settings.json');
    await writeFile(file, settings);
    await work(proposed(), '--settings', file, ...args);
    expect(world.server.requests).toHaveLength(5);
    expect(await inboxFiles()).toEqual([]);
  });

  it('another workspace has an inbox of its own', async () => {
    await work(proposed(fact('Use tabs.', 'P1', 'Always use tabs here')));
    const other = join(world.folder, 'other');
    await mkdir(other);
    expect((await run('--prompt', '/memory inbox', '--workspace', other)).out).toContain(
      'The inbox is empty.',
    );
  });

  it('a damaged inbox is said, and left as it is', async () => {
    await work(proposed(fact('Use tabs.', 'P1', 'Always use tabs here')));
    const path = join(world.folder, 'sessions', (await inboxFiles())[0]!);
    await writeFile(path, '{ "version": 2 }');
    const listed = await run('--prompt', '/memory inbox');
    expect(listed).toMatchObject({ code: 1, out: '' });
    expect(listed.error).toContain('is damaged or was written by a later version');
    expect(await readFile(path, 'utf8')).toBe('{ "version": 2 }');
  });
});
