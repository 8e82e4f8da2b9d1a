import { access, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Reads a WebAssembly file such as `tree-sitter-bash.wasm`: from the folder `wasm` of the bundle, whose code lies
 * beside that folder or in another one beside it; from the package of the same name when the sources run as
 * they are. Fails if it is in neither place.
 */
export async function readGrammar(file: string): Promise<Uint8Array> {
  for (const folder of ['./wasm/', '../wasm/']) {
    const path = fileURLToPath(new URL(folder + file, import.meta.url));
    if (await exists(path)) return readFile(path);
  }
  return readFile(createRequire(import.meta.url).resolve(`${file.replace(/\.wasm$/, '')}/${file}`));
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
