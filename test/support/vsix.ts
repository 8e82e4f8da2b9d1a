import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import JSZip from 'jszip';

/** The files of a package by their paths in it, with the time that each is said to be of. */
export async function readVsix(file: string): Promise<ReadonlyMap<string, JSZip.JSZipObject>> {
  const { files } = await JSZip.loadAsync(await readFile(file));
  return new Map(Object.entries(files).filter(([, entry]) => !entry.dir));
}

/** Unpacks an extension as VS Code does when it installs one: what stands below `extension` becomes the folder. */
export async function unpackVsix(file: string, folder: string): Promise<void> {
  for (const [path, entry] of await readVsix(file)) {
    if (!path.startsWith('extension/')) continue;
    const target = join(folder, path.slice('extension/'.length));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, await entry.async('nodebuffer'));
  }
}
