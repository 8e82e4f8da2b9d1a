/* Standing instructions from files: the person's own, and the workspace's when it is trusted. */

import { join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { formatBytes } from '../../base/text.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import { contains } from '../paths.ts';

export interface MemoryPlace {
  /** The person's own file, absolute; read in every workspace. */
  readonly globalFile: string;
  /** Absolute workspace folders. */
  readonly folders: readonly string[];
  readonly trusted: boolean;
}

export interface Memory {
  /** General before particular: the person's own first, then folder by folder. */
  readonly blocks: readonly MemoryBlock[];
  /** Files that are there and could not be used, each a sentence for the person. */
  readonly problems: readonly string[];
}

export interface MemoryBlock {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

/** Characters of one file that reach the prompt; every request carries them. */
export const memoryLimit = 16_000;

/** What is larger was not meant to be read by a model. */
const sizeLimit = 1024 * 1024;

const workspaceNames = ['GEMINI.md', 'AGENTS.md'];

type MemoryFiles = Pick<FileSystem, 'realPath' | 'stat' | 'readText'>;

/** Never rejects. A file that two names lead to is read once; a link out of its folder is not followed. */
export async function readMemory(files: MemoryFiles, place: MemoryPlace): Promise<Memory> {
  const candidates: Candidate[] = [{ path: place.globalFile, within: undefined }];
  for (const folder of place.trusted ? place.folders : []) {
    candidates.push(...workspaceNames.map(name => ({ path: join(folder, name), within: folder })));
  }
  const found = await Promise.all(candidates.map(candidate => readCandidate(files, candidate)));
  const seen = new Set<string>();
  const blocks: MemoryBlock[] = [];
  const problems: string[] = [];
  for (const result of found) {
    if (result.kind === 'problem') problems.push(result.sentence);
    if (result.kind !== 'block' || seen.has(result.real)) continue;
    seen.add(result.real);
    blocks.push(result.block);
  }
  return { blocks, problems };
}

interface Candidate {
  readonly path: string;
  /** The folder that the real file must lie in; the person's own file may lie anywhere. */
  readonly within: string | undefined;
}

type Found =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'block'; readonly real: string; readonly block: MemoryBlock }
  | { readonly kind: 'problem'; readonly sentence: string };

async function readCandidate(files: MemoryFiles, { path, within }: Candidate): Promise<Found> {
  try {
    const stat = await files.stat(path);
    if (stat?.kind !== 'file') return { kind: 'nothing' };
    const real = await files.realPath(path);
    if (within !== undefined && !contains(await files.realPath(within), real)) {
      return ignored(path, 'it is a link that leads out of the workspace');
    }
    if (stat.size > sizeLimit) return ignored(path, `it is larger than ${formatBytes(sizeLimit)}`);
    const { text } = await files.readText(path);
    if (text.trim() === '') return { kind: 'nothing' };
    return { kind: 'block', real, block: { path, text: bounded(text) } };
  } catch (error) {
    return ignored(path, messageOf(error));
  }
}

function ignored(path: string, reason: string): Found {
  return { kind: 'problem', sentence: `The memory file ${path} is not used: ${reason}.` };
}

function bounded(text: string): string {
  if (text.length <= memoryLimit) return text;
  return `${text.slice(0, memoryLimit)}\n(cut here: ${text.length - memoryLimit} more characters)`;
}
