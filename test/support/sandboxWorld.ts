import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { installBubblewrap } from '../../scripts/vscodeHost/chromium.ts';
import { findProtection } from '../../src/extension/core/protectedPaths.ts';
import { NodeProcesses } from '../../src/extension/node/processes/nodeProcesses.ts';
import { BubblewrapSandbox } from '../../src/extension/node/sandbox/bubblewrapSandbox.ts';
import type { RunningProcess } from '../../src/extension/platform/processes.ts';
import {
  runWithSandboxRetries,
  type SandboxedProcess,
  type SandboxGrants,
  type SandboxReport,
  type SandboxRequest,
  type UserProxy,
} from '../../src/extension/platform/sandbox.ts';
import { isAlive } from './isAlive.ts';

/** What a secret holds, and only that. */
export const canary = 'CANARY-5d1c';

const nothingHeld: SandboxReport = { reportedEnd: true, hosts: [], undone: [] };

export const noGrants: SandboxGrants = { write: [], hosts: [] };

export interface Ran {
  readonly code: number | null;
  readonly output: string;
  readonly report: SandboxReport;
}

interface RunRequest {
  readonly grants?: SandboxGrants;
  readonly inside?: boolean;
  readonly answerable?: boolean;
}

interface StartRequest extends RunRequest {
  readonly background?: boolean;
}

interface Started {
  readonly running: RunningProcess;
  readonly leave: () => Promise<SandboxReport>;
}

/**
 * Installs bubblewrap where that can be done. Throws at once where no sandbox can be had: without it, commands that
 * wait inside would wait for ever.
 */
export async function mustHaveSandbox(): Promise<void> {
  await installBubblewrap();
  const nowhere = {
    folders: () => [],
    home: homedir(),
    instructionNames: () => [],
    holdsSecrets: () => false,
  };
  const sandbox = new BubblewrapSandbox(nowhere);
  const why = await sandbox.whyMissing();
  await sandbox.dispose();
  if (why !== undefined) throw new Error(`These tests need a sandbox. ${why()}`);
}

/** A home with secrets, a workspace, and what else of the host a sandboxed command must not reach. */
export class SandboxWorld {
  readonly root: string;
  readonly home: string;
  private readonly quarantined: string;
  readonly workspace: string;
  readonly outside: string;
  readonly sandbox: BubblewrapSandbox;
  /** How many connections servers of the host got. */
  connections = 0;
  readonly environment: Record<string, string> = {};
  private readonly victim: ChildProcess;
  private readonly processes: NodeProcesses;
  private readonly temporary: string;

  /** Outside of /tmp, which the sandbox replaces: an attack must fail at more than that. */
  static async make(secretFiles: readonly string[], proxy?: UserProxy): Promise<SandboxWorld> {
    await mustHaveSandbox();
    const caches = join(homedir(), '.cache');
    mkdirSync(caches, { recursive: true });
    const root = await realpath(await mkdtemp(join(caches, `${rootPrefix}${process.pid}-`)));
    const temporary = await mkdtemp(join(tmpdir(), 'folio-outside-'));
    const world = new SandboxWorld(root, temporary, secretFiles, proxy);
    await world.listen();
    return world;
  }

  private constructor(
    root: string,
    temporary: string,
    secretFiles: readonly string[],
    proxy: UserProxy = { except: '' },
  ) {
    this.root = root;
    this.temporary = temporary;
    [this.home, this.workspace, this.outside] = [join(root, 'home'), join(root, 'ws'), join(root, 'out')];
    this.quarantined = join(this.home, '.local', 'state', 'folio', 'taken-back');
    mkdirSync(this.quarantined, { recursive: true });
    for (const file of secretFiles) write(join(this.home, file), `${canary}\n`);
    write(join(this.outside, 'file'), 'outside\n');
    write(join(root, 'accounts', 'service.json'), `${canary}\n`);
    write(join(temporary, 'file'), `${canary}\n`);
    this.fillWorkspace();
    this.victim = spawn('sleep', ['3600'], { argv0: 'folio-victim', stdio: 'ignore' });
    this.sandbox = new BubblewrapSandbox({
      folders: () => [this.workspace],
      home: this.home,
      instructionNames: () => ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'],
      holdsSecrets: name => findProtection(name, 'read') !== undefined,
      proxy: () => proxy,
      env: { GOOGLE_APPLICATION_CREDENTIALS: join(root, 'accounts', 'service.json') },
    });
    Object.assign(this.environment, {
      ...{ HOME_DIR: this.home, OUT: this.outside, WS: this.workspace, VICTIM: String(this.victim.pid) },
      ...{
        SOCK: join(this.home, 'agent.sock'),
        TMPSOCK: join(temporary, 'sock'),
        TMPFILE: join(temporary, 'file'),
      },
      ABSTRACT: basename(root),
    });
    const keys = { MY_API_KEY: canary, GITHUB_TOKEN: canary, DB_URL: `postgres://me:${canary}@host/db` };
    this.processes = new NodeProcesses({ ...process.env, ...keys, SSH_AUTH_SOCK: this.environment.SOCK });
  }

  /** Runs a line inside, or outside for comparison. */
  async run(
    line: string,
    {
      grants = noGrants,
      inside = true,
      answerable = false,
      onHostRequested: onWanted,
    }: RunRequest & Pick<SandboxRequest, 'onHostRequested'> = {},
  ): Promise<Ran> {
    const contain = () =>
      this.sandbox.contain({ grants, background: false, terminal: answerable, onHostRequested: onWanted });
    const follow = async (sandboxed: SandboxedProcess | undefined): Promise<Ran> => {
      const { workspace: cwd, environment: env } = this;
      const running = this.processes.start({ command: line, cwd, env, sandboxed, answerable });
      let output = '';
      running.onDidWrite(text => {
        output += text;
      });
      const { code, signal, failure } = await running.exit;
      const report = (await sandboxed?.leave()) ?? nothingHeld;
      // Bubblewrap says of a signal what shells say.
      const number = signal === null ? code : 128 + signalNumber(signal);
      return { code: number, output: output + (failure ?? ''), report };
    };
    return inside ? await runWithSandboxRetries(contain, follow) : await follow(undefined);
  }

  async start(
    line: string,
    { grants = noGrants, inside = true, background = false, answerable = false }: StartRequest = {},
  ): Promise<Started> {
    const sandboxed = inside
      ? await this.sandbox.contain({ grants, background, terminal: answerable })
      : undefined;
    const { environment: env, workspace: cwd } = this;
    const outputFile = background ? join(this.root, 'output') : undefined;
    const running = this.processes.start({
      command: line,
      cwd,
      env,
      sandboxed,
      background,
      answerable,
      outputFile,
    });
    return { running, leave: async () => (await sandboxed?.leave()) ?? nothingHeld };
  }

  /**
   * A name for everything outside and everything protected, with its bytes, modes and times; without what the sandbox
   * itself has moved aside.
   */
  fingerprint(): string {
    const lines = [
      ...listTree(this.home).filter(
        line => !line.includes('agent.sock') && !line.startsWith(`${this.quarantined}/`),
      ),
      ...listTree(this.outside),
      ...protectedFiles.flatMap(name => listTree(join(this.workspace, name))),
    ];
    return lines.join('\n');
  }

  get isVictimAlive(): boolean {
    return this.victim.exitCode === null && this.victim.signalCode === null;
  }

  /** The sockets stay as long as another world may have planned its sandbox around them. */
  async dispose(): Promise<void> {
    this.victim.kill('SIGKILL');
    await this.processes.dispose();
    await this.sandbox.dispose();
    await rm(this.temporary, { recursive: true, force: true });
    write(join(this.root, ended), '');
    await tidyUp(dirname(this.root));
  }

  private fillWorkspace(): void {
    const git = (folder: string, ...args: string[]) =>
      execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        stdio: 'pipe',
      });
    const ws = this.workspace;
    write(join(ws, 'file'), 'one\ntwo\n');
    write(join(ws, '.env'), `KEY=${canary}\n`);
    write(join(ws, 'sub/.env.local'), `KEY=${canary}\n`);
    write(join(ws, 'AGENTS.md'), 'be good\n');
    write(join(ws, 'sub/AGENTS.md'), 'be good\n');
    write(join(ws, '.vscode/tasks.json'), '{}\n');
    write(join(ws, 'sub/.vscode/tasks.json'), '{}\n');
    write(join(ws, 'team.code-workspace'), '{}\n');
    symlinkSync('AGENTS.md', join(ws, 'CLAUDE.md'));
    write(join(ws, 'tools/editor/tasks.json'), '{}\n');
    symlinkSync('tools/editor', join(ws, '.githooks'));
    symlinkSync(this.outside, join(ws, 'oldlink'));
    for (const folder of [ws, join(ws, 'sub')]) {
      git(folder, 'init', '-q');
      git(folder, 'add', folder === ws ? 'file' : 'AGENTS.md');
      git(folder, 'commit', '-qm', 'one');
      write(join(folder, '.git/hooks/post-commit.sample'), '#!/bin/sh\n');
      write(join(folder, '.git/info/attributes'), '');
    }
    cpSync(join(ws, 'file'), join(ws, 'other'));
  }

  private async listen(): Promise<void> {
    const { SOCK = '', TMPSOCK = '', ABSTRACT = '' } = this.environment;
    const start = async (
      where: { readonly port: number; readonly host: string } | { readonly path: string },
    ) => {
      const server = createServer(socket => {
        this.connections += 1;
        socket.on('error', () => {});
        socket.end(`${canary}\n`);
      });
      server.unref();
      await new Promise<void>((resolve, reject) => server.on('error', reject).listen(where, resolve));
      return server;
    };
    const server = await start({ port: 0, host: '127.0.0.1' });
    const address = server.address();
    this.environment.PORT = typeof address === 'object' && address ? String(address.port) : '';
    await start({ path: SOCK });
    await start({ path: TMPSOCK });
    if (process.platform === 'linux') await start({ path: `\0${ABSTRACT}` });
  }
}

const rootPrefix = 'folio-sandbox-test-';
const ended = 'ended';

/** The last world removes what all have left, also those of runs that were killed. */
async function tidyUp(folder: string): Promise<void> {
  const roots = readdirSync(folder).filter(name => name.startsWith(rootPrefix));
  const isOver = (name: string) =>
    existsSync(join(folder, name, ended)) || !isAlive(Number(name.slice(rootPrefix.length).split('-')[0]));
  if (!roots.every(isOver)) return;
  // A sandbox that is taken down at this moment still moves files.
  for (const name of roots) await rm(join(folder, name), { recursive: true, force: true, maxRetries: 10 });
}

const protectedFiles: readonly string[] = [
  ...[
    '.git/config',
    '.git/hooks',
    '.git/config.worktree',
    '.git/commondir',
    '.git/modules',
    '.git/worktrees',
  ],
  ...['.git/info/attributes', '.vscode', '.gemini', '.claude', '.folio', '.idea', '.cursor', '.mcp.json'],
  ...['AGENTS.md', 'GEMINI.md', 'CLAUDE.md', '.husky', '.devcontainer', '.gitmodules', '.envrc'],
  ...[
    'tools/editor',
    'team.code-workspace',
    'sub/.git/config',
    'sub/.git/hooks',
    'sub/AGENTS.md',
    'sub/.vscode',
    '.env',
  ],
];

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function listTree(path: string): readonly string[] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return [`${path} is missing`];
  const name = `${path} ${stat.mode.toString(8)} ${stat.uid}`;
  if (stat.isSymbolicLink()) return [`${name} -> ${readlinkSync(path)}`];
  if (stat.isDirectory()) return [name, ...readdirSync(path).flatMap(each => listTree(join(path, each)))];
  if (!stat.isFile()) return [name];
  return [`${name} ${stat.mtimeMs} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`];
}

function signalNumber(signal: string): number {
  return { SIGHUP: 1, SIGINT: 2, SIGABRT: 6, SIGKILL: 9, SIGSEGV: 11, SIGPIPE: 13, SIGTERM: 15 }[signal] ?? 0;
}
