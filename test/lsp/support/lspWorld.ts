/* A real folder with language servers: real ones, or our own misbehaving one. */

import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import picomatch from 'picomatch';
import { folderContains } from '../../../src/extension/core/folderPaths.ts';
import { LanguageServer, type LanguageServerConfig } from '../../../src/extension/lsp/languageServer.ts';
import { LanguageServers } from '../../../src/extension/lsp/languageServers.ts';
import { ServerDiagnostics } from '../../../src/extension/lsp/serverDiagnostics.ts';
import { NodeFileSystem } from '../../../src/extension/node/files/nodeFileSystem.ts';
import { findLanguageServers } from '../../../src/extension/node/languages/findLanguageServers.ts';
import { NodeServerProcesses } from '../../../src/extension/node/processes/serverProcesses.ts';
import { NodeSearch } from '../../../src/extension/node/search/nodeSearch.ts';
import { SystemClock } from '../../../src/extension/node/systemClock.ts';

/** The compiler of this repository, a language server. */
export const compiler = resolve(import.meta.dirname, '../../../node_modules/typescript/bin/tsc');

type Program = Partial<LanguageServerConfig> & Pick<LanguageServerConfig, 'command' | 'args'>;

/** Finds the server as a run in this repository does. */
export async function findTypeScript(): Promise<Program> {
  const [found] = await findLanguageServers({
    folders: [resolve(import.meta.dirname, '../../..')],
    path: '',
  });
  return found!;
}

/** A clock that can run timeouts fifty times faster. */
class HastyClock extends SystemClock {
  hurry = false;

  override after(ms: number, ring: () => void): () => void {
    return super.after(this.hurry ? ms / 50 : ms, ring);
  }
}

export class LspWorld {
  readonly clock = new HastyClock();
  readonly folder: string;
  readonly folders: readonly string[];
  readonly languages: LanguageServers;
  readonly diagnostics: ServerDiagnostics;
  /** Lines of the log. */
  readonly logged: string[] = [];
  /** Messages for the user. */
  readonly reported: string[] = [];
  readonly signal = new AbortController().signal;
  private readonly root: string;
  private readonly processes: NodeServerProcesses;

  private constructor(
    root: string,
    folders: readonly string[],
    program: Program,
    env: Readonly<Record<string, string>>,
  ) {
    this.root = root;
    this.processes = new NodeServerProcesses({ ...process.env, ...env });
    this.folders = folders;
    this.folder = folders[0]!;
    const { clock } = this;
    const note = (line: string) => void this.logged.push(line);
    const log = { info: note, warn: note };
    const { processes } = this;
    const exclude = () => ['node_modules'];
    const files = new NodeFileSystem();
    const server = new LanguageServer(this.config(program), {
      clock,
      files,
      log,
      processes,
      folders,
      exclude,
      search: new NodeSearch(),
    });
    this.languages = new LanguageServers([server], {
      clock,
      folders,
      contains: folderContains,
      patienceMs: 60_000,
    });
    this.diagnostics = new ServerDiagnostics(this.languages, {
      clock,
      log,
      folders,
      contains: folderContains,
      show: path => path.slice(this.folder.length + 1),
    });
  }

  /** @param files by path below the folder; with several folders it begins with one of `names` */
  static async make(
    program: Program,
    files: Readonly<Record<string, string>>,
    names: readonly string[] = [''],
    env: Readonly<Record<string, string>> = {},
  ): Promise<LspWorld> {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'folio lsp #ü-')));
    const world = new LspWorld(
      root,
      names.map(name => join(root, name)),
      program,
      env,
    );
    for (const [path, text] of Object.entries(files)) await world.write(path, text);
    return world;
  }

  async write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.root, path)), { recursive: true });
    await writeFile(join(this.root, path), text);
  }

  path(name: string): string {
    return join(this.root, name);
  }

  get server(): LanguageServer {
    return this.languages.servers[0]!;
  }

  /** Returns severity, place and message of each problem. */
  async problems(name: string): Promise<readonly string[] | undefined> {
    const found = await this.diagnostics.settle(this.path(name), this.signal);
    return found?.map(
      ({ path = name, line, severity, message }) => `${path}:${line} ${severity}: ${message}`,
    );
  }

  async dispose(): Promise<void> {
    await this.languages.stop();
    await this.processes.dispose();
    await rm(this.root, { recursive: true, force: true });
  }

  private config(program: Program): LanguageServerConfig {
    const matches = picomatch('**/*.ts');
    return {
      name: 'Server',
      cwd: this.folder,
      matches: path => this.folders.some(folder => folderContains(folder, path)) && matches(path),
      notify: sentence => void this.reported.push(sentence),
      ...program,
    };
  }
}
