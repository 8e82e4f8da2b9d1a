import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeAtomically } from '../../src/extension/node/files/atomicWrite.ts';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import { asyncStatCalls, syncStatCalls } from '../../src/extension/node/files/statCalls.ts';
import { FileError, utf8Format } from '../../src/extension/platform/fileSystem.ts';
import { fileSystemContract } from '../support/fileSystemContract.ts';

const makeFolder = async () => await realpath(await mkdtemp(join(tmpdir(), 'folio-files-')));
const isRoot = process.getuid?.() === 0;

for (const [how, scans] of [
  ['waits', asyncStatCalls],
  ['asks directly', syncStatCalls],
] as const)
  fileSystemContract(`NodeFileSystem that ${how}`, async () => {
    const root = await makeFolder();
    return {
      files: new NodeFileSystem(scans),
      root,
      symlink: (target, path) => symlink(target, path),
      dispose: () => rm(root, { recursive: true, force: true }),
    };
  });

describe('files on the disk', () => {
  const files = new NodeFileSystem();
  let root: string;
  beforeEach(async () => {
    root = await makeFolder();
  });
  afterEach(async () => {
    await rm(root, { recursive: true, force: true });
  });

  test('a rewritten file keeps its mode', async () => {
    const path = join(root, 'run.sh');
    await writeFile(path, 'old');
    for (const mode of [0o755, 0o600, 0o640]) {
      await chmod(path, mode);
      await files.writeText(path, `for ${mode}`, utf8Format);
      expect((await stat(path)).mode & 0o7777).toBe(mode);
    }
  });

  test.skipIf(isRoot)('a file that is marked read-only is not replaced', async () => {
    const path = join(root, 'locked.txt');
    await writeFile(path, 'old');
    await chmod(path, 0o444);
    expect(await kindOfFailure(files.writeText(path, 'new', utf8Format))).toBe('denied');
    expect(await readFile(path, 'utf8')).toBe('old');
  });

  test.skipIf(!isRoot)('a file of another user stays theirs when root rewrites it', async () => {
    const path = join(root, 'theirs.txt');
    await writeFile(path, 'old');
    const { chown } = await import('node:fs/promises');
    await chown(path, 12345, 54321);
    await files.writeText(path, 'new', utf8Format);
    expect(await stat(path)).toMatchObject({ uid: 12345, gid: 54321 });
  });

  test.runIf(process.platform === 'linux')('a device is never replaced by a file', async () => {
    expect(await kindOfFailure(files.writeText('/dev/full', 'x', utf8Format))).toBe('other');
    expect((await stat('/dev/full')).isCharacterDevice()).toBe(true);
  });

  test.skipIf(process.platform === 'win32')('a pipe is neither read nor replaced', async () => {
    const path = join(root, 'pipe');
    await once(spawn('mkfifo', [path]), 'exit');
    expect(await kindOfFailure(files.readText(path))).toBe('other');
    expect(await kindOfFailure(files.writeText(path, 'x', utf8Format))).toBe('other');
    expect((await stat(path)).isFIFO()).toBe(true);
  });

  test('a link to nothing is written through: its target comes into being', async () => {
    await symlink('sub/target.txt', join(root, 'link'));
    await files.writeText(join(root, 'link'), 'text', utf8Format, null);
    expect(await readFile(join(root, 'sub', 'target.txt'), 'utf8')).toBe('text');
  });

  test('a circle of links through a missing folder fails and does not hang', async () => {
    await symlink('missing/../loop', join(root, 'loop'));
    expect(await kindOfFailure(files.realPath(join(root, 'loop')))).toBe('other');
  });

  test.each(['longer than before', 'x', ''])('hard links survive a write: %j', async text => {
    await writeFile(join(root, 'a'), 'old text');
    await link(join(root, 'a'), join(root, 'b'));
    await files.writeText(join(root, 'a'), text, utf8Format, 'old text');
    expect(await readFile(join(root, 'b'), 'utf8')).toBe(text);
    expect((await stat(join(root, 'a'))).nlink).toBe(2);
    expect((await readdir(root)).toSorted()).toEqual(['a', 'b']);
  });

  test('a file with hard links that cannot be written whole leaves the whole text beside it', async () => {
    const path = join(root, 'a');
    await writeFile(path, 'old');
    await link(path, join(root, 'b'));
    // In place of a disk that fails: what stands there now cannot be opened for writing.
    const check = async () => {
      await rm(path);
      await mkdir(path);
    };
    const failure = await writeAtomically(path, Buffer.from('new'), { check }).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(FileError);
    const copy = (await readdir(root)).find(name => name.startsWith('.folio-'))!;
    expect(await readFile(join(root, copy), 'utf8')).toBe('new');
    expect((failure as FileError).message).toContain(join(root, copy));
  });

  test('a refused write leaves a file with hard links as it was', async () => {
    await writeFile(join(root, 'a'), 'theirs');
    await link(join(root, 'a'), join(root, 'b'));
    expect(await kindOfFailure(files.writeText(join(root, 'a'), 'new', utf8Format, 'old'))).toBe('changed');
    expect(await readFile(join(root, 'b'), 'utf8')).toBe('theirs');
    expect((await readdir(root)).toSorted()).toEqual(['a', 'b']);
  });

  test('a file that takes no room on the disk, as one that a cloud keeps, is read whole', async () => {
    const path = join(root, 'hole');
    await writeFile(path, '');
    await truncate(path, 5000);
    expect(await files.readBytes(path)).toEqual(Buffer.alloc(5000));
  });

  test('half of a character is refused before anything is touched', async () => {
    const path = join(root, 'a.txt');
    await writeFile(path, 'old');
    expect(await kindOfFailure(files.writeText(path, 'x\ud83d', utf8Format))).toBe('notText');
    expect(await readFile(path, 'utf8')).toBe('old');
  });

  test('UTF-16 with an odd byte, UTF-32 and a NUL late in the file are classified by what would be lost', async () => {
    const path = join(root, 'data');
    await writeFile(path, Uint8Array.from([0xff, 0xfe, 0x41]));
    expect(await kindOfFailure(files.readText(path))).toBe('notText');
    await writeFile(path, Uint8Array.from([0xff, 0xfe, 0, 0, 0x41, 0, 0, 0]));
    expect(await kindOfFailure(files.readText(path))).toBe('notText');
    const late = `${'x'.repeat(9000)}\0y`;
    await writeFile(path, late);
    expect((await files.readText(path)).text).toBe(late);
  });

  test('a folder cannot be deleted as a file, and what is below a file counts as absent', async () => {
    await mkdir(join(root, 'sub'));
    await writeFile(join(root, 'file'), 'x');
    expect(await kindOfFailure(files.delete(join(root, 'sub')))).toBe('isDirectory');
    await files.delete(join(root, 'file', 'deeper'));
    expect((await readdir(root)).sort()).toEqual(['file', 'sub']);
  });

  test('of two writers that expect the same text one wins or both see the change, never a mixture', async () => {
    const path = join(root, 'a.txt');
    await writeFile(path, 'old');
    const texts = Array.from({ length: 8 }, (_, index) => String(index).repeat(100_000));
    await Promise.allSettled(texts.map(text => files.writeText(path, text, utf8Format, 'old')));
    expect(texts).toContain(await readFile(path, 'utf8'));
    expect(await readdir(root)).toEqual(['a.txt']);
  });

  test('a writer killed in the middle leaves the old file or the new one', async () => {
    const path = join(root, 'big.txt');
    const size = 300_000;
    await writeFile(path, 'a'.repeat(size));
    for (let round = 0; round < 12; round++) {
      const writer = spawn(
        process.execPath,
        [fileURLToPath(new URL('../support/steadyWriter.ts', import.meta.url)), path, String(size)],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      await once(writer.stdout, 'data');
      await new Promise(resolve => setTimeout(resolve, round * 3));
      writer.kill('SIGKILL');
      await once(writer, 'exit');
      const text = await readFile(path, 'utf8');
      expect(text.length).toBe(size);
      expect(text).toBe(text[0]!.repeat(size));
    }
  });
});

async function kindOfFailure(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'none';
  } catch (error) {
    return error instanceof FileError ? error.kind : `no FileError: ${String(error)}`;
  }
}
