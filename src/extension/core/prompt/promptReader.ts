import { join } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { Memory } from '../context/memory.ts';
import type { ComposePrompt, SessionFacts } from '../session/surroundings.ts';
import type { PromptEntry, ServerInstructions } from './facts.ts';
import { findPromptFile, readPromptFile, writePromptFile } from './promptFile.ts';
import { systemPrompt } from './systemPrompt.ts';

export interface PromptSurroundings {
  readonly files: FileSystem;
  readonly clock: Clock;
  /** Absolute workspace folders. */
  readonly folders: readonly string[];
  readonly trusted: () => boolean;
  readonly interactive: boolean;
  /** The person's home folder, absolute. */
  readonly home: string;
  /** Never rejects. */
  readonly readMemory: () => Promise<Memory>;
  /** Marks memory that comes at the end of a result. */
  readonly memoryKey: string;
  readonly platform: string;
  readonly shell: string;
  /** Values of GEMINI_SYSTEM_MD and GEMINI_WRITE_SYSTEM_MD. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whom the model can send out, and what it can load; asked before each request. */
  readonly agents: () => readonly PromptEntry[];
  readonly skills: () => readonly PromptEntry[];
  /** What servers that run say; absent: none do. */
  readonly servers?: () => readonly ServerInstructions[];
  /** Sections to leave out. */
  readonly without: () => readonly string[];
  /** A sentence for the person about a file that cannot be used. */
  readonly tell: (sentence: string) => void;
}

/**
 * Returns the function that reads, at the start of a turn, the files that the system prompt is made of. What that
 * gives back composes the prompt for each step without touching the disk again. Rejects with `PromptFileError`.
 */
export function promptReader(around: PromptSurroundings): (facts: SessionFacts) => Promise<ComposePrompt> {
  const told = new Set<string>();
  const tellOnce = (sentence: string) => {
    if (!told.has(sentence)) around.tell(sentence);
    told.add(sentence);
  };
  let written = false;
  return async facts => {
    const { files, folders } = around;
    const trusted = around.trusted();
    const folder = folders[0];
    const [memory, own, hasGit] = await Promise.all([
      around.readMemory(),
      readOwnPrompt(around, trusted, tellOnce),
      folder === undefined ? false : files.stat(join(folder, '.git')).then(stat => stat !== undefined),
    ]);
    memory.problems.forEach(tellOnce);
    const date = isoDay(around.clock.now());
    const without = around.without();
    const compose: ComposePrompt = (facts, write = systemPrompt) => {
      const { mode, model, activeTopic: topic, toolNames: tools } = facts;
      const { interactive, platform, shell } = around;
      const known = {
        interactive,
        platform,
        shell,
        folders,
        trusted,
        hasGit,
        date,
        without,
        memory: memory.blocks,
        memoryKey: trusted ? around.memoryKey : undefined,
      };
      const added = { agents: around.agents(), skills: around.skills(), servers: around.servers?.() };
      return write({ ...known, ...added, mode, model, tools, topic, own });
    };
    if (!written) await writeOut(around, trusted, compose(facts), tellOnce);
    written = true;
    return compose;
  };
}

async function readOwnPrompt(
  around: PromptSurroundings,
  trusted: boolean,
  tell: (sentence: string) => void,
): Promise<string | undefined> {
  const { files, home, folders, env } = around;
  const place = { folder: folders[0], home, trusted };
  const file = await findPromptFile(files, 'GEMINI_SYSTEM_MD', env.GEMINI_SYSTEM_MD, place);
  if (file.kind === 'refused') tell(file.reason);
  return file.kind === 'file' ? readPromptFile(files, file.path) : undefined;
}

async function writeOut(
  around: PromptSurroundings,
  trusted: boolean,
  prompt: string,
  tell: (sentence: string) => void,
): Promise<void> {
  const { files, home, folders, env } = around;
  const variable = 'GEMINI_WRITE_SYSTEM_MD';
  try {
    const file = await findPromptFile(files, variable, env[variable], { folder: folders[0], home, trusted });
    if (file.kind === 'refused') tell(file.reason);
    if (file.kind === 'file') await writePromptFile(files, file.path, prompt);
  } catch (error) {
    // Writing it out is a help for looking at the prompt; the turn goes on without it.
    tell(error instanceof Error ? error.message : String(error));
  }
}

/** The local day, `2026-03-14`. */
function isoDay(time: number): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
