/*
 * Instruction files of one session. Those of the workspace are part of the system prompt and reread with each prompt.
 * Those of subfolders come on demand: with the result of the first call that works in a folder. A folder already read
 * costs nothing until the next prompt.
 */

import { basename, dirname } from 'node:path';
import { folderContains } from '../folderPaths.ts';
import { foldersFromRoot, type Memory, type MemoryBlock, readFolderMemory, readMemory } from './memory.ts';
import type { MemoryFiles, MemorySources } from './memoryPlace.ts';

/** Characters per result after which no more folders are read; a later call brings the rest. */
const resultLimit = 32_000;

/** Instructions of a dependency are not the project's. */
const foreignFolders = new Set([
  'node_modules',
  'bower_components',
  'vendor',
  'site-packages',
  '.venv',
  '.git',
]);

export class SessionMemory {
  /** Authenticates memory blocks in results against imitations; the system prompt contains it. */
  readonly key: string;
  private readonly files: MemoryFiles;
  private readonly place: () => MemorySources;
  private atStart: ReadonlySet<string> = new Set();
  /** Complete texts in the system prompt, by real path. */
  private inPrompt: ReadonlyMap<string, string> = new Map();
  /** Complete texts that came with results, by real path. */
  private readonly inResults = new Map<string, string>();
  private readonly readInto = new Set<string>();
  private readonly blocks: MemoryBlock[] = [];
  /** Real paths of the blocks and their imports. */
  private reported: ReadonlySet<string> = new Set();
  private problems: readonly string[] = [];
  private roots: Promise<readonly Root[]> | undefined;
  /** Serialises concurrent calls, so that each file is added once. */
  private queue: Promise<unknown> = Promise.resolve();

  constructor(files: MemoryFiles, place: () => MemorySources, key: string) {
    this.files = files;
    this.place = place;
    this.key = key;
  }

  /** Creates the memory of a subagent, which has not received anything. */
  forAgent(): SessionMemory {
    const own = new SessionMemory(this.files, this.place, this.key);
    own.queue = own.read();
    return own;
  }

  /** Reads the memory for the system prompt of a turn, with new problems. Never rejects. */
  async read(): Promise<Memory> {
    const memory = await readMemory(this.files, this.place());
    const problems = [...memory.problems, ...this.problems];
    this.atStart = memory.loaded;
    this.inPrompt = memory.whole;
    this.problems = [];
    this.readInto.clear();
    this.roots = undefined;
    return { ...memory, problems };
  }

  /** Returns a file's complete text if the model has it in memory; otherwise `undefined`. */
  textOf(path: string): string | undefined {
    return this.inPrompt.get(path) ?? this.inResults.get(path);
  }

  /** Blocks that came with results, oldest first. */
  get ofFolders(): readonly MemoryBlock[] {
    return this.blocks;
  }

  /** Adds files again when needed, since the history lost them. */
  forget(): void {
    this.blocks.length = 0;
    this.reported = new Set();
    this.inResults.clear();
    this.readInto.clear();
  }

  /**
   * Returns the memory of folders that a call worked in; empty if nothing is new. Never rejects.
   * @param folders absolute and real
   */
  async reportOf(folders: readonly string[]): Promise<string> {
    const fresh = folders.filter(folder => !this.readInto.has(folder));
    if (fresh.length === 0 || !this.place().trusted) return '';
    const reading = this.queue.then(() => this.readFolders(fresh));
    this.queue = reading;
    return reading;
  }

  private async readFolders(folders: readonly string[]): Promise<string> {
    const { names, folders: workspace } = this.place();
    this.roots ??= Promise.all(workspace.map(folder => findRoot(this.files, folder)));
    const roots = await this.roots;
    let text = '';
    for (const folder of folders) {
      const root = roots.find(({ folder: open }) => folderContains(open, folder));
      if (!root) continue;
      for (const step of stepsBetween(root.folder, folder)) {
        if (this.readInto.has(step)) continue;
        if (text.length > resultLimit) return text;
        this.readInto.add(step);
        text += await this.readStep(step, names, root.project);
      }
      this.readInto.add(folder);
    }
    return text;
  }

  private async readStep(folder: string, names: readonly string[], root: string): Promise<string> {
    const seen = new Set([...this.atStart, ...this.reported]);
    const { blocks, problems, loaded, whole } = await readFolderMemory(this.files, folder, {
      names,
      root,
      seen,
    });
    this.reported = loaded;
    for (const [path, text] of whole) this.inResults.set(path, text);
    this.blocks.push(...blocks);
    this.problems = [...this.problems, ...problems];
    return blocks.map(block => this.describe(folder, block)).join('');
  }

  /** Escapes the text so that it cannot close its block. */
  private describe(folder: string, { path, text }: MemoryBlock): string {
    const attributes = `key="${this.key}" file=${JSON.stringify(path)} for=${JSON.stringify(folder)}`;
    return `\n\n<memory ${attributes}>\n${text.trim().replaceAll('</memory', '<\\/memory')}\n</memory>`;
  }
}

interface Root {
  /** Real path of a workspace folder. */
  readonly folder: string;
  /** Real path of the root of its repository. */
  readonly project: string;
}

async function findRoot(files: MemoryFiles, folder: string): Promise<Root> {
  const [root] = await foldersFromRoot(files, folder);
  // A deleted folder contains nothing.
  const real = (path: string) => files.realPath(path).catch(() => path);
  return { folder: await real(folder), project: await real(root) };
}

/** Lists folders below `top` down to `folder`, from general to specific, without those inside a dependency. */
function stepsBetween(top: string, folder: string): readonly string[] {
  const steps: string[] = [];
  for (let step = folder; step !== top; step = dirname(step)) {
    if (foreignFolders.has(basename(step))) steps.length = 0;
    else steps.unshift(step);
  }
  return steps;
}
