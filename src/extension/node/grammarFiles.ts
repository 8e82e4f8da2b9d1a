import { access, open, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

/**
 * Those of shells come from the packages of their grammars, whose state the classifying of commands is tested against.
 */
const packages = ['web-tree-sitter', 'tree-sitter-bash', 'tree-sitter-powershell'];

/** Where a file lies in the pack, and how many bytes of it. */
type PackIndex = Readonly<Record<string, readonly [offset: number, length: number]>>;

/**
 * Reads a WebAssembly file such as `tree-sitter-bash.wasm`: from the pack in the folder `wasm` of the bundle, which
 * holds each compressed; from a package, the one of the same name unless `source` says otherwise, when the sources run
 * as they are. Fails if it is in neither place.
 */
export async function readGrammar(file: string, source = sourceOf(file)): Promise<Uint8Array> {
  for (const folder of ['./wasm/', '../wasm/']) {
    const path = fileURLToPath(new URL(`${folder}wasm.pack`, import.meta.url));
    if (await exists(path)) return promisify(brotliDecompress)(await readPacked(path, file));
  }
  return readFile(createRequire(import.meta.url).resolve(source));
}

/** The pack begins with the length of its index, in four bytes, and the index; offsets count from its end. */
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
