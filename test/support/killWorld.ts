/*
 * One session of the built headless agent that is killed somewhere and continues. The model's script is no list but a
 * function of what was done so far, so that whoever resumes gets exactly the steps that are missing.
 */

import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionEvent } from '../../src/protocol/events.ts';
import { eventsOf, type HeadlessOptions, type HeadlessResult } from './headlessProgram.ts';
import { runHeadless } from './headlessRun.ts';
import { processesIn } from './processesIn.ts';
import type { ReadResult, ServedWire, TalkingServer, Words } from './talkingServers.ts';

const steps = 12;
/** Large enough for a write to be seen half done. */
const filling = 'x'.repeat(12_000);

export const original = 'as it was\n';
export const fileNames = ['f0.txt', 'f1.txt', 'f2.txt'] as const;
/** What each file holds once the whole script is done. */
export const finished: Readonly<Record<string, string>> = Object.fromEntries(
  [10, 11, 12].map(step => [`f${step % 3}.txt`, content(step)]),
);

function content(step: number): string {
  return `${step}\n${filling}\n${step}\n`;
}

/** Everything that a file may ever hold. */
export const versions: ReadonlySet<string> = new Set([
  original,
  ...Array.from({ length: steps }, (_, at) => content(at + 1)),
]);

export class KillWorld {
  readonly server: TalkingServer;
  private readonly wire: ServedWire;
  readonly place: string;
  readonly workspace: string;
  private readonly sessions: string;

  private constructor(wire: ServedWire, server: TalkingServer, place: string) {
    this.wire = wire;
    this.server = server;
    this.place = place;
    this.workspace = join(place, 'workspace');
    this.sessions = join(place, 'sessions');
  }

  static async make(wire: ServedWire, place: string): Promise<KillWorld> {
    const world = new KillWorld(wire, await wire.start(nextWords), place);
    await mkdir(world.workspace, { recursive: true });
    await writeFile(join(world.workspace, 'f0.txt'), original);
    return world;
  }

  run(args: readonly string[], onStart?: HeadlessOptions['onStart']): Promise<HeadlessResult> {
    const where = ['--workspace', this.workspace, '--session-dir', this.sessions];
    const { provider, model, env, path } = this.wire;
    const how = ['--base-url', `${this.server.origin}${path}`, '--output-format', 'stream-json'];
    const whom = ['--provider', provider, '--model', model];
    return runHeadless({ args: [...where, ...how, ...whom, ...args], env, onStart });
  }

  work(onStart?: HeadlessOptions['onStart']): Promise<HeadlessResult> {
    return this.run(['--prompt', 'work', '--approval-mode', 'yolo'], onStart);
  }

  /** A permission for everything is given again, never inherited from the disk. */
  goOn(): Promise<HeadlessResult> {
    return this.run(['--resume', 'latest', '--prompt', 'continue', '--approval-mode', 'yolo']);
  }

  /**
   * Whole lines of the journal; none when there is no session yet. One that was killed before anything was asked in it
   * stays behind beside the one that is begun then: the longer one is meant.
   */
  async readLines(): Promise<readonly string[]> {
    // Blobs and what else the store keeps stand beside it.
    const paths = await readdir(this.sessions, { recursive: true }).catch(() => []);
    const journals = paths.filter(path => path.endsWith('journal.jsonl'));
    const texts = await Promise.all(journals.map(path => readFile(join(this.sessions, path), 'utf8')));
    const longest = texts.sort((one, other) => other.length - one.length)[0] ?? '';
    return longest.split('\n').slice(0, -1);
  }

  async readEvents(): Promise<readonly SessionEvent[]> {
    return eventsOf((await this.readLines()).join('\n'));
  }

  /** `undefined` for a file that is not there. */
  async readFiles(): Promise<Readonly<Record<string, string | undefined>>> {
    const read = (name: string) => readFile(join(this.workspace, name), 'utf8').catch(() => undefined);
    return Object.fromEntries(
      await Promise.all(fileNames.map(async name => [name, await read(name)] as const)),
    );
  }

  /** Content by hash, and the names under which it does not belong. */
  async readBlobs(): Promise<{
    readonly whole: ReadonlyMap<string, string>;
    readonly wrong: readonly string[];
  }> {
    const folder = join(this.sessions, 'blobs');
    // Killed before the first edit, there is nothing to keep.
    const names = await readdir(folder, { recursive: true }).catch(() => []);
    const kept = names.filter(name => /[0-9a-f]{64}$/.test(name));
    const whole = new Map<string, string>();
    const wrong: string[] = [];
    for (const name of kept) {
      const bytes = await readFile(join(folder, name));
      const hash = createHash('sha256').update(bytes).digest('hex');
      if (name.endsWith(hash)) whole.set(hash, bytes.toString('utf8'));
      else wrong.push(name);
    }
    for (const name of names.filter(each => each.endsWith('.pack'))) {
      const bytes = await readFile(join(folder, name));
      let start = bytes.indexOf('\n') + 1;
      for (const [id, length] of JSON.parse(bytes.subarray(0, start).toString()) as [string, number][]) {
        const part = bytes.subarray(start, start + length);
        start += length;
        if (createHash('sha256').update(part).digest('hex') === id) whole.set(id, part.toString('utf8'));
        else wrong.push(`${name} ${id}`);
      }
    }
    return { whole, wrong };
  }

  /** Processes that work in this place. */
  readProcesses(): Promise<readonly string[]> {
    return processesIn(this.place);
  }

  async dispose(): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    await rm(this.place, { recursive: true, force: true });
  }
}

function nextWords(results: readonly ReadResult[]): Words {
  const step = countDone(results) + 1;
  if (step > steps) return { text: 'Done.' };
  const file_path = `f${step % 3}.txt`;
  if (step === 3 || step === 7) {
    return { call: 'create_new_topic', args: { title: `Step ${step}`, summary: 's' } };
  }
  if (step !== 4 && step !== 8) return { call: 'write_file', args: { file_path, content: content(step) } };
  // Neither half a file nor a process may be left of a command that is killed half way.
  const write = `printf '%s\\n' ${step} ${filling} ${step} > .part && mv .part ${file_path}`;
  const command = step === 4 ? `sleep 60 & ${write}; kill $!` : write;
  return { call: 'run_shell_command', args: { command } };
}

/** Steps whose result the model has read; one that was interrupted is asked for again. */
function countDone(results: readonly ReadResult[]): number {
  return results.filter(({ ok, text }) => ok || text.includes('exactly this content')).length;
}
