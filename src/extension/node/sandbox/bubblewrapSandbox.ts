import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import type {
  Launch,
  QuarantinedPath,
  Sandbox,
  SandboxedProcess,
  SandboxReport,
  SandboxRequest,
  UserProxy,
} from '../../platform/sandbox.ts';
import { runWithSandboxRetries } from '../../platform/sandbox.ts';
import { ProgramFinder } from '../processes/programs.ts';
import { bubblewrapArguments } from './bubblewrapProfile.ts';
import { createMissingFolders, findExisting, withoutSwappedLinks } from './existingPaths.ts';
import type { HostProxy } from './hostProxy.ts';
import { noLinkedWorktreePaths } from './linkedWorktree.ts';
import { type NetworkNamespace, NetworkNamespaces } from './networkNamespaces.ts';
import { proxyVariables } from './proxyVariables.ts';
import { QuarantineFolder } from './quarantineFolder.ts';
import {
  describeProbeFailure,
  refuseWholeWorkspace,
  SandboxAvailability,
  whyTooBroad,
} from './sandboxAvailability.ts';
import { SandboxTemporaryFolder } from './sandboxTemporaryFolder.ts';
import { liesWithin, listSecretPlaces, withoutSecretVariables } from './secretPlaces.ts';
import { syscallFilter } from './syscallFilter.ts';
import {
  type GuardedNames,
  type ProtectedPathScan,
  scanProtectedPaths,
  undoForbiddenChanges,
} from './workspaceGuard.ts';

export interface SandboxEnvironment extends GuardedNames {
  /** Current absolute workspace folders. */
  readonly folders: () => readonly string[];
  readonly home: string;
  /** May name credential files. Defaults to the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The user's current proxy. Omitted if there is none. */
  readonly proxy?: () => UserProxy;
}

/** Milliseconds between checks for forbidden names while a command runs. */
const watchInterval = 1000;
/** Milliseconds. Generous for a busy machine; only catches hangs. */
const probeLimit = 120_000;
const run = promisify(execFile);

/** The sandbox for Linux and WSL, with bubblewrap. README.md explains each part. */
export class BubblewrapSandbox implements Sandbox {
  private readonly places: SandboxEnvironment;
  private readonly missing: SandboxAvailability;
  private readonly programs: ProgramFinder;
  private readonly networks: NetworkNamespaces;
  private readonly temporaryRoots = new SandboxTemporaryFolder<Room>(
    folder => this.furnish(folder),
    room => existsSync(room.nothing) && existsSync(room.temporary),
  );
  private opened = 0;

  /** @param path where to search bubblewrap; set by tests */
  constructor(places: SandboxEnvironment, path = process.env.PATH) {
    this.places = places;
    this.programs = new ProgramFinder(places.folders, { PATH: path });
    this.networks = new NetworkNamespaces(this.programs);
    this.missing = new SandboxAvailability(places, () => this.tryOut());
  }

  whyMissing(): Promise<LocalizedMessage | undefined> {
    return this.missing.why();
  }

  async contain(request: SandboxRequest): Promise<SandboxedProcess> {
    const { grants, background, terminal, lasting = false } = request;
    const tooBroad = await whyTooBroad(this.places);
    if (tooBroad !== undefined) throw new LocalizedError(tooBroad);
    const room = await this.temporaryRoots.open();
    this.opened += 1;
    const [number, secrets] = [this.opened, await findExisting(await listSecretPlaces(this.places))];
    const workspaces = await Promise.all(this.places.folders().map(folder => realpath(folder)));
    if (lasting) refuseWholeWorkspace(workspaces, grants.write);
    const granted = await createMissingFolders(grants.write.filter(path => !workspaces.includes(path)));
    const checked = await Promise.all(
      workspaces.map(folder => scanProtectedPaths(folder, this.places, workspaces, grants.write)),
    );
    const surveys = lasting ? checked.map(({ hidden }) => ({ ...nothingGuarded, hidden })) : checked;
    const sockets = await listSockets(workspaces);
    const read = (await findExisting(await withoutSwappedLinks(request.read ?? []))).map(({ path }) => path);
    const wayOut = await this.openWayOut(room.bubblewrap, request);
    const sandboxed = bubblewrapArguments({
      ...room,
      secrets,
      workspaces,
      surveys,
      granted: granted.map(({ path }) => path),
      read,
      lasting,
      sockets,
      background,
      terminal,
      hasNetwork: wayOut !== undefined,
    });
    const guard = new Guard(surveys, new QuarantineFolder(this.places.home), request.onQuarantined);
    const status = join(room.folder, `status-${number}`);
    return new BubblewrapProcess(room, { sandboxed, status, hosts: grants.hosts, wayOut }, guard);
  }

  /** Each command has its own network access, since each may have other hosts. */
  private async openWayOut(bubblewrap: string, request: SandboxRequest): Promise<SandboxNetwork | undefined> {
    if (request.grants.hosts.length === 0 && !request.onHostRequested) return undefined;
    const { hostProxyFor } = await import('./hostProxy.ts');
    const proxy = hostProxyFor(request, this.places.proxy?.());
    if (!proxy) return undefined;
    const network = await this.networks.open(bubblewrap);
    proxy.serve(network.door);
    return { proxy, network };
  }

  async dispose(): Promise<void> {
    this.networks.dispose();
    await this.temporaryRoots.dispose();
  }

  private async tryOut(): Promise<LocalizedMessage | undefined> {
    if (this.programs.find('bwrap') === undefined)
      return () =>
        t('The program {0} is missing. Install the system package "{1}".', 'bubblewrap', 'bubblewrap');
    if (this.programs.find('nsenter') === undefined)
      return () =>
        t('The program {0} is missing. Install the system package "{1}".', 'nsenter', 'util-linux');
    try {
      const { failure } = await runWithSandboxRetries(
        () => this.contain(probed),
        async sandboxed => {
          const { file, args } = sandboxed.wrap({ file: '/bin/sh', args: ['-c', 'true'], cwd: '/', env: {} });
          const failure = await run(file, args, { env: {}, cwd: '/', timeout: probeLimit }).then(
            () => undefined,
            (error: { readonly code?: number | null }) => error,
          );
          return { failure, code: failure ? (failure.code ?? null) : 0, report: await sandboxed.leave() };
        },
      );
      return failure === undefined ? undefined : describeProbeFailure(failure);
    } catch (error) {
      return describeProbeFailure(error);
    }
  }

  private async furnish(folder: string): Promise<Room> {
    const bubblewrap = this.programs.find('bwrap');
    if (bubblewrap === undefined)
      throw new LocalizedError(() => t('The program {0} is missing.', 'bubblewrap'));
    const [temporary, nothing, filterFile] = [
      join(folder, 'tmp'),
      join(folder, 'nothing'),
      join(folder, 'filter'),
    ];
    const filter = syscallFilter(process.arch);
    const bash = this.programs.find('bash');
    await mkdir(temporary, { mode: 0o700 });
    await writeFile(nothing, '');
    await chmod(nothing, 0);
    if (filter) await writeFile(filterFile, filter);
    const tables = ['sys', 'irq', 'bus', 'fs', 'acpi', 'sysrq-trigger', 'scsi', 'asound', 'driver'];
    return {
      bubblewrap,
      // Privileged mode (`-p`): it reads no startup file and imports no functions from the environment.
      shell: bash === undefined ? ['/bin/sh'] : [bash, '--norc', '-p'],
      folder,
      temporary,
      nothing,
      filter: filter && filterFile,
      closesNesting: (await run(bubblewrap, ['--help'])).stdout.includes('--disable-userns'),
      kernelTables: (await findExisting(tables.map(name => `/proc/${name}`))).map(({ path }) => path),
      user: process.getuid?.() ?? 0,
      group: process.getgid?.() ?? 0,
    };
  }
}

interface SandboxNetwork {
  readonly proxy: HostProxy;
  readonly network: NetworkNamespace;
}

/** The sandbox that is probed. It also sets up network access, which leads nowhere. */
const probed: SandboxRequest = {
  grants: { write: [], hosts: [] },
  background: false,
  onHostRequested: async host => ({ kind: 'refused', why: host }),
};

/** State shared by all commands. */
interface Room {
  readonly bubblewrap: string;
  /** Includes its flags. */
  readonly shell: readonly [string, ...string[]];
  readonly folder: string;
  readonly temporary: string;
  readonly nothing: string;
  /** File with the system call filter. */
  readonly filter: string | undefined;
  readonly closesNesting: boolean;
  readonly kernelTables: readonly string[];
  readonly user: number;
  readonly group: number;
}

const ownEnvironment = {
  TMPDIR: '/tmp',
  TMP: '/tmp',
  TEMP: '/tmp',
  NODE_COMPILE_CACHE: '/tmp/node-compile-cache',
};

interface Plan {
  /** Arguments for bubblewrap. */
  readonly sandboxed: readonly string[];
  /** Absolute path of bubblewrap's status file. */
  readonly status: string;
  readonly hosts: readonly string[];
  readonly wayOut: SandboxNetwork | undefined;
}

class BubblewrapProcess implements SandboxedProcess {
  private readonly room: Room;
  private readonly plan: Plan;
  private readonly guard: Guard;

  constructor(room: Room, plan: Plan, guard: Guard) {
    this.room = room;
    this.plan = plan;
    this.guard = guard;
  }

  /**
   * Bubblewrap reads the filter from an open file and writes its status to another, which only a preceding shell can
   * pass. That shell also closes files inherited by this process, because an open folder bypasses every mount. Only
   * bash can close two-digit numbers.
   */
  wrap({ file, args, cwd, env, given }: Launch): Launch {
    const { bubblewrap, filter, shell } = this.room;
    const { sandboxed, status, hosts, wayOut } = this.plan;
    const variables = Object.entries(given ?? {});
    const steers = ([name]: readonly [string, string]) => steersShell.test(name);
    const inside = variables.filter(steers).flatMap(([name, value]) => ['--setenv', name, value]);
    const wrapped = [...withoutGone(sandboxed), ...inside, '--chdir', cwd, '--', file, ...args];
    const filtered = filter === undefined ? wrapped : ['--seccomp', '3', ...wrapped];
    const program = [...(wayOut?.network.entry ?? []), bubblewrap, '--json-status-fd', '4', ...filtered];
    return {
      file: shell[0],
      args: [...shell.slice(1), '-c', inFront, 'sh', filter ?? '/dev/null', status, ...program],
      cwd,
      env: {
        ...withoutSecretVariables(env),
        ...ownEnvironment,
        ...Object.fromEntries(variables.filter(each => !steers(each))),
        ...(wayOut && proxyVariables(wayOut.network.port, hosts)),
      },
    };
  }

  async leave(): Promise<SandboxReport> {
    const { wayOut, status } = this.plan;
    await wayOut?.proxy.close();
    const { reportedEnd, first } = await readStatus(status);
    wayOut?.network.leave(first);
    const undone = await this.guard.end();
    return { reportedEnd, hosts: wayOut?.proxy.denied ?? [], undone };
  }
}

/** A workspace's configuration may set variables. These would run its code outside of the sandbox. */
const steersShell = /^(?:LD_|BASH|SHELLOPTS$|ENV$|GCONV_PATH$|LOCPATH$)/;

const inFront = `
filter=$1 status=$2
shift 2
for each in /proc/self/fd/*; do
  each=\${each##*/}
  [ "$each" -le 2 ] || { [ -z "\${BASH_VERSION-}" ] && [ "$each" -gt 9 ]; } || eval "exec $each>&-"
done
exec "$@" 3<"$filter" 4>"$status"
`;

/** Bubblewrap reports a command's exit only if it started, and before that the first process inside. */
async function readStatus(path: string): Promise<Pick<SandboxReport, 'reportedEnd'> & { first?: number }> {
  const reported = await readFile(path, 'utf8').catch(() => '');
  await rm(path, { force: true });
  const [, first] = /"child-pid": (\d+)/.exec(reported) ?? [];
  return {
    reportedEnd: reported.includes('"exit-code"'),
    first: first === undefined ? undefined : Number(first),
  };
}

/** Checks for protected names while a command runs. */
class Guard {
  private readonly surveys: readonly ProtectedPathScan[];
  private readonly kept: QuarantineFolder;
  private readonly notify: SandboxRequest['onQuarantined'];
  private readonly undone: QuarantinedPath[] = [];
  private readonly watch: NodeJS.Timeout;
  private scanning: Promise<void> = Promise.resolve();

  constructor(
    surveys: readonly ProtectedPathScan[],
    kept: QuarantineFolder,
    notify: SandboxRequest['onQuarantined'],
  ) {
    this.surveys = surveys;
    this.kept = kept;
    this.notify = notify;
    this.watch = setInterval(
      () =>
        void this.scan().catch(() => {
          // The last check, in `end`, reports disk errors.
        }),
      watchInterval,
    );
    this.watch.unref();
  }

  /** Everything that was undone. */
  async end(): Promise<readonly QuarantinedPath[]> {
    clearInterval(this.watch);
    await this.scan();
    return this.undone;
  }

  private scan(): Promise<void> {
    const last = this.scanning.catch(() => {
      // A failed check must not prevent the next one.
    });
    this.scanning = last.then(async () => {
      for (const survey of this.surveys) {
        const undone = await undoForbiddenChanges(survey, this.kept.keep);
        this.undone.push(...undone);
        if (undone.length > 0) this.notify?.(undone);
      }
    });
    return this.scanning;
  }
}

/** A read-only workspace needs no guard. */
const nothingGuarded: ProtectedPathScan = {
  pinned: [],
  readOnly: [],
  hidden: [],
  links: new Map(),
  missing: [],
  linked: noLinkedWorktreePaths,
};

/**
 * The kernel returns the socket table page by page, and omits entries if sockets close meanwhile. With constantly
 * changing sockets, 4 of 53,000 were missing in one reading and none in two.
 */
const readings = 3;

/**
 * Sockets with a path are visible in every namespace but the mount namespace. Those in /run and /tmp are already
 * hidden.
 */
async function listSockets(workspaces: readonly string[]): Promise<readonly string[]> {
  const paths = new Set<string>();
  for (let left = readings; left > 0; left -= 1) {
    const table = await readFile('/proc/net/unix', 'utf8').catch(() => '');
    for (const [, path] of table.matchAll(/ (\/.*)$/gm)) paths.add(path!);
  }
  const open = [...paths].filter(
    path => !['/run', '/tmp', '/var/run', '/var/tmp', ...workspaces].some(folder => liesWithin(path, folder)),
  );
  return (await findExisting(open)).map(({ path }) => path);
}

/** A server may exit between planning and start, and bubblewrap cannot hide a missing socket. */
function withoutGone(sandboxed: readonly string[]): readonly string[] {
  const gone = sandboxed.flatMap((wall, at) =>
    wall === '--ro-bind-try' && !existsSync(sandboxed[at + 2]!) ? [at, at + 1, at + 2] : [],
  );
  return gone.length === 0 ? sandboxed : sandboxed.filter((_, at) => !gone.includes(at));
}
