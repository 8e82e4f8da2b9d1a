import { access, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

/** Those of shells come from the packages of their grammars, whose state the judging of commands is tested against. */
const packages = ['web-tree-sitter', 'tree-sitter-bash', 'tree-sitter-powershell'];

/**
 * Reads a WebAssembly file such as `tree-sitter-bash.wasm`: from the folder `wasm` of the bundle, where it is
 * compressed and whose code lies beside that folder or in another one beside it; from a package, the one of the same name unless
 * `source` says otherwise, when the sources run as they are. Fails if it is in neither place.
 */
export async function readGrammar(file: string, source = sourceOf(file)): Promise<Uint8Array> {
  for (const folder of ['./wasm/', '../wasm/']) {
    const path = fileURLToPath(new URL(`${folder}${file}.br`, import.meta.url));
    if (await exists(path)) return promisify(brotliDecompress)(await readFile(path));
  }
  return readFile(createRequire(import.meta.url).resolve(source));
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
