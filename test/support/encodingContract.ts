/* Contract of encodings. It uses no vitest, since it also runs in an extension host. */

import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { FileError, type FileSystem } from '../../src/extension/platform/fileSystem.ts';

interface EncodingCase {
  /** A sentence about behaviour. */
  readonly name: string;
  /** @param subject its folder is empty */
  run(subject: { readonly files: FileSystem; readonly root: string }): Promise<void>;
}

const samples = [
  {
    encoding: 'windows1252',
    text: 'Größe – “naïve” café\n',
    hex: '4772f6df65209620936e61ef7665942063 6166e90a',
  },
  { encoding: 'gbk', text: '读取配置文件\n', hex: 'b6c1c8a1c5e4d6c3cec4bcfe0a' },
  { encoding: 'shiftjis', text: '設定ファイル\r\n', hex: '90dd92e8837483408343838b0d0a' },
  { encoding: 'utf16le', text: 'x 漢\n', hex: '78002000226f0a00' },
  { encoding: 'utf16be', text: 'x 漢\n', hex: '007800206f22000a' },
].map(({ hex, ...sample }) => ({ ...sample, bytes: Buffer.from(hex.replaceAll(' ', ''), 'hex') }));

export const encodingContract: readonly EncodingCase[] = [
  ...samples.map(({ encoding, text, bytes }) => ({
    name: `${encoding} without a mark is guessed, told, and written as it was`,
    async run({ files, root }: Parameters<EncodingCase['run']>[0]) {
      const path = posix.join(root, 'a.txt');
      const format = { encoding, bom: false };
      await files.writeBytes(path, bytes);
      assert.deepEqual(await files.readText(path), { text, format, guessed: true });
      assert.deepEqual(await files.decode(path, bytes), { text, format, guessed: true });
      await files.writeText(path, `x${text}`, format, text);
      await files.writeText(path, text, format, `x${text}`);
      assert.deepEqual(Buffer.from(await files.readBytes(path)), bytes);
      assert.deepEqual(Buffer.from(await files.encode(path, text, format)), bytes);
    },
  })),
  {
    name: 'a character that the encoding lacks is refused with its line, and nothing is written',
    async run({ files, root }) {
      const path = posix.join(root, 'a.txt');
      const { text, bytes, encoding } = samples[0]!;
      await files.writeBytes(path, bytes);
      const format = { encoding, bom: false };
      const isRefused = (error: unknown) =>
        error instanceof FileError &&
        error.kind === 'unencodable' &&
        error.english.includes('Windows-1252, which lacks 漢 (U+6F22, line 2)');
      await assert.rejects(files.encode(path, `${text}漢`, format), isRefused);
      await assert.rejects(files.writeText(path, `${text}漢`, format, text), isRefused);
      assert.deepEqual(Buffer.from(await files.readBytes(path)), bytes);
    },
  },
  {
    name: 'a new file is plain UTF-8 unless the user chose another encoding',
    async run({ files, root }) {
      assert.deepEqual(await files.newFormat(posix.join(root, 'new.txt')), { encoding: 'utf8', bom: false });
    },
  },
];
