/*
 * Removes models of the encoding detector that guessEncoding.ts does not use, and packs the others again. This shrinks
 * them from 0.7 to 0.1 MB of the .vsix.
 */

import { deflateSync } from 'node:zlib';
import type { Plugin } from 'esbuild';

/** Returns true for a used model, named by language and encoding: `de/cp1252`. */
const isAsked = (model: string) =>
  /\/(cp125[0-6]|cp932|shift_jis_2004|gb18030|big5hkscs|cp949|euc_kr|euc_jis_2004|koi8-r)$/.test(model);

/** Bytes of a model, with a weight for each pair of bytes. */
const modelSize = 65_536;
/** Bytes before the norms of the models: a magic number, and a hash that the detector ignores. */
const headerSize = 36;

export const trimDetector: Plugin = {
  name: 'trim-detector',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]jschardet[\\/]build[\\/]models[\\/]models\.bin\.js$/ }, async ({ path }) => {
      const models = await readModels(path);
      const kept = models.filter(({ name }) => isAsked(name));
      const count = Buffer.alloc(4);
      count.writeUInt32BE(kept.length);
      const parts = [
        Buffer.from('CMD2'),
        count,
        ...kept.map(each => each.head),
        ...kept.map(each => each.weights),
      ];
      return { contents: unpacking(Buffer.concat(parts)) };
    });
    onLoad({ filter: /[\\/]jschardet[\\/]build[\\/]models[\\/]langnorm\.bin\.js$/ }, async ({ path }) => {
      const models = await readModels(path.replace('langnorm', 'models'));
      const bytes = await readBytes(path);
      const norms = models.flatMap(({ name }, at) =>
        isAsked(name) ? [bytes.subarray(headerSize + at * 8, headerSize + at * 8 + 8)] : [],
      );
      return { contents: unpacking(Buffer.concat([bytes.subarray(0, headerSize), ...norms])) };
    });
  },
};

interface Model {
  readonly name: string;
  /** Name and norm in the format of the file. */
  readonly head: Buffer;
  readonly weights: Buffer;
}

/** Reads a file: a magic number, the number of models, a head for each, then the weights of each. */
async function readModels(path: string): Promise<readonly Model[]> {
  const bytes = await readBytes(path);
  const heads: { name: string; head: Buffer }[] = [];
  let at = 8;
  for (let left = bytes.readUInt32BE(4); left > 0; left--) {
    const nameEnd = at + 4 + bytes.readUInt32BE(at);
    heads.push({ name: bytes.toString('utf8', at + 4, nameEnd), head: bytes.subarray(at, nameEnd + 8) });
    at = nameEnd + 8;
  }
  return heads.map((each, index) => {
    const start = at + index * modelSize;
    return { ...each, weights: bytes.subarray(start, start + modelSize) };
  });
}

async function readBytes(path: string): Promise<Buffer> {
  const module: { readonly readBytes: () => Uint8Array } = await import(path);
  return Buffer.from(module.readBytes());
}

/** Returns a module with the export that the detector imports from this file. */
function unpacking(bytes: Buffer): string {
  const packed = JSON.stringify(deflateSync(bytes, { level: 9 }).toString('base64'));
  return `import { inflateSync } from 'node:zlib';
let cached;
export const readBytes = () => (cached ??= new Uint8Array(inflateSync(Buffer.from(${packed}, 'base64'))));`;
}
