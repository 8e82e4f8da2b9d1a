/* Stores one note per line: name, space, value. */

import { readFile, rename, writeFile } from 'node:fs/promises';
import type { WorktreeNotes } from '../../platform/worktrees.ts';
import { isMissing } from '../files/fileErrors.ts';

/** @param place absolute path */
export async function readNotes(place: string): Promise<WorktreeNotes> {
  const text = await readFile(place, 'utf8').catch(error => {
    if (isMissing(error)) return '';
    throw error;
  });
  const find = (name: string) => new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1];
  return { branch: find('branch'), commit: find('commit'), address: find('address') };
}

/** Atomic, so a kill leaves the previous notes. */
export async function writeNotes(place: string, notes: WorktreeNotes): Promise<void> {
  const lines = Object.entries(notes).flatMap(([name, value]) => (value ? [`${name} ${value}\n`] : []));
  await writeFile(`${place}.new`, lines.join(''));
  await rename(`${place}.new`, place);
}
