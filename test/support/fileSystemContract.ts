import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FileError, type FileSystem, utf8Format } from '../../src/extension/platform/fileSystem.ts';
import { encodingContract } from './encodingContract.ts';

export interface FileSystemUnderTest {
  readonly files: FileSystem;
  /** An existing, empty folder; absolute, real, with `/`. */
  readonly root: string;
  /** Creates a symbolic link at `path` to `target`. */
  readonly symlink: (target: string, path: string) => Promise<void> | void;
  /** Removes leftovers of the test. */
  readonly dispose: () => Promise<void> | void;
}

/** Contract tests of `FileSystem`, called with a factory for each adapter. */
export function fileSystemContract(name: string, make: () => Promise<FileSystemUnderTest>): void {
  const check = (behaviour: string, body: (subject: FileSystemUnderTest) => Promise<void>) =>
    test(behaviour, async () => {
      const subject = await make();
      try {
        await body(subject);
      } finally {
        await subject.dispose();
      }
    });

  describe(`${name} keeps the file system contract`, () => {
    contractOfReading(check);
    contractOfWriting(check);
    contractOfModes(check);
    contractOfFormats(check);
    contractOfLinks(check);
  });
}

type Check = (behaviour: string, body: (subject: FileSystemUnderTest) => Promise<void>) => void;

function contractOfReading(check: Check): void {
  check('nothing stands at an unknown path', async ({ files, root }) => {
    const path = posix.join(root, 'none.txt');
    expect(await files.stat(path)).toBeUndefined();
    await fails(files.readText(path), 'notFound');
    await fails(files.readBytes(path), 'notFound');
    await fails(files.list(posix.join(root, 'none')), 'notFound');
  });

  check('a path below a file has nothing and says so without a crash', async ({ files, root }) => {
    await files.writeText(posix.join(root, 'file'), 'x', utf8Format);
    const below = posix.join(root, 'file', 'deeper');
    expect(await files.stat(below)).toBeUndefined();
    await fails(files.readText(below), 'notDirectory', 'notFound');
    await fails(files.writeText(below, 'y', utf8Format), 'notDirectory');
    await fails(files.list(posix.join(root, 'file')), 'notDirectory');
  });

  check('a folder tells its entries and their kinds', async ({ files, root }) => {
    await files.writeText(posix.join(root, 'a.txt'), 'abc', utf8Format);
    await files.writeText(posix.join(root, 'sub', 'b.txt'), 'b', utf8Format);
    const entries = [...(await files.list(root))].sort((a, b) => a.name.localeCompare(b.name));
    expect(entries).toEqual([
      { name: 'a.txt', kind: 'file' },
      { name: 'sub', kind: 'directory' },
    ]);
    expect(await files.stat(posix.join(root, 'a.txt'))).toMatchObject({ kind: 'file', size: 3 });
    expect((await files.stat(posix.join(root, 'sub')))?.kind).toBe('directory');
  });

  check('a folder is not read as a file', async ({ files, root }) => {
    await fails(files.readText(root), 'isDirectory');
    await fails(files.readBytes(root), 'isDirectory');
  });
}

function contractOfWriting(check: Check): void {
  check('a written file holds exactly the bytes, missing folders are made', async ({ files, root }) => {
    const path = posix.join(root, 'deep', 'er', 'data.bin');
    const bytes = Uint8Array.from([0, 1, 2, 255, 13, 10]);
    await files.writeBytes(path, bytes);
    expect([...(await files.readBytes(path))]).toEqual([...bytes]);
    await files.writeBytes(path, Uint8Array.from([7]));
    expect([...(await files.readBytes(path))]).toEqual([7]);
  });

  check('text is written as given, with its own line endings', async ({ files, root }) => {
    const path = posix.join(root, 'mixed.txt');
    for (const text of ['', 'no end', 'a\r\nb\nc\rd', 'tail\r\n', 'žluť 漢字 😀\n']) {
      await files.writeText(path, text, utf8Format);
      expect(await files.readText(path)).toEqual({ text, format: utf8Format });
    }
  });

  check('a folder is not overwritten', async ({ files, root }) => {
    await files.writeText(posix.join(root, 'sub', 'a.txt'), 'a', utf8Format);
    await fails(files.writeText(posix.join(root, 'sub'), 'x', utf8Format), 'isDirectory');
    expect((await files.readText(posix.join(root, 'sub', 'a.txt'))).text).toBe('a');
  });

  check('a write that expects another text changes nothing', async ({ files, root }) => {
    const path = posix.join(root, 'a.txt');
    await fails(files.writeText(path, 'new', utf8Format, 'old'), 'changed');
    expect(await files.stat(path)).toBeUndefined();
    await files.writeText(path, 'old\r\n', utf8Format, null);
    await fails(files.writeText(path, 'new', utf8Format, null), 'changed');
    await fails(files.writeText(path, 'new', utf8Format, 'old\n'), 'changed');
    expect((await files.readText(path)).text).toBe('old\r\n');
    await files.writeText(path, 'new', utf8Format, 'old\r\n');
    expect((await files.readText(path)).text).toBe('new');
  });

  check('a failed write leaves nothing beside the file', async ({ files, root }) => {
    await files.writeText(posix.join(root, 'a.txt'), 'a', utf8Format);
    await fails(files.writeText(posix.join(root, 'a.txt'), 'b', utf8Format, 'other'), 'changed');
    expect((await files.list(root)).map(entry => entry.name)).toEqual(['a.txt']);
  });

  check('deleting removes the file, and nothing happens when there is none', async ({ files, root }) => {
    const path = posix.join(root, 'a.txt');
    await files.writeText(path, 'a', utf8Format);
    await files.delete(path);
    expect(await files.stat(path)).toBeUndefined();
    await files.delete(path);
  });
}

function contractOfModes(check: Check): void {
  check('a file becomes executable, stays so when it is written, and is so no longer', async subject => {
    const { files, root } = subject;
    const path = posix.join(root, 'run.sh');
    await files.writeText(path, 'echo', utf8Format);
    const isKnown = (await files.stat(path))?.executable === false;
    await files.setExecutable(path, true);
    await files.writeText(path, 'echo 2', utf8Format);
    expect((await files.stat(path))?.executable).toBe(isKnown ? true : undefined);
    await files.setExecutable(path, false);
    expect((await files.stat(path))?.executable).toBe(isKnown ? false : undefined);
  });
}

function contractOfFormats(check: Check): void {
  const text = 'first\r\nžluť 😀\n';
  const formats = [
    { encoding: 'utf8', bom: true, start: [0xef, 0xbb, 0xbf, 0x66] },
    { encoding: 'utf16le', bom: true, start: [0xff, 0xfe, 0x66, 0x00] },
    { encoding: 'utf16be', bom: true, start: [0xfe, 0xff, 0x00, 0x66] },
  ] as const;
  for (const { start, ...format } of formats) {
    check(`text in ${format.encoding} with a byte-order mark survives`, async ({ files, root }) => {
      const path = posix.join(root, 'text');
      await files.writeText(path, text, format);
      const bytes = await files.readBytes(path);
      expect([...bytes.subarray(0, 4)]).toEqual(start);
      const read = await files.readText(path);
      expect(read).toEqual({ text, format });
      await files.writeText(path, read.text, read.format, read.text);
      expect([...(await files.readBytes(path))]).toEqual([...bytes]);
    });
  }

  for (const { name, run } of encodingContract) check(name, run);

  check('bytes that cannot be read as text without loss are not text', async ({ files, root }) => {
    const path = posix.join(root, 'data');
    const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d];
    const controls = [0x63, 0x01, 0x66, 0xe9, 0x0a];
    for (const bytes of [png, controls]) {
      await files.writeBytes(path, Uint8Array.from(bytes));
      await fails(files.readText(path), 'notText');
      await fails(files.writeText(path, 'x', utf8Format, 'caf\ufffd\n'), 'changed');
      expect([...(await files.readBytes(path))]).toEqual(bytes);
    }
  });
}

function contractOfLinks(check: Check): void {
  check(
    'the real path follows links, also where the rest does not exist',
    async ({ files, root, symlink }) => {
      await files.writeText(posix.join(root, 'real', 'a.txt'), 'a', utf8Format);
      await symlink(posix.join(root, 'real'), posix.join(root, 'link'));
      expect(await files.realPath(posix.join(root, 'link', 'a.txt'))).toBe(posix.join(root, 'real', 'a.txt'));
      const missing = posix.join(root, 'link', 'new', 'b.txt');
      expect(await files.realPath(missing)).toBe(posix.join(root, 'real', 'new', 'b.txt'));
      expect(await files.realPath(posix.join(root, 'none', 'x'))).toBe(posix.join(root, 'none', 'x'));
    },
  );

  check('the real path of a link to nothing is where it leads', async ({ files, root, symlink }) => {
    await symlink(posix.join(root, 'gone', 'x'), posix.join(root, 'link'));
    expect(await files.realPath(posix.join(root, 'link'))).toBe(posix.join(root, 'gone', 'x'));
    expect(await files.stat(posix.join(root, 'link'))).toBeUndefined();
  });

  check('links that lead in a circle fail instead of hanging', async ({ files, root, symlink }) => {
    await symlink(posix.join(root, 'b'), posix.join(root, 'a'));
    await symlink(posix.join(root, 'a'), posix.join(root, 'b'));
    await fails(files.realPath(posix.join(root, 'a')), 'other', 'notFound');
  });

  check('an entry that is a link is told by what it leads to', async ({ files, root, symlink }) => {
    await files.writeText(posix.join(root, 'real', 'a.txt'), 'a', utf8Format);
    await symlink(posix.join(root, 'real'), posix.join(root, 'toFolder'));
    await symlink(posix.join(root, 'real', 'a.txt'), posix.join(root, 'toFile'));
    await symlink(posix.join(root, 'none'), posix.join(root, 'toNothing'));
    const kinds = new Map((await files.list(root)).map(entry => [entry.name, entry.kind]));
    expect(kinds.get('toFolder')).toBe('directory');
    expect(kinds.get('toFile')).toBe('file');
    expect(kinds.get('toNothing')).toBe('other');
  });

  check(
    'a link says where it leads, is made in the place of a file, and is deleted automatically',
    async subject => {
      const { files, root, symlink } = subject;
      const [target, path] = [posix.join(root, 'real.txt'), posix.join(root, 'sub', 'link')];
      await files.writeText(target, 'kept', utf8Format);
      await files.writeText(path, 'file', utf8Format);
      expect(await files.readLink(path)).toBeUndefined();
      expect(await files.readLink(posix.join(root, 'none'))).toBeUndefined();
      await files.writeLink(path, '../real.txt');
      expect([await files.readLink(path), (await files.readText(path)).text]).toEqual([
        '../real.txt',
        'kept',
      ]);
      await files.writeLink(path, '../nothing');
      expect(await files.readLink(path)).toBe('../nothing');
      await files.delete(path);
      expect(await files.readLink(path)).toBeUndefined();
      expect((await files.readText(target)).text).toBe('kept');
      await symlink(target, path);
      expect(await files.readLink(path)).toBe(target);
    },
  );

  check('writing through a link changes what it leads to and keeps the link', async subject => {
    const { files, root, symlink } = subject;
    const target = posix.join(root, 'real.txt');
    const link = posix.join(root, 'link.txt');
    await files.writeText(target, 'old', utf8Format);
    await symlink(target, link);
    await files.writeText(link, 'new', utf8Format, 'old');
    expect((await files.readText(target)).text).toBe('new');
    expect(await files.realPath(link)).toBe(target);
    await files.delete(link);
    expect((await files.readText(target)).text).toBe('new');
  });
}

async function fails(promise: Promise<unknown>, ...kinds: readonly FileError['kind'][]): Promise<void> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(FileError);
  if (error instanceof FileError) expect(kinds).toContain(error.kind);
}
