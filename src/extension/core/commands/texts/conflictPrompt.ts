import { plural } from '../../../../protocol/language.ts';
import type { Worktree } from '../../../../protocol/worktree.ts';
import { oneLine } from '../../../base/text.ts';
import { conflictSides } from '../../worktrees/threeWay.ts';
import type { TransferredFile } from '../../worktrees/worktreeTransfer.ts';
import type { CommandPrompt } from '../commands.ts';

/** Returns the prompt after an update with conflicts; `undefined`: there are none. */
export function conflictPrompt(
  updated: readonly TransferredFile[],
  worktree: Pick<Worktree, 'name'>,
): CommandPrompt | undefined {
  const paths = updated.flatMap(({ path, result }) => (isOpen(result) ? [path] : []));
  if (paths.length === 0) return undefined;
  const { mine, theirs } = conflictSides(worktree);
  return {
    shown: plural(
      paths.length,
      'one: Resolve the conflicts in {1}, and run the tests. | other: Resolve the conflicts in {0} files ({1}), and run the tests.',
      oneLine(paths.join(', '), 300),
    ),
    wording: `The user changed files while you worked, and their changes were merged into the worktree. In these files both of you changed the same lines:

${paths.map(path => `- ${path}`).join('\n')}

Conflict markers stand there: what follows \`<<<<<<< ${mine}\` is yours, what stands before \`>>>>>>> ${theirs}\` is the user's. Read each file, join both so that what each side intended still holds, and take all markers away. Where the two cannot both hold, keep the user's and say so. Then run the tests that cover these files, and say how you resolved each conflict.`,
  };
}

function isOpen(result: TransferredFile['result']): boolean {
  return result === 'conflict' || result === 'unresolved';
}
