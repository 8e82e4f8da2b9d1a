import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../src/extension/node/files/fileLock.ts';
import { environment, type HeadlessResult } from './headlessProgram.ts';
import { startHeadless } from './headlessRun.ts';
import { HeadlessWorld } from './headlessWorld.ts';

/** A user with a temporary home, and the background host of their runs. */
export class BackgroundWorld {
  private readonly world: HeadlessWorld;
  readonly home: string;
  /** Extra environment variables of the runs. */
  env: NodeJS.ProcessEnv = {};

  private constructor(world: HeadlessWorld) {
    this.world = world;
    this.home = world.home;
  }

  static async make(): Promise<BackgroundWorld> {
    return new BackgroundWorld(await HeadlessWorld.make());
  }

  get server(): HeadlessWorld['server'] {
    return this.world.server;
  }

  get places(): readonly string[] {
    return this.world.places;
  }

  get workspace(): string {
    return this.world.workspace;
  }

  /** Folder of the host. */
  get folder(): string {
    return join(this.home, '.folio', 'background');
  }

  run(...args: readonly string[]): Promise<HeadlessResult> {
    return this.world.run(args, { env: { HOME: this.home, ...this.env } });
  }

  /** Attaches with lines on standard input. */
  attach(sessionId: string, ...lines: readonly object[]): Promise<HeadlessResult> {
    const input = lines.map(line => `${JSON.stringify(line)}\n`).join('');
    const args = ['--attach', sessionId, '--input-format', 'stream-json'];
    return this.world.run(args, { env: { HOME: this.home }, input });
  }

  /** Attaches to a session. `out` grows until the program ends. */
  follow(sessionId: string): { readonly out: () => string; readonly exit: Promise<number | null> } {
    const args = ['--attach', sessionId, '--output-format', 'stream-json'];
    const program = startHeadless(args, environment(this.home));
    let out = '';
    program.stdout.setEncoding('utf8').on('data', piece => (out += piece));
    program.stdin.end();
    return { out: () => out, exit: program.exit };
  }

  /** Starts a session in the host and returns its id. */
  async begin(prompt: string, ...args: readonly string[]): Promise<string> {
    const { code, out, error } = await this.run('--background', '--prompt', prompt, ...args);
    if (code !== 0) throw new Error(error);
    return out.trim();
  }

  async list(): Promise<string> {
    return (await this.run('--list-background')).out;
  }

  journal(sessionId: string): Promise<string> {
    return readFile(join(this.world.folder, 'sessions', sessionId, 'journal.jsonl'), 'utf8');
  }

  /** Returns the process id of the host, if it runs. */
  async findHost(): Promise<number | undefined> {
    const text = await readFile(join(this.folder, 'lock'), 'utf8').catch(() => '');
    const pid = Number(text.split(' ')[0]);
    return pid > 0 && isAlive(pid) ? pid : undefined;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const pid = await this.findHost();
    if (pid === undefined) return;
    process.kill(pid, signal);
    await until(async () => !isAlive(pid));
  }

  async whenHostEnded(): Promise<void> {
    await until(async () => (await this.findHost()) === undefined);
  }

  async dispose(): Promise<void> {
    await this.kill();
    await this.world.dispose();
  }
}

/** Waits for a condition, until the timeout of the test. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}
