import type { Disposable } from '../../../base/disposable.ts';
import type { Log } from '../../../platform/log.ts';
import { registerCommands } from '../commands.ts';
import type { GitDraftParts } from './gitDrafts.ts';

/**
 * Commands for which the model writes a commit message or a pull request's description, from chapters and the diff.
 * Nothing is committed or sent.
 */
export function registerGitDrafts(parts: GitDraftParts, log: Log): Disposable {
  const load = () => import('./gitDrafts.ts');
  return registerCommands(log, {
    'folio.draftCommitMessage': async (place?: unknown) => (await load()).draft(parts, 'commit', place),
    'folio.draftPullRequest': async () => (await load()).draft(parts, 'pullRequest'),
  });
}
