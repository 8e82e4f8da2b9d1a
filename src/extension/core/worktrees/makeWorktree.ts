import { join, relative } from 'node:path';
import { formatList, t } from '../../../protocol/language.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import { isInnerFolder } from '../../platform/settingFiles/worktreeChecks.ts';
import type { Settings } from '../../platform/settings.ts';
import type { Worktree, WorktreeRequest, Worktrees } from '../../platform/worktrees.ts';
import { findProtection } from '../protectedPaths.ts';
import { findPackageManagers, installLine } from './packageManagers.ts';
import { proposeSetUp, type SetUpDialogs, type SetUpSettings } from './proposeSetUp.ts';

export interface WorktreeDialogs extends SetUpDialogs {
  /** Asks whether these files with secrets may be copied. */
  allowSecrets(secrets: readonly string[]): Promise<boolean>;
}

export interface WorktreeSettings extends Pick<Settings, 'get' | 'isSet'> {
  save(values: SetUpSettings): Promise<void>;
}

interface WorktreePorts {
  readonly worktrees: Pick<Worktrees, 'listIncluded' | 'create' | 'share' | 'remove'>;
  readonly files: Pick<FileSystem, 'stat' | 'realPath'>;
  readonly settings: WorktreeSettings;
}

interface MadeWorktree {
  readonly worktree: Worktree;
  /** Command that sets it up, to run in the session that works there; empty: none. */
  readonly setUp: string;
}

/** Creates everything or nothing. */
export async function makeWorktree(
  ports: WorktreePorts,
  request: Omit<WorktreeRequest, 'copies'>,
  user: WorktreeDialogs,
  signal: AbortSignal,
): Promise<MadeWorktree> {
  const { worktrees, files } = ports;
  const copies = await chooseCopies(worktrees, request.folder, user.allowSecrets, signal);
  const worktree = await worktrees.create({ ...request, copies }, signal);
  try {
    const folder = await files.realPath(request.folder);
    return { worktree, setUp: await equip(ports, worktree, folder, user, signal) };
  } catch (error) {
    await worktrees.remove(worktree, new AbortController().signal);
    throw error;
  }
}

/** @param folder absolute and real: the session's folder at home */
async function equip(
  { worktrees, files, settings }: WorktreePorts,
  worktree: Worktree,
  folder: string,
  user: WorktreeDialogs,
  signal: AbortSignal,
): Promise<string> {
  const chosen = await proposeSetUp({ folder, root: worktree.home }, settings, files, user);
  signal.throwIfAborted();
  if (Object.keys(chosen).length > 0) await settings.save(chosen);
  const links = chosen['worktree.link'] ?? settings.get('worktree.link');
  const tracked = await worktrees.share(worktree, links.filter(isInnerFolder), signal);
  if (tracked.length > 0)
    user.notify(t('Git does not ignore {0}, so the worktree does not share it.', formatList(tracked)));
  const setUp = chosen['worktree.setup'] ?? settings.get('worktree.setup');
  if (setUp.trim() !== 'auto') return setUp.trim();
  const project = join(worktree.path, relative(worktree.home, folder));
  return installLine(await findPackageManagers(project, files));
}

/**
 * Selects ignored files to copy: those matched by `.worktreeinclude`, secrets only if allowed.
 * @param folder absolute, in the repository
 * @param allow asks whether these files with secrets may be copied
 * @returns paths relative to the root, with `/`
 */
async function chooseCopies(
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
