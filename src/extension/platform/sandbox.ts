import { type Saying, t } from '../../protocol/language.ts';

/**
 * A sandbox around a command that the operating system holds up: it writes in the workspace and a private temporary
 * folder, reads the system without its secrets, and reaches neither network nor processes nor sockets outside.
 */
export interface Sandbox {
  /** Why no command can be sandboxed here and what to do about it, as sentences; undefined: it works. Never rejects. */
  whyMissing(): Promise<Saying | undefined>;
  /** Rejects when the sandbox cannot be prepared: the command must not run then. */
  contain(request: SandboxRequest): Promise<SandboxedProcess>;
  /** Removes what the sandbox needed. Commands of the background continue in theirs. */
  dispose(): Promise<void>;
}

/** A command gets these beside what every sandboxed command has. */
export interface SandboxGrants {
  /** Absolute folders or files that it may write, also protected ones of the workspace. */
  readonly write: readonly string[];
  /** Names of hosts that it may connect to, without a port. */
  readonly hosts: readonly string[];
}

/** The sandbox of programs that a configuration wants behind them: servers, hooks, discovered tools. */
export interface ProgramSandbox {
  /** Rejects with a sentence for the user when there are none: the program must not run then. */
  sandboxProgram(program: SandboxedProgram): Promise<SandboxedProcess>;
}

/** A configuration gives these to such a program, as they are written: paths may be relative, or begin with `~/`. */
export interface ProgramGrants extends SandboxGrants {
  /** It reads them although the sandbox hides them, such as the folder of its own code. */
  readonly read: readonly string[];
}

/** Stands beside what such a program prints, and models may read that. */
export function deniedHost(host: string): string {
  return `The sandbox did not let it connect to ${host}. Name it in "hosts" of its "sandbox".`;
}

export interface SandboxedProgram {
  readonly grants: ProgramGrants;
  /** Absolute; relative paths begin here. */
  readonly cwd: string;
  readonly lasting: boolean;
}

/** How a command is held; without it, it runs as the user would run it, and nobody expects otherwise. */
export type CommandSandbox =
  | { readonly kind: 'up'; readonly grants: SandboxGrants }
  /** The settings want a sandbox, and there are none. `why` says so, and what to do. */
  | { readonly kind: 'missing'; readonly why: Saying };

/** A command says that it needs these. */
export interface CommandNeeds extends SandboxGrants {
  readonly outside: boolean;
}

export interface SandboxRequest {
  readonly grants: SandboxGrants;
  /** Continues when the host ends. */
  readonly background: boolean;
  /** It has a terminal of its own, which nothing outside reads. */
  readonly terminal?: boolean;
  /** Absolute; it reads them although they are hidden from commands. */
  readonly read?: readonly string[];
  /**
   * Decides on a host that was not granted, while the connection waits; absent: it is refused at once. Never rejects.
   * @param gone aborted when the connection is not wanted any more
   */
  readonly onWanted?: (host: string, gone: AbortSignal) => Promise<HostAnswer>;
  /** Hears at once what the report says in the end: protected names that were undone. */
  readonly onQuarantined?: (undone: readonly Quarantined[]) => void;
  /**
   * It runs for as long as the host, so the workspace is read-only but for what is granted by name: protected names
   * that a user makes meanwhile could not be told from its own.
   */
  readonly lasting?: boolean;
}

export type HostAnswer =
  | { readonly kind: 'granted' }
  /** `why`: a sentence for the command. */
  | { readonly kind: 'refused'; readonly why: string };

/** The sandbox that was set up for one command; the command itself is started by the caller. */
export interface SandboxedProcess {
  /** The program that runs the given one inside. */
  wrap(launch: Launch): Launch;
  /** Once the command has ended: undoes what must not stay. Rejects when the disk does. */
  leave(): Promise<SandboxReport>;
}

/** Plans and builds are few: what keeps sandboxes from standing again and again is no accident. */
const maxBuilds = 5;

/** A command that ran inside the sandbox, or tried to. */
export interface SandboxedEnd {
  /** Its exit code; `null`: a signal ended it, or it continues. */
  readonly code: number | null;
  /** Absent: it continues. */
  readonly report?: SandboxReport;
}

/**
 * A sandbox are planned around what is there. A file or a socket of another program that goes away before they stand
 * keeps them from standing: nothing has run then, and they are planned again.
 */
export async function untilSandboxStarts<Ended extends SandboxedEnd>(
  contain: () => Promise<SandboxedProcess>,
  run: (sandboxed: SandboxedProcess) => Promise<Ended>,
): Promise<Ended> {
  for (let left = maxBuilds - 1; ; left -= 1) {
    const ended = await run(await contain());
    if (hasRun(ended) || left === 0) return ended;
  }
}

/** Bubblewrap and Seatbelt's program end with a code of their own when they cannot build. */
export function hasRun({ code, report }: SandboxedEnd): boolean {
  return report === undefined || report.reportedEnd || !buildFailures.has(code);
}

const buildFailures: ReadonlySet<number | null> = new Set([1]);

export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Variables of `env` that are meant for exactly this program: they pass, whatever they hold. */
  readonly given?: Readonly<Record<string, string>>;
}

/** The sandbox kept this from the command, as far as it is known. */
export interface SandboxReport {
  /**
   * The system said how the command ended. It does not of one that was killed, nor where the sandbox could not be
   * built.
   */
  readonly reportedEnd: boolean;
  /** Hosts that it wanted and did not get. */
  readonly hosts: readonly string[];
  /** Protected names that appeared or were replaced meanwhile, and were undone. */
  readonly undone: readonly Quarantined[];
}

/** Absolute paths. Nobody knows who made it, so nothing is thrown away. */
export interface Quarantined {
  readonly path: string;
  /** Where it lies now; absent: it was only removed, and was put back. */
  readonly kept?: string;
}

/** `/w/.vscode, which lies at /kept/.vscode now`. */
export function describeQuarantined({ path, kept }: Quarantined): string {
  return kept === undefined ? path : t('{0}, which lies at {1} now', path, kept);
}

/** The proxy through which a user reaches the network. What Folio sends automatically goes where its host leads it. */
export interface PersonalProxy {
  /** Addresses, as they are written in settings; absent: hosts are reached straight. */
  readonly http?: string;
  readonly https?: string;
  /** Hosts that are reached straight all the same, with commas or blanks between them. */
  readonly except: string;
  /** The header that it wants; absent: what the address says. */
  readonly login?: string;
}

/** The usual variables; small letters go before capitals, as with curl. */
export function proxyOfEnvironment(env: Readonly<Record<string, string | undefined>>): PersonalProxy {
  const read = (name: string) => env[name] || env[name.toUpperCase()] || undefined;
  return { http: read('http_proxy'), https: read('https_proxy'), except: read('no_proxy') ?? '' };
}
