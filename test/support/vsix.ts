import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import JSZip from 'jszip';

/** Reads the files of a package, with times, by path. */
export async function readVsix(file: string): Promise<ReadonlyMap<string, JSZip.JSZipObject>> {
  const { files } = await JSZip.loadAsync(await readFile(file));
  return new Map(Object.entries(files).filter(([, entry]) => !entry.dir));
}

/** Unpacks an extension as VS Code does: the content of `extension` becomes the folder. */
export async function unpackVsix(file: string, folder: string): Promise<void> {
  for (const [path, entry] of await readVsix(file)) {
    if (!path.startsWith('extension/')) continue;
    const target = join(folder, path.slice('extension/'.length));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, await entry.async('nodebuffer'));
  }
}
