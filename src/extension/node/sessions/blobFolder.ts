/* Locations of blobs on disk, and removal of the oldest. */

import { readdir, readFile, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, toFileError } from '../files/fileErrors.ts';

/**
 * Milliseconds. Younger files stay, because another process may still need them, and a temporary file may be about to
 * get its name.
 */
const spared = 60 * 60 * 1000;
/** Removes down to this share of the quota, so that the next blob does not exceed it again. */
const goal = 0.9;
const packFolder = 'packs';

export function isBlobId(id: string): boolean {
  return /^[0-9a-f]{64}$/.test(id);
}

export function blobPath(root: string, id: string): string {
  return join(root, id.slice(0, 2), id);
}

/** A pack stores several blobs in one file. */
export function packPath(root: string, name: string): string {
  return join(root, packFolder, name);
}

function isPackName(name: string): boolean {
  return /^[0-9a-f]{32}\.pack$/.test(name);
}

export async function listPacks(root: string): Promise<readonly string[]> {
  try {
    return (await readdir(join(root, packFolder))).filter(isPackName);
  } catch (error) {
    if (isMissing(error)) return [];
    throw toFileError(error, root);
  }
}

export async function readIfPresent(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw toFileError(error, path);
  }
}

/** Removes the oldest blobs while their total size exceeds `quota` bytes, and files left by killed writers. */
export async function removeOldest(
  root: string,
  quota: number,
  isNeeded: (name: string) => boolean,
): Promise<void> {
  const now = Date.now();
  const found = await listFiles(root);
  const isOld = (file: StoredFile) => file.modifiedAt < now - spared;
  for (const stray of found.filter(file => isStray(file.name) && isOld(file))) await removeSame(stray);
  const blobs = found.filter(file => !isStray(file.name));
  let size = blobs.reduce((sum, file) => sum + file.size, 0);
  if (size <= quota) return;
  const oldestFirst = blobs.filter(isOld).sort((a, b) => a.modifiedAt - b.modifiedAt);
  for (const file of oldestFirst) {
    if (size <= quota * goal) return;
    if (!isNeeded(file.name) && (await removeSame(file))) size -= file.size;
  }
}

interface StoredFile {
  readonly path: string;
  readonly name: string;
  readonly size: number;
  readonly modifiedAt: number;
}

async function listFiles(root: string): Promise<readonly StoredFile[]> {
  const files: StoredFile[] = [];
  const isOurs = (name: string) => name === packFolder || /^[0-9a-f]{2}$/.test(name);
  for (const folder of (await readdir(root)).filter(isOurs)) {
    const names = (await readdir(join(root, folder))).filter(
      name => isBlobId(name) || isPackName(name) || isStray(name),
    );
    const found = await Promise.all(names.map(name => findFile(join(root, folder, name), name)));
    files.push(...found.filter(file => file !== undefined));
  }
  return files;
}

function isStray(name: string): boolean {
  return /^\.folio-\w+\.tmp$/.test(name);
}

async function findFile(path: string, name: string): Promise<StoredFile | undefined> {
  try {
    const { size, mtimeMs } = await stat(path);
    return { path, name, size, modifiedAt: mtimeMs };
  } catch (error) {
    // Another process may remove it at the same time.
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Resolves to `false` if another process has stored it again. */
async function removeSame(file: StoredFile): Promise<boolean> {
  const now = await findFile(file.path, file.name);
  if (now && now.modifiedAt !== file.modifiedAt) return false;
  try {
    await unlink(file.path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return true;
}
