import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GeminiServer, startGeminiServer } from './geminiServer.ts';
import type { HeadlessOptions, HeadlessResult } from './headlessProgram.ts';
import { runHeadless } from './headlessRun.ts';

/** An empty workspace, a model server and a place for sessions, and headless runs between them. */
export class HeadlessWorld {
  readonly server: GeminiServer;
  /** Holds `workspace`, `home` and `sessions`. */
  readonly folder: string;
  readonly workspace: string;
  /** For runs whose environment names it; it has a folder `.gemini`. */
  readonly home: string;

  private constructor(server: GeminiServer, folder: string) {
    this.server = server;
    this.folder = folder;
    this.workspace = join(folder, 'workspace');
    this.home = join(folder, 'home');
  }

  static async make(): Promise<HeadlessWorld> {
    const folder = await mkdtemp(join(tmpdir(), 'folio-headless-'));
    const world = new HeadlessWorld(await startGeminiServer(), folder);
    await mkdir(world.workspace);
    await mkdir(join(world.home, '.gemini'), { recursive: true });
    return world;
  }

  /** Options of every run. */
  get places(): readonly string[] {
    const { workspace, folder, server } = this;
    const sessions = join(folder, 'sessions');
    return ['--workspace', workspace, '--session-dir', sessions, '--base-url', server.baseUrl];
  }

  run(
    args: readonly string[],
    { env, ...options }: Omit<HeadlessOptions, 'args'> = {},
  ): Promise<HeadlessResult> {
    const { places } = this;
    return runHeadless({
      ...options,
      args: [...places, ...args],
      env: { GEMINI_API_KEY: 'test', ...env },
    });
  }

  /** Of the only session; beside it there may be folders of another kind. */
  async readJournal(): Promise<string> {
    const sessions = join(this.folder, 'sessions');
    const paths = (await readdir(sessions)).map(name => join(sessions, name, 'journal.jsonl'));
    const [journal, ...others] = paths.filter(existsSync);
    if (journal === undefined || others.length > 0) throw new Error(`Not one session: ${paths.join(', ')}`);
    return await readFile(journal, 'utf8');
  }

  async dispose(): Promise<void> {
    await this.server.dispose();
    await rm(this.folder, { recursive: true, force: true });
  }
}
