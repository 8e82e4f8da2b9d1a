import { access, open, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

/** Shell grammars come from their own packages, because command analysis is tested against those versions. */
const packages = ['web-tree-sitter', 'tree-sitter-bash', 'tree-sitter-powershell'];

/** Position and length of each file in the pack, in bytes. */
type PackIndex = Readonly<Record<string, readonly [offset: number, length: number]>>;

/**
 * Reads a WebAssembly file such as `tree-sitter-bash.wasm`. In the bundle it is compressed in the pack in the folder
 * `wasm`. When the sources run directly, it is in the package of the same name, unless `source` names another. Rejects
 * if it is in neither place.
 */
export async function readGrammar(file: string, source = sourceOf(file)): Promise<Uint8Array> {
  for (const folder of ['./wasm/', '../wasm/']) {
    const path = fileURLToPath(new URL(`${folder}wasm.pack`, import.meta.url));
    if (await exists(path)) return promisify(brotliDecompress)(await readPacked(path, file));
  }
  return readFile(createRequire(import.meta.url).resolve(source));
}

/** The pack starts with the length of its index (four bytes) and the index. Offsets count from the end of the index. */
async function readPacked(path: string, file: string): Promise<Uint8Array> {
  const pack = await open(path);
  try {
    const at = async (position: number, length: number) =>
      (await pack.read(Buffer.alloc(length), 0, length, position)).buffer;
    const length = (await at(0, 4)).readUInt32LE();
    const index: PackIndex = JSON.parse((await at(4, length)).toString());
    const place = index[file];
    if (place === undefined) throw Object.assign(new Error(`${path}/${file}`), { code: 'ENOENT' });
    return await at(4 + length + place[0], place[1]);
  } finally {
    await pack.close();
  }
}

function sourceOf(file: string): string {
  const name = file.replace(/\.wasm$/, '');
  return packages.includes(name) ? `${name}/${file}` : `@vscode/tree-sitter-wasm/wasm/${file}`;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
