import type { Disposable } from '../../../base/disposable.ts';
import type { Log } from '../../../platform/log.ts';
import { registerCommands } from '../commands.ts';
import type { DraftParts } from './drafts.ts';

/** Texts about what was done, written by the model from chapters and the diff. Nothing is committed or sent. */
export function registerDrafts(parts: DraftParts, log: Log): Disposable {
  const load = () => import('./drafts.ts');
  return registerCommands(log, {
    'folio.draftCommitMessage': async (place?: unknown) => (await load()).draft(parts, 'commit', place),
    'folio.draftPullRequest': async () => (await load()).draft(parts, 'pullRequest'),
  });
}
