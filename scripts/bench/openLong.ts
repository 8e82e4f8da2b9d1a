/*
 * Run by the benchmark `open` in its own process, like a starting window: opens the session of the journal in the first
 * argument, or only parses its lines. Prints the cost as one line of JSON.
 */

import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { splitJournalLines } from '../../src/extension/node/sessions/nodeJournal.ts';
import { Excerpt } from '../../src/extension/vscode/panel/excerpt.ts';
import { makeDiskWorld } from '../../test/support/diskWorld.ts';

/** Milliseconds and megabytes. */
export interface OpenCost {
  /** Processor time of all threads, with garbage collection. */
  readonly cpu: number;
  readonly wall: number;
  /** Heap after a garbage collection. */
  readonly heap: number;
  readonly snapshotTime: number;
  readonly snapshotBytes: number;
}

const [journal = '', how = 'open'] = process.argv.slice(2);
const collect = globalThis.gc;
if (!collect) throw new Error('Start it with --expose-gc.');

process.stdout.write(`${JSON.stringify(how === 'parse' ? await parse() : await open())}\n`);
process.exit(0);

async function open(): Promise<OpenCost> {
  const world = await makeDiskWorld();
  const folder = join(dirname(world.workspace), 'sessions', 'long');
  await mkdir(folder, { recursive: true });
  await copyFile(journal, join(folder, 'journal.jsonl'));
  const spent = watch();
  const session = await world.agent.openSession('long');
  const cost = spent();
  const startedAt = performance.now();
  const snapshot = JSON.stringify(new Excerpt(session.state).of(session.state));
  const snapshotTime = performance.now() - startedAt;
  await session.dispose();
  await world.dispose();
  return { ...cost, snapshotTime, snapshotBytes: Buffer.byteLength(snapshot) };
}

async function parse(): Promise<OpenCost> {
  const lines = splitJournalLines(await readFile(journal));
  const spent = watch();
  for (const line of lines) JSON.parse(line);
  return { ...spent(), snapshotTime: 0, snapshotBytes: 0 };
}

function watch(): () => Pick<OpenCost, 'cpu' | 'wall' | 'heap'> {
  collect!();
  const heapBefore = process.memoryUsage().heapUsed;
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  return () => {
    const wall = performance.now() - startedAt;
    const { user, system } = process.cpuUsage(cpuBefore);
    collect!();
    const heap = (process.memoryUsage().heapUsed - heapBefore) / 1e6;
    return { cpu: (user + system) / 1000, wall, heap };
  };
}
