import { readdir, readFile } from 'node:fs/promises';

export type Part = 'extension host' | 'renderer';

/** How the command line of each names it. */
const typeOf: Readonly<Record<Part, string>> = {
  'extension host': '--type=extensionHost',
  renderer: '--type=renderer',
};

/** Seconds of processor time that processes of this kind have used so far; only those that this process has started. */
export async function readProcessorTime(part: Part): Promise<number> {
  const found = (await readChildren(process.pid)).filter(({ line }) => line.includes(typeOf[part]));
  if (found.length === 0) throw new Error(`There is no process with ${typeOf[part]}.`);
  return found.reduce((sum, { seconds }) => sum + seconds, 0);
}

interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly seconds: number;
  readonly line: string;
}

/** All that a process has started, directly or not. Known on Linux only. */
async function readChildren(of: number): Promise<readonly Running[]> {
  const ids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  const all = (await Promise.all(ids.map(readProcess))).filter(one => one !== undefined);
  const below = (pid: number): readonly Running[] =>
    all.filter(({ parent }) => parent === pid).flatMap(one => [one, ...below(one.pid)]);
  return below(of);
}

/** Clock ticks are hundredths of a second on every Linux that Node runs on. */
async function readProcess(id: string): Promise<Running | undefined> {
  try {
    const [stat, line] = await Promise.all(
      ['stat', 'cmdline'].map(name => readFile(`/proc/${id}/${name}`, 'utf8')),
    );
    // The name stands in brackets and may hold spaces.
    const fields = stat!.slice(stat!.lastIndexOf(')') + 2).split(' ');
    const seconds = (Number(fields[11]) + Number(fields[12])) / 100;
    return { pid: Number(id), parent: Number(fields[1]), seconds, line: line! };
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}
