/* Asks once how worktrees get their dependencies, if the project has some and no setting decides. */

import { join, relative, sep } from 'node:path';
import { formatList, t } from '../../../protocol/language.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { Settings, SettingValues } from '../../platform/settings.ts';
import { findPackageManagers, installLine, type PackageManager } from './packageManagers.ts';

export interface SetUpDialogs {
  /** One of the choices; `left`: the user cancelled, `nobody`: no user is present. */
  choose(question: string, choices: readonly string[]): Promise<string | 'left' | 'nobody'>;
  /** Shows a sentence without interrupting. */
  notify(sentence: string): void;
}

export type SetUpSettings = Partial<Pick<SettingValues, 'worktree.link' | 'worktree.setup'>>;

interface Project {
  /** Absolute: the session's folder. */
  readonly folder: string;
  /** Absolute: the root of its working tree. */
  readonly root: string;
}

/** @returns settings that the user chose; may be empty */
export async function proposeSetUp(
  { folder, root }: Project,
  settings: Pick<Settings, 'isSet'>,
  files: Pick<FileSystem, 'stat'>,
  user: SetUpDialogs,
): Promise<SetUpSettings> {
  if (settings.isSet('worktree.link') || settings.isSet('worktree.setup')) return {};
  const lacking = await findLacking(folder, files);
  if (lacking.length === 0) return {};
  const folders = [...new Set(lacking.map(each => relative(root, each.place).split(sep).join('/')))];
  const [share, install, neither] = [
    t('Share {0} with each worktree', formatList(folders)),
    t('Install in each worktree: {0}', installLine(lacking)),
    t("Neither, and don't ask again"),
  ];
  const question = t('A new worktree has no {0}. How should worktrees get it?', formatList(folders));
  switch (await user.choose(question, [share, install, neither])) {
    case share:
      return { 'worktree.link': folders };
    case install:
      return { 'worktree.setup': 'auto' };
    case neither:
      return { 'worktree.setup': '' };
    case 'nobody':
      user.notify(
        t(
          'The worktree has no {0}. Set folio.worktree.link to share it, or folio.worktree.setup to install it.',
          formatList(folders),
        ),
      );
      return {};
    default:
      return {};
  }
}

/** Returns package managers whose folder exists here but will be missing in a worktree. */
async function findLacking(
  folder: string,
  files: Pick<FileSystem, 'stat'>,
): Promise<readonly (PackageManager & { readonly place: string })[]> {
  const found = await findPackageManagers(folder, files);
  const places = found.flatMap(each => {
    return each.folder === undefined ? [] : [{ ...each, place: join(folder, each.folder) }];
  });
  const stats = await Promise.all(places.map(({ place }) => files.stat(place)));
  return places.filter((_, at) => stats[at]?.kind === 'directory');
}
