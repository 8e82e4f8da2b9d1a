import { readdir, readFile } from 'node:fs/promises';

export type Part = 'extension host' | 'renderer';

/** Type in the command line of each process. */
const typeOf: Readonly<Record<Part, string>> = {
  'extension host': '--type=extensionHost',
  renderer: '--type=renderer',
};

/** Returns the processor time in seconds of child processes of this kind. */
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

/** Returns all descendants of a process. Linux only. */
async function readChildren(of: number): Promise<readonly Running[]> {
  const ids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  const all = (await Promise.all(ids.map(readProcess))).filter(one => one !== undefined);
  const below = (pid: number): readonly Running[] =>
    all.filter(({ parent }) => parent === pid).flatMap(one => [one, ...below(one.pid)]);
  return below(of);
}

/** Reads a process. Clock ticks are 1/100 s on every Linux that Node supports. */
async function readProcess(id: string): Promise<Running | undefined> {
  try {
    const [stat, line] = await Promise.all(
      ['stat', 'cmdline'].map(name => readFile(`/proc/${id}/${name}`, 'utf8')),
    );
    // The name is in brackets and may contain spaces.
    const fields = stat!.slice(stat!.lastIndexOf(')') + 2).split(' ');
    const seconds = (Number(fields[11]) + Number(fields[12])) / 100;
    return { pid: Number(id), parent: Number(fields[1]), seconds, line: line! };
  } catch {
    // The process has ended meanwhile.
    return undefined;
  }
}
