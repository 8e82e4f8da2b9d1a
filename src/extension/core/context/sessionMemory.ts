/*
 * The memory of one session. The memory of the workspace stands in the system prompt and is read again with each
 * prompt. The memory of folders below it comes just in time: at the end of the result of the first call that works in
 * a folder. A folder whose memory was read once costs nothing until the next prompt.
 */

import { basename, dirname } from 'node:path';
import { contains } from '../folderPaths.ts';
import { findWayDown, type Memory, type MemoryBlock, readFolder, readMemory } from './memory.ts';
import type { MemoryFiles, MemoryPlace } from './memoryPlace.ts';

/** Characters of one result after which no further folder is looked into; a later call brings the rest. */
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
  /** Tells a block of memory in a result from text that only looks like one; the system prompt names it. */
  readonly key: string;
  private readonly files: MemoryFiles;
  private readonly place: () => MemoryPlace;
  private atStart: ReadonlySet<string> = new Set();
  /** By real path: files that the system prompt holds as they are. */
  private inPrompt: ReadonlyMap<string, string> = new Map();
  /** The same of those that came with results. */
  private readonly inResults = new Map<string, string>();
  private readonly readInto = new Set<string>();
  private readonly blocks: MemoryBlock[] = [];
  /** Real paths of the blocks and of what they import. */
  private reported: ReadonlySet<string> = new Set();
  private problems: readonly string[] = [];
  private roots: Promise<readonly Root[]> | undefined;
  /** Calls run side by side, and each file is told once. */
  private queue: Promise<unknown> = Promise.resolve();

  constructor(files: MemoryFiles, place: () => MemoryPlace, key: string) {
    this.files = files;
    this.place = place;
    this.key = key;
  }

  /** For an agent that is sent out, which was told nothing yet. */
  forAgent(): SessionMemory {
    const own = new SessionMemory(this.files, this.place, this.key);
    own.queue = own.read();
    return own;
  }

  /** Reads the memory for the system prompt of a turn, with new problems of its files. Never rejects. */
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

  /** The text of a file as the model has it in memory; `undefined`: it has none of it, or a part. */
  textOf(path: string): string | undefined {
    return this.inPrompt.get(path) ?? this.inResults.get(path);
  }

  /** Memory that came with results, oldest first. */
  get ofFolders(): readonly MemoryBlock[] {
    return this.blocks;
  }

  /** The history lost what was told; it is told again when it matters. */
  forget(): void {
    this.blocks.length = 0;
    this.reported = new Set();
    this.inResults.clear();
    this.readInto.clear();
  }

  /**
   * Gives the model the memory of the folders that a call worked in; empty when nothing is new. Never rejects.
   * @param folders absolute and real
   */
  async reportOf(folders: readonly string[]): Promise<string> {
    const fresh = folders.filter(folder => !this.readInto.has(folder));
    if (fresh.length === 0 || !this.place().trusted) return '';
    const notifying = this.queue.then(() => this.readFolders(fresh));
    this.queue = notifying;
    return notifying;
  }

  private async readFolders(folders: readonly string[]): Promise<string> {
    const { names, folders: workspace } = this.place();
    this.roots ??= Promise.all(workspace.map(folder => findRoot(this.files, folder)));
    const roots = await this.roots;
    let text = '';
    for (const folder of folders) {
      const root = roots.find(({ folder: open }) => contains(open, folder));
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
    const { blocks, problems, loaded, whole } = await readFolder(this.files, folder, { names, root, seen });
    this.reported = loaded;
    for (const [path, text] of whole) this.inResults.set(path, text);
    this.blocks.push(...blocks);
    this.problems = [...this.problems, ...problems];
    return blocks.map(block => this.describe(folder, block)).join('');
  }

  /** The text cannot close its own block. */
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
  const [root] = await findWayDown(files, folder);
  // A folder that has gone meanwhile contains nothing.
  const real = (path: string) => files.realPath(path).catch(() => path);
  return { folder: await real(folder), project: await real(root) };
}

/** Folders below the first down to the second, general before particular; none inside of a dependency. */
function stepsBetween(top: string, folder: string): readonly string[] {
  const steps: string[] = [];
  for (let step = folder; step !== top; step = dirname(step)) {
    if (foreignFolders.has(basename(step))) steps.length = 0;
    else steps.unshift(step);
  }
  return steps;
}
