import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeDiskWorld } from '../../support/diskWorld.ts';
import { eachTest } from '../../support/eachTest.ts';
import { initRepository } from '../../support/gitRepository.ts';

const committed = {
  'src/x.ts': 'a\nb\nc\nd\ne\nf\n',
  'crlf.txt': 'one\r\ntwo\r\n',
  'old.txt': 'old\n',
};

describe('undoing what one command did', () => {
  const world = eachTest(() => makeDiskWorld());
  beforeEach(async () => {
    await mkdir(join(world.workspace, 'src'));
    await initRepository(world.workspace, committed);
  });

  const ledger = () => world.session.changes.ledger;
  const at = (name: string) => join(world.workspace, name);
  const read = (name: string) => readFile(at(name), 'utf8').catch(() => null);
  const command = (line: string) => ['run_shell_command', { command: line }] as const;
  const write = (content: string) => ['write_file', { file_path: 'src/x.ts', content }] as const;
  const undo = (callId = 'call1') => world.session.rewind({ kind: 'call', callId }, 'files');
  const changing = "sed -i s/b/B/ src/x.ts; sed -i s/two/TWO/ crlf.txt; rm old.txt; printf '\\000' > new.bin";

  test('puts back each file that it changed, deleted and made, and nothing waits any more', async () => {
    await world.turn('go', command(changing));
    const said = await undo();
    expect(Object.fromEntries(said.map(({ path, result }) => [path, result]))).toEqual({
      'crlf.txt': 'restored',
      'new.bin': 'deleted',
      'old.txt': 'created',
      'src/x.ts': 'restored',
    });
    for (const [name, text] of Object.entries(committed)) expect(await read(name)).toBe(text);
    expect(await read('new.bin')).toBeNull();
    expect(ledger().paths).toEqual([]);
    expect(world.session.state.chapters.flatMap(({ calls }) => calls)).toContain(1);
  });

  test('keeps what tools and the user wrote since, which still waits, and before', async () => {
    await writeFile(at('src/x.ts'), 'a\nb\nc\nd\ne\nf\nmine before\n');
    await world.turn(
      'go',
      command(changing),
      ['read_file', { file_path: 'src/x.ts' }],
      write('a\nB\nc\nD\ne\nf\nmine before\n'),
    );
    await writeFile(at('src/x.ts'), 'a\nB\nc\nD\ne\nF\nmine before\n');
    await undo();
    expect(await read('src/x.ts')).toBe('a\nb\nc\nD\ne\nF\nmine before\n');
    expect(ledger().paths).toEqual([at('src/x.ts')]);
    expect(await ledger().reject({})).toEqual([]);
    expect(await read('src/x.ts')).toBe('a\nb\nc\nd\ne\nF\nmine before\n');
  });

  test('leaves a file in which the user wrote over it, and says so', async () => {
    await world.turn('go', command(changing));
    await writeFile(at('src/x.ts'), 'a\nMINE\nc\nd\ne\nf\n');
    await writeFile(at('old.txt'), 'mine\n');
    const said = await undo();
    expect(
      said
        .filter(({ result }) => result === 'conflict')
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(['old.txt', 'src/x.ts']);
    expect(await read('src/x.ts')).toBe('a\nMINE\nc\nd\ne\nf\n');
    expect(await read('old.txt')).toBe('mine\n');
    expect(await read('crlf.txt')).toBe(committed['crlf.txt']);
  });

  test('leaves what another command did', async () => {
    await world.turn('go', command('sed -i s/b/B/ src/x.ts'), command('sed -i s/e/E/ src/x.ts'));
    await undo('call2');
    expect(await read('src/x.ts')).toBe('a\nB\nc\nd\ne\nf\n');
    await undo('call1');
    expect(await read('src/x.ts')).toBe(committed['src/x.ts']);
  });

  test('can be undone itself, and what waited waits again', async () => {
    await world.turn('go', command(changing));
    const waiting = ledger().paths.toSorted();
    await undo();
    await world.session.undoRewind();
    expect(await read('src/x.ts')).toBe('a\nB\nc\nd\ne\nf\n');
    expect([await read('old.txt'), await read('new.bin')]).toEqual([null, '\0']);
    expect(ledger().paths.toSorted()).toEqual(waiting);
  });

  test('does it also after a reload, and twice changes nothing more', async () => {
    await world.turn('go', command(changing));
    await world.reopen();
    await undo();
    expect(await read('crlf.txt')).toBe(committed['crlf.txt']);
    expect(await undo()).toEqual([]);
  });
});
