import { type LocalizedMessage, t } from '../../protocol/language.ts';

/**
 * A sandbox that the operating system enforces around a command. The command writes in the workspace and a private
 * temporary folder and reads the system except for its secrets. It has no access to the network, processes or sockets
 * outside.
 */
export interface Sandbox {
  /** Returns why commands cannot be sandboxed here and what to do; `undefined` if they can. Never rejects. */
  whyMissing(): Promise<LocalizedMessage | undefined>;
  /** Rejects if the sandbox cannot be prepared: the command must not run then. */
  contain(request: SandboxRequest): Promise<SandboxedProcess>;
  /** Removes what the sandbox needed. Background commands keep theirs. */
  dispose(): Promise<void>;
}

/** Access of one command beyond what every sandboxed command has. */
export interface SandboxGrants {
  /** Absolute folders or files that it may write, even protected ones of the workspace. */
  readonly write: readonly string[];
  /** Host names that it may connect to, without port. */
  readonly hosts: readonly string[];
}

/** Sandbox of programs whose configuration demands one: servers, hooks, discovered tools. */
export interface ProgramSandbox {
  /** Rejects with a sentence for the user if there is no sandbox: the program must not run then. */
  sandboxProgram(program: SandboxedProgram): Promise<SandboxedProcess>;
}

/** Access that a configuration grants such a program, as written: paths may be relative, or begin with `~/`. */
export interface ProgramGrants extends SandboxGrants {
  /** Otherwise hidden paths that it may read, such as the folder of its own code. */
  readonly read: readonly string[];
}

/** Follows such a program's output, which models may read. */
export function describeDeniedHost(host: string): string {
  return `The sandbox did not let it connect to ${host}. Name it in "hosts" of its "sandbox".`;
}

export interface SandboxedProgram {
  readonly grants: ProgramGrants;
  /** Absolute; base of relative paths. */
  readonly cwd: string;
  readonly lasting: boolean;
}

/** How a command is sandboxed. Absent if it runs without a sandbox by intent. */
export type CommandSandbox =
  | { readonly kind: 'up'; readonly grants: SandboxGrants }
  /** The settings demand a sandbox but none is available. `why` says so, and what to do. */
  | { readonly kind: 'missing'; readonly why: LocalizedMessage };

export interface CommandNeeds extends SandboxGrants {
  readonly outside: boolean;
}

export interface SandboxRequest {
  readonly grants: SandboxGrants;
  /** Continues when the host ends. */
  readonly background: boolean;
  /** True if it has its own terminal, which nothing outside reads. */
  readonly terminal?: boolean;
  /** Absolute. Paths to read that are hidden from other commands. */
  readonly read?: readonly string[];
  /**
   * Decides on a host that was not granted while the connection waits. If absent, it is refused at once. Never rejects.
   * @param gone aborts when the connection is no longer needed
   */
  readonly onHostRequested?: (host: string, gone: AbortSignal) => Promise<HostAccessDecision>;
  /** Called at once when protected names are reverted; the report repeats them. */
  readonly onQuarantined?: (undone: readonly QuarantinedPath[]) => void;
  /**
   * Runs as long as the host. The workspace is then read-only except for what is granted by name: its changes to
   * protected names could not be told from the user's.
   */
  readonly lasting?: boolean;
}

export type HostAccessDecision =
  | { readonly kind: 'granted' }
  /** `why`: a sentence for the command. */
  | { readonly kind: 'refused'; readonly why: string };

/** The sandbox set up for one command. The caller starts the command itself. */
export interface SandboxedProcess {
  /** Wraps the launch of a program so that it runs inside. */
  wrap(launch: Launch): Launch;
  /** Call once the command has ended: reverts forbidden changes. Rejects if the file system does. */
  leave(): Promise<SandboxReport>;
}

/** After five failed builds the cause is permanent. */
const maxBuilds = 5;

/** State of a sandboxed command when its call returns: it ended, continues, or never started (see `hasStarted`). */
export interface SandboxedEnd {
  /** Its exit code; `null` if a signal ended it, or it continues. */
  readonly code: number | null;
  /** Absent if it continues. */
  readonly report?: SandboxReport;
}

/**
 * Runs a command in a sandbox, and plans and builds the sandbox again if the build fails: it is planned for the paths
 * that exist, and a file or socket of another program may disappear meanwhile. Then nothing has run.
 */
export async function runWithSandboxRetries<Ended extends SandboxedEnd>(
  contain: () => Promise<SandboxedProcess>,
  run: (sandboxed: SandboxedProcess) => Promise<Ended>,
): Promise<Ended> {
  for (let left = maxBuilds - 1; ; left -= 1) {
    const ended = await run(await contain());
    if (hasStarted(ended) || left === 0) return ended;
  }
}

/** Bubblewrap and sandbox-exec exit with their own code if they cannot build the sandbox. */
export function hasStarted({ code, report }: SandboxedEnd): boolean {
  return report === undefined || report.reportedEnd || !buildFailures.has(code);
}

const buildFailures: ReadonlySet<number | null> = new Set([1]);

export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Variables of `env` intended for this program: passed even if they look like secrets. */
  readonly given?: Readonly<Record<string, string>>;
}

/** Access that the sandbox denied the command, as far as known. */
export interface SandboxReport {
  /** True if the system reported how the command ended. False if it was killed, or the sandbox could not be built. */
  readonly reportedEnd: boolean;
  /** Hosts that were requested and denied. */
  readonly hosts: readonly string[];
  /** Protected names that appeared or were replaced meanwhile and were reverted. */
  readonly undone: readonly QuarantinedPath[];
}

/** Absolute paths. Moved aside rather than deleted, since nobody knows who made it. */
export interface QuarantinedPath {
  readonly path: string;
  /** Where it is now; absent if the path was only deleted and has been restored. */
  readonly movedTo?: string;
}

/** `/w/.vscode, which lies at /kept/.vscode now`. */
export function describeQuarantined({ path, movedTo: kept }: QuarantinedPath): string {
  return kept === undefined ? path : t('{0}, which lies at {1} now', path, kept);
}

/** The proxy through which a user reaches the network. Folio's own requests use the proxy of its host instead. */
export interface UserProxy {
  /** Addresses as written in settings; absent if hosts are reached directly. */
  readonly http?: string;
  readonly https?: string;
  /** Hosts reached directly anyway, separated by commas or blanks. */
  readonly except: string;
  /** Value of its authorization header; absent if the address contains the login. */
  readonly login?: string;
}

/** Reads the usual variables. Lower case wins over upper case, as in curl. */
export function readProxyEnvironment(env: Readonly<Record<string, string | undefined>>): UserProxy {
  const read = (name: string) => env[name] || env[name.toUpperCase()] || undefined;
  return { http: read('http_proxy'), https: read('https_proxy'), except: read('no_proxy') ?? '' };
}
