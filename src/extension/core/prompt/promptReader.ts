import { join } from 'node:path';
import type { ApprovalMode } from '../../../protocol/intentions.ts';
import type { Clock } from '../../platform/clock.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { Machine } from '../../platform/machine.ts';
import type { SessionMemory } from '../context/sessionMemory.ts';
import { readPromptFile, resolvePromptVariable, writePromptFile } from './promptFile.ts';
import type { OuterSandbox, PromptFacts } from './sections/facts.ts';
import { systemPrompt } from './systemPrompt.ts';

export interface SessionFacts {
  readonly mode: ApprovalMode;
  readonly model: string;
  readonly toolNames: readonly string[];
}

/** @param write composes the text from the facts; absent: the session's system prompt */
export type ComposePrompt = (facts: SessionFacts, write?: (facts: PromptFacts) => string) => string;

export interface SystemPromptReader {
  /**
   * Reads the system prompt's files at the start of a turn. The returned function composes the prompt for each step
   * without file access. Rejects with `PromptFileError`.
   */
  read(facts: SessionFacts): Promise<ComposePrompt>;
}

/** Sources of a system prompt, apart from the session's own facts. */
export interface PromptSources {
  readonly files: FileSystem;
  readonly clock: Clock;
  /** Absolute workspace folders. */
  readonly folders: readonly string[];
  readonly trusted: () => boolean;
  readonly interactive: boolean;
  readonly memory: Pick<SessionMemory, 'read' | 'key'>;
  /** Its environment may contain GEMINI_SYSTEM_MD and GEMINI_WRITE_SYSTEM_MD. */
  readonly machine: Machine;
  /** Called before each request. */
  readonly added: () => Pick<PromptFacts, 'agents' | 'skills' | 'servers' | 'docs' | 'drawsFigures'>;
  /** Folio runs commands in a sandbox. */
  readonly sandboxed: () => boolean;
  /** `equipment`: the folders are a separate worktree; absent: they are the user's. */
  readonly elsewhere?: Pick<PromptFacts, 'container'> & {
    readonly equipment?: Pick<PromptFacts, 'portBase'>;
  };
  /** Sections to leave out. */
  readonly without: () => readonly string[];
  /** Shows a sentence about a file that cannot be used. */
  readonly notify: (sentence: string) => void;
}

/** Returns a function for `SystemPromptReader.read`. */
export function makePromptRead(sources: PromptSources): (facts: SessionFacts) => Promise<ComposePrompt> {
  const reported = new Set<string>();
  const reportOnce = (sentence: string) => {
    if (!reported.has(sentence)) sources.notify(sentence);
    reported.add(sentence);
  };
  let written = false;
  return async facts => {
    const { files, folders } = sources;
    const trusted = sources.trusted();
    const [memory, own, outer, repositories] = await Promise.all([
      sources.memory.read(),
      readOwnPrompt(sources, trusted, reportOnce),
      findOuterSandbox(files, sources.machine),
      Promise.all(folders.map(folder => files.stat(join(folder, '.git')))),
    ]);
    memory.problems.forEach(reportOnce);
    const hasGit = repositories.some(stat => stat !== undefined);
    const date = isoDay(sources.clock.now());
    const without = sources.without();
    const compose: ComposePrompt = (facts, write = systemPrompt) => {
      const { mode, model, toolNames: tools } = facts;
      const { interactive, machine, sandboxed } = sources;
      const { platform } = machine;
      const known = {
        interactive,
        platform,
        shell: platform === 'win32' ? 'PowerShell' : 'bash',
        folders,
        trusted,
        hasGit,
        isWorktree: sources.elsewhere?.equipment !== undefined,
        portBase: sources.elsewhere?.equipment?.portBase,
        container: sources.elsewhere?.container,
        sandbox: sandboxed() ? ('folio' as const) : outer,
        date,
        without,
        memory: memory.blocks,
        memoryKey: trusted ? sources.memory.key : undefined,
      };
      return write({ ...known, ...sources.added(), mode, model, tools, own });
    };
    if (!written) await writeOut(sources, trusted, () => compose(facts), reportOnce);
    written = true;
    return compose;
  };
}

async function readOwnPrompt(
  sources: PromptSources,
  trusted: boolean,
  notify: (sentence: string) => void,
): Promise<string | undefined> {
  const { files, folders, machine } = sources;
  const { home, env } = machine;
  const place = { folder: folders[0], home, trusted };
  const file = await resolvePromptVariable(files, 'GEMINI_SYSTEM_MD', env.GEMINI_SYSTEM_MD, place);
  if (file.kind === 'refused') notify(file.reason);
  return file.kind === 'file' ? readPromptFile(files, file.path) : undefined;
}

async function writeOut(
  sources: PromptSources,
  trusted: boolean,
  compose: () => string,
  notify: (sentence: string) => void,
): Promise<void> {
  const { files, folders, machine } = sources;
  const { home, env } = machine;
  const variable = 'GEMINI_WRITE_SYSTEM_MD';
  try {
    const file = await resolvePromptVariable(files, variable, env[variable], {
      folder: folders[0],
      home,
      trusted,
    });
    if (file.kind === 'refused') notify(file.reason);
    if (file.kind === 'file') await writePromptFile(files, file.path, compose());
  } catch (error) {
    // Writing the prompt only helps to check it, so the turn continues without it.
    notify(error instanceof Error ? error.message : String(error));
  }
}

/** Formats the local day: `2026-03-14`. */
function isoDay(time: number): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Files of Docker and Podman. */
const markFiles = ['/.dockerenv', '/run/.containerenv'];
/** Variables of systemd-nspawn and Podman, dev containers and Codespaces. */
const markVariables = ['SANDBOX', 'container', 'REMOTE_CONTAINERS', 'CODESPACES'];

/** Detects a container or sandbox around Folio by the marks of container engines. */
export async function findOuterSandbox(
  files: Pick<FileSystem, 'stat'>,
  { env, platform }: Machine,
): Promise<OuterSandbox> {
  if (env.SANDBOX === 'sandbox-exec') return 'seatbelt';
  if (markVariables.some(name => env[name])) return 'container';
  if (platform !== 'linux') return 'none';
  const found = await Promise.all(markFiles.map(path => files.stat(path)));
  return found.some(stat => stat !== undefined) ? 'container' : 'none';
}
