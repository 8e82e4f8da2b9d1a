import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { BackgroundWorld, until } from '../support/backgroundWorld.ts';
import { eachTest } from '../support/eachTest.ts';
import { call, hang, text } from '../support/geminiAnswers.ts';
import { initRepository } from '../support/gitRepository.ts';

describe('a session in a worktree that runs in the background host', () => {
  const world = eachTest(() => BackgroundWorld.make());
  let settings: string;

  beforeEach(async () => {
    settings = join(world.home, 'settings.json');
    await initRepository(world.workspace, { 'a.txt': 'home\n' });
  });

  const setUpWith = (command: string) =>
    writeFile(settings, JSON.stringify({ 'folio.worktree.setup': command }));
  const begin = () =>
    world.begin('Work there', '--worktree', 'side', '--settings', settings, '--approval-mode', 'yolo');
  const read = (...names: readonly string[]) => readFile(join(...names), 'utf8');
  const tree = async () => {
    const place = join(world.home, '.folio/worktrees');
    const [repository] = await readdir(place).catch(() => []);
    return join(place, repository ?? '', 'side');
  };

  it('has it named in the list, and is set up before its prompt', async () => {
    await setUpWith('echo ready > ready');
    const command = call('run_shell_command', { command: 'cat ready > a.txt' });
    world.server.script([command], [hang]);
    const id = await begin();
    await until(async () => world.server.requests.length === 2);
    expect(await world.list()).toMatch(new RegExp(`^${id}  working  .*  \\(worktree side\\)\\n$`));
    expect(await read(await tree(), 'a.txt')).toBe('ready\n');
    expect(await read(world.workspace, 'a.txt')).toBe('home\n');
    await world.kill();
    expect(await world.list()).toContain('  (worktree side)\n');
    world.server.script([text('Done.')]);
    await world.run('--background', '--resume', id);
    await world.whenHostEnded();
    const { out } = await world.run('--resume', id, '--prompt', '/worktree changes');
    expect(out).toContain('- a.txt');
  });

  it('is set up once more, and gets its prompt, after a kill in between', async () => {
    await setUpWith('echo begun >> begun && [ -f go ] || sleep 600');
    world.server.script([text('Done.')]);
    const id = await begin();
    // The file is there before what stands in it.
    await until(async () => (await read(await tree(), 'begun').catch(() => '')) !== '');
    await world.kill();
    await writeFile(join(await tree(), 'go'), '');
    await world.run('--background', '--resume', id, '--approval-mode', 'yolo', '--settings', settings);
    await world.whenHostEnded();
    expect(await read(await tree(), 'begun')).toBe('begun\nbegun\n');
    expect(world.server.requests).toHaveLength(1);
    expect(JSON.stringify(world.server.requests[0]!.body)).toContain('Work there');
  });

  it('works in its worktree also when nothing of it had reached the disk', async () => {
    await writeFile(settings, JSON.stringify({ 'folio.parallel.max': 1 }));
    world.server.script([hang]);
    await world.begin('First', '--settings', settings);
    await until(async () => world.server.requests.length === 1);
    const id = await begin();
    await world.kill();
    const command = call('run_shell_command', { command: 'echo there > a.txt' });
    world.server.script([command], [text('Done.')]);
    await world.run('--background', '--resume', id, '--approval-mode', 'yolo');
    await world.whenHostEnded();
    expect(await read(await tree(), 'a.txt')).toBe('there\n');
    expect(await read(world.workspace, 'a.txt')).toBe('home\n');
  });

  it('is refused with the reason where none can be made', async () => {
    const { code, error } = await world.run('--background', '--prompt', 'Work', '--worktree', 'a/../b');
    expect(code).toBe(2);
    expect(error).not.toBe('');
  });
});
