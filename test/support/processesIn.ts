import { readdir, readFile, readlink } from 'node:fs/promises';

/** Processes whose folder or command line names this place, as a user would list them. Known on Linux only. */
export async function processesIn(place: string): Promise<readonly string[]> {
  const ids = (await readdir('/proc').catch(() => [])).filter(name => /^\d+$/.test(name));
  const found = await Promise.all(
    ids.map(async id => {
      // Gone meanwhile, or not ours to check.
      const folder = await readlink(`/proc/${id}/cwd`).catch(() => '');
      const line = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
      return `${folder} ${line}`.includes(place) ? [`${id} ${line.replaceAll('\0', ' ').slice(0, 200)}`] : [];
    }),
  );
  return found.flat();
}
