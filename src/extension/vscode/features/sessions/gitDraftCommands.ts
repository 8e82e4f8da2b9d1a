import type { Disposable } from '../../../base/disposable.ts';
import type { Log } from '../../../platform/log.ts';
import { registerCommands } from '../commands.ts';
import type { GitDraftParts } from './gitDrafts.ts';

/**
 * Commands that let the model draft a commit message or a pull request description from chapters and the diff. They
 * commit and send nothing.
 */
export function registerGitDraftCommands(parts: GitDraftParts, log: Log): Disposable {
  const load = () => import('./gitDrafts.ts');
  return registerCommands(log, {
    'folio.draftCommitMessage': async (place?: unknown) =>
      (await load()).draftGitText(parts, 'commit', place),
    'folio.draftPullRequest': async () => (await load()).draftGitText(parts, 'pullRequest'),
  });
}
