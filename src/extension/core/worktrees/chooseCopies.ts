/* Selects ignored files to copy into a worktree: those matched by `.worktreeinclude`, secrets only if allowed. */

import type { Worktrees } from '../../platform/worktrees.ts';
import { findProtection } from '../protectedPaths.ts';

/**
 * @param folder absolute, in the repository
 * @param allow asks whether these files with secrets may be copied
 * @returns paths relative to the root, with `/`
 */
export async function chooseCopies(
  worktrees: Pick<Worktrees, 'listIncluded'>,
  folder: string,
  allow: (secrets: readonly string[]) => Promise<boolean>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const included = await worktrees.listIncluded(folder, signal);
  const secrets = included.filter(path => findProtection(path, 'read') !== undefined);
  if (secrets.length === 0 || (await allow(secrets))) return included;
  return included.filter(path => !secrets.includes(path));
}
