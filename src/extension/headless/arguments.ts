import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { ApprovalMode, RewindScope } from '../../protocol/intentions.ts';
import { messageOf } from '../base/errors.ts';
import { defaultWorktreeName, parseStart } from '../core/worktrees/worktreeStart.ts';
import type { SandboxGrants } from '../platform/sandbox.ts';
import { splitCommandLine } from '../platform/settingFiles/externalAgents.ts';
import {
  type Effort,
  type ExternalCommandSetting,
  effortNames,
  type ProviderName,
  providerNames,
  type SandboxSetting,
} from '../platform/settings.ts';
import type { WorktreeStart } from '../platform/worktrees.ts';
import { options } from './options.ts';

export type OutputFormat = 'text' | 'json' | 'stream-json';

/** The point in an earlier session to rewind to. */
export type RewindRequest =
  /** Before the N-th prompt, counted from 1. */
  { readonly kind: 'to'; readonly prompt: number; readonly scope: RewindScope } | { readonly kind: 'undo' };

/** A command-line request to the background host. */
export type BackgroundRequest =
  | { readonly kind: 'run' | 'list' }
  | { readonly kind: 'attach' | 'stop'; readonly sessionId: string };

export type McpAllowance = 'nothing' | 'read' | 'run';

export interface HeadlessArguments {
  /** For the background host. Omitted if this process does the run. */
  readonly background?: BackgroundRequest;
  /** Only print the usage of earlier sessions, in this format. */
  readonly statistics?: 'csv' | 'json';
  /** Only store a key, or remove all. Clients may add this to `--acp`. */
  readonly sign?: 'in' | 'out';
  /** Serve an ACP client on standard input and output. */
  readonly acp: boolean;
  /** Serve an MCP client with these permissions. Omitted if not requested. */
  readonly mcp?: McpAllowance;
  /** Present unless the run only rewinds. */
  readonly prompt?: string;
  /** The id of an earlier session, or `latest`. */
  readonly resume?: string;
  readonly rewind?: RewindRequest;
  /** Absolute path. */
  readonly workspace: string;
  /** Absolute paths of additional folders. */
  readonly include: readonly string[];
  /** Create a worktree for the session. */
  readonly worktree?: { readonly name: string; readonly start: WorktreeStart };
  /** Run the session's commands in the workspace's container. */
  readonly container: boolean;
  /** The external agent that drives the session, with its command if given on the command line. */
  readonly driver?: { readonly name: string; readonly command?: ExternalCommandSetting };
  readonly provider?: ProviderName;
  readonly model?: string;
  readonly effort?: Effort;
  readonly baseUrl?: string;
  readonly mode?: ApprovalMode;
  readonly sandbox?: SandboxSetting;
  /** For each sandboxed command. Absolute paths. */
  readonly sandboxGrants: SandboxGrants;
  readonly output: OutputFormat;
  /** Read requests as lines from standard input, from a client that can decide. */
  readonly streams: boolean;
  /** Absolute path of the sessions' folder. */
  readonly sessionDir?: string;
  /** Absolute path to which the session is exported at the end. */
  readonly sessionFile?: string;
  /** Absolute path of a session file to import. Nothing else is done. */
  readonly importFile?: string;
  /** Absolute path. */
  readonly settingsFile?: string;
  /** Absolute paths of rule files. */
  readonly policyFiles: readonly string[];
  /** Absolute path of the folder for audit logs. */
  readonly auditFolder?: string;
  /** Time that the prompt waits for servers to start. */
  readonly serverStartMs: number;
  /** Time that the prompt waits for language servers. */
  readonly languageStartMs: number;
  /** Let a server's task continue after the run ends. */
  readonly detachesTasks: boolean;
  /** Absolute path to which requests and answers are recorded. */
  readonly record?: string;
  /** Absolute path of the recorded answers. */
  readonly replay?: string;
  readonly trusted: boolean;
  /** Treat everything in the workspace as approved by the user, so its hooks run. */
  readonly allSeen: boolean;
}

/** The command line is invalid. The message says why. */
export class UsageError extends Error {}

/** The run is refused for a reason that `--help` does not cover. The message says what to do. */
export class RunRefusal extends UsageError {}

/** Throws `UsageError`. Returns `help` if that was requested. */
export function parseArguments(args: readonly string[]): HeadlessArguments | 'help' {
  const values = parse(args);
  if (values.help) return 'help';
  const { prompt, workspace, model, settings, resume } = values;
  const rewind = parseRewind(values);
  if (rewind && resume === undefined)
    throw new UsageError('Going back needs a session. Name one with --resume ID, or --resume latest.');
  const sign = values['sign-in'] ? 'in' : values['sign-out'] ? 'out' : undefined;
  const acp = values.acp ?? false;
  if (acp && (prompt !== undefined || resume !== undefined || rewind))
    throw new UsageError(
      'With --acp the client names prompts and sessions: leave out --prompt, --resume and rewinds.',
    );
  const streams = oneOf('--input-format', values['input-format'], ['text', 'stream-json']) === 'stream-json';
  const output = oneOf('--output-format', values['output-format'], ['text', 'json', 'stream-json']);
  if (streams && (acp || prompt !== undefined || rewind))
    throw new UsageError(
      'With --input-format stream-json prompts come on standard input: leave out --prompt, --acp and rewinds.',
    );
  if (streams && output !== undefined && output !== 'stream-json')
    throw new UsageError(
      `With --input-format stream-json events go out in lines, too: leave out --output-format ${output}.`,
    );
  const mcp = parseMcp(values);
  const background = parseBackground(values);
  const statistics = oneOf('--statistics', values.statistics, ['csv', 'json']);
  const isServed = acp || streams || mcp !== undefined;
  checkSessionFiles(values, isServed || background !== undefined);
  const isOther = rewind || isServed || background || statistics || sign || values.import !== undefined;
  if (statistics && (prompt !== undefined || resume !== undefined || rewind || isServed || background))
    throw new UsageError('--statistics prints and leaves: give it alone, or with --session-dir DIR.');
  if (prompt === undefined ? !isOther : prompt.trim() === '')
    throw new UsageError('There is no prompt. Give one with --prompt TEXT.');
  if (values.trusted && values.untrusted)
    throw new UsageError('--trusted and --untrusted cannot be given together.');
  if (values.record !== undefined && values.replay !== undefined)
    throw new UsageError('--record and --replay cannot be given together.');
  const start = values['server-start'];
  const serverStartMs = start === undefined ? undefined : parseSeconds('--server-start', start) * 1000;
  return {
    background,
    statistics,
    sign,
    acp,
    mcp,
    prompt,
    resume,
    rewind,
    workspace: resolve(workspace ?? '.'),
    include: (values['include-directories'] ?? []).flatMap(text => text.split(',')).flatMap(foldersIn),
    worktree: parseWorktree(values),
    container: parseContainer(values),
    driver: parseDriver(values),
    provider: oneOf(
      '--provider',
      values.provider,
      providerNames.filter(name => name !== 'vscode'),
    ),
    model,
    effort: oneOf('--effort', values.effort, effortNames),
    baseUrl: values['base-url'],
    mode: oneOf('--approval-mode', values['approval-mode'], ['default', 'autoEdit', 'plan', 'yolo']),
    sandbox: parseSandbox(values.sandbox),
    sandboxGrants: {
      write: (values['sandbox-allow-write'] ?? []).map(realFolder),
      hosts: (values['sandbox-allow-host'] ?? []).map(parseHost),
    },
    output: output ?? (streams ? 'stream-json' : 'text'),
    streams,
    sessionDir: values['session-dir'] && resolve(values['session-dir']),
    sessionFile: values['session-file'] && resolve(values['session-file']),
    importFile: values.import && resolve(values.import),
    settingsFile: settings && resolve(settings),
    auditFolder: values.audit && resolve(values.audit),
    policyFiles: (values.policy ?? []).map(file => resolve(file)),
    serverStartMs: serverStartMs ?? 10_000,
    languageStartMs: serverStartMs ?? 1_500,
    detachesTasks: values['detach-tasks'] ?? false,
    record: values.record && resolve(values.record),
    replay: values.replay && resolve(values.replay),
    trusted: !values.untrusted,
    allSeen: values.trusted ?? false,
  };
}

function foldersIn(text: string): readonly string[] {
  const path = text.trim();
  if (path === '') return [];
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--include-directories: there is no folder ${path}.`);
  return [resolve(path)];
}

/** @param isElsewhere the sessions are not only this run's */
function checkSessionFiles(values: ReturnType<typeof parse>, isElsewhere: boolean): void {
  const { import: imported, prompt, resume } = values;
  const file = values['session-file'];
  if (imported !== undefined && (isElsewhere || [file, prompt, resume].some(given => given !== undefined)))
    throw new UsageError('--import makes a session and leaves: continue in it with --resume and the id.');
  if (file !== undefined && isElsewhere) throw new UsageError('--session-file is for a run with --prompt.');
  if (values['detach-tasks'] && (isElsewhere || prompt === undefined))
    throw new UsageError('--detach-tasks is for a run with --prompt.');
}

function parseWorktree({
  worktree,
  base,
  acp,
  resume,
}: ReturnType<typeof parse>): HeadlessArguments['worktree'] {
  if (worktree === undefined && base !== undefined) throw new UsageError('--base needs --worktree.');
  if (worktree === undefined) return undefined;
  if (acp || resume !== undefined)
    throw new UsageError('--worktree is for a new session: leave out --resume and --acp.');
  return { name: worktree || defaultWorktreeName(), start: parseStart(base) };
}

function parseContainer({
  container = false,
  worktree,
  acp,
  resume,
  agent,
  mcp,
  'agent-command': command,
}: ReturnType<typeof parse>): boolean {
  if (container && (acp || mcp || resume !== undefined))
    throw new UsageError('--container is for a new session: leave out --resume, --acp and --mcp.');
  if (container && worktree !== undefined)
    throw new UsageError('--container and --worktree cannot be given together.');
  if (container && (agent ?? command) !== undefined)
    throw new UsageError("Only the commands of Folio's own agent run in a container: leave out --agent.");
  return container;
}

function parseMcp(values: ReturnType<typeof parse>): McpAllowance | undefined {
  const allowed = oneOf('--mcp-allow', values['mcp-allow'], ['read', 'run']);
  if (!values.mcp) {
    if (allowed) throw new UsageError('--mcp-allow needs --mcp.');
    return undefined;
  }
  const { prompt, resume, acp, background, attach, stop, worktree } = values;
  const others = [
    prompt,
    resume,
    acp,
    background,
    attach,
    stop,
    worktree,
    values['input-format'],
    parseRewind(values),
  ];
  if (others.some(given => given !== undefined) || values['list-background'])
    throw new UsageError(
      'With --mcp the client names prompts and sessions: leave out what else runs or resumes.',
    );
  return allowed ?? 'nothing';
}

/** With a resumed session only its command may be given, since the journal records the agent. */
function parseDriver(values: ReturnType<typeof parse>): HeadlessArguments['driver'] {
  const { agent, acp, resume, background } = values;
  const line = values['agent-command'];
  if (agent === undefined && line === undefined) return undefined;
  if (acp || background)
    throw new UsageError('--agent and --agent-command cannot be given with --acp or --background.');
  if (agent !== undefined && resume !== undefined && line === undefined)
    throw new UsageError('--agent is for a new session: an earlier one keeps its own.');
  if (agent?.trim() === '') throw new UsageError('--agent takes the name of an agent.');
  if (line === undefined) return { name: agent! };
  const [command, ...args] = splitCommandLine(line);
  if (command === undefined) throw new UsageError('--agent-command takes a program and its arguments.');
  return { name: agent ?? basename(command), command: { command, args } };
}

function parseBackground(values: ReturnType<typeof parse>): BackgroundRequest | undefined {
  const { background, attach, stop, prompt, resume } = values;
  const listed = values['list-background'];
  const asked = [background, listed, attach !== undefined, stop !== undefined].filter(Boolean);
  if (asked.length > 1)
    throw new UsageError('Give one of --background, --list-background, --attach and --stop.');
  if (listed) return { kind: 'list' };
  if (attach !== undefined) return { kind: 'attach', sessionId: attach };
  if (stop !== undefined) return { kind: 'stop', sessionId: stop };
  if (!background) return undefined;
  if (prompt === undefined && resume === undefined)
    throw new UsageError('There is nothing to run in the background. Give --prompt TEXT, or --resume ID.');
  if (values.acp || values['input-format'] || parseRewind(values))
    throw new UsageError(
      'With --background leave out --acp, --input-format and rewinds. --attach ID takes lines.',
    );
  if (resume === 'latest' || values.untrusted)
    throw new UsageError('With --background --resume takes an ID, and --untrusted cannot be given.');
  return { kind: 'run' };
}

function parseRewind(values: ReturnType<typeof parse>): RewindRequest | undefined {
  const { rewind } = values;
  const scopes = ['files', 'conversation', 'both'] as const;
  const scope = oneOf('--rewind-scope', values['rewind-scope'], scopes);
  if (rewind !== undefined && values['undo-rewind'])
    throw new UsageError('--rewind and --undo-rewind cannot be given together.');
  if (scope && rewind === undefined) throw new UsageError('--rewind-scope needs --rewind N.');
  if (values['undo-rewind']) return { kind: 'undo' };
  if (rewind === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(rewind))
    throw new UsageError(`--rewind takes the number of a prompt, from 1, not ${rewind}.`);
  return { kind: 'to', prompt: Number(rewind), scope: scope ?? 'both' };
}

function parseSandbox(value: string | undefined): SandboxSetting | undefined {
  const chosen = oneOf('--sandbox', value, ['on', 'off']);
  return chosen === 'off' ? 'ask' : chosen;
}

/** Resolves links now, because they may lead elsewhere when a command runs. */
function realFolder(name: string): string {
  const folder = resolve(name);
  return existsSync(folder) ? realpathSync(folder) : folder;
}

function parseHost(name: string): string {
  if (/^[\w.-]+$|^[\da-f:]+$/i.test(name)) return name.toLowerCase();
  throw new UsageError(`--sandbox-allow-host takes the name of a host, not ${name}.`);
}

function parseSeconds(name: string, value: string): number {
  if (/^\d{1,6}$/.test(value)) return Number(value);
  throw new UsageError(`${name} takes a number of seconds, not ${value}.`);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: withOptionalValues(args), options, strict: true, allowPositionals: false })
      .values;
  } catch (error) {
    throw new UsageError(`${messageOf(error).replace(/\.$/, '')}.`);
  }
}

/** Options with an optional value, and its default. */
const optionalValues = new Map([
  ['--worktree', ''],
  ['--resume', 'latest'],
]);

function withOptionalValues(args: readonly string[]): string[] {
  return args.map((arg, index) => {
    const next = args[index + 1];
    const value = next === undefined || next.startsWith('-') ? optionalValues.get(arg) : undefined;
    return value === undefined ? arg : `${arg}=${value}`;
  });
}

function oneOf<T extends string>(
  name: string,
  value: string | undefined,
  allowed: readonly T[],
): T | undefined {
  if (value === undefined) return undefined;
  const found = allowed.find(choice => choice === value);
  if (found === undefined) throw new UsageError(`${name} takes ${allowed.join(', ')}, not ${value}.`);
  return found;
}
