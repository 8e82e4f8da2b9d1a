/* `/compare`: runs one task with several models at once, each in its own worktree. */

import { t } from '../../../../protocol/language.ts';
import { CommandError } from '../../commandError.ts';
import { makeWorktree } from '../../worktrees/makeWorktree.ts';
import { defaultWorktreeName } from '../../worktrees/worktreeStart.ts';
import type { Command, CommandContext, CommandDialogs } from '../commands.ts';
import type { AttemptRequest } from '../comparisonAccess.ts';
import type { WorktreeAccess } from '../worktreeAccess.ts';
import { withWorktreeAccess } from './withWorktrees.ts';
import { noFolder, toWorktreeDialogs } from './worktreeCommand.ts';

/** Each attempt runs a model, and comparing more is not practical. */
const maxAttempts = 4;

export function compareCommand(): Command {
  return {
    name: 'compare',
    description: t('Give several models the same task, each in its own worktree'),
    argument: t('--models A,B task'),
    asksModel: 'withArgument',
    run: compare,
  };
}

async function compare(surface: CommandContext, argument: string): Promise<void> {
  const comparisons = await surface.installed.comparisons();
  if (argument === '') {
    if (!(await comparisons.show())) throw new CommandError(usage());
    return;
  }
  const { names, prompt } = parseWanted(argument);
  const models = names?.map(name => surface.models.resolve(name)) ?? (await comparisons.pickModels());
  if (models === undefined) throw new CommandError(t('No models were chosen, so nothing was sent.'));
  if (models.length < 2 || models.length > maxAttempts)
    throw new CommandError(
      t('Choose two to {0} models. You can use the same model more than once.', maxAttempts),
    );
  if (prompt === '') throw new CommandError(usage());
  await withWorktreeAccess(surface, async (access, signal) => {
    const attempts = await makeAttempts(models, access, surface.user, signal);
    await comparisons.start({ prompt, attempts });
  });
}

/** Creates all or none. */
async function makeAttempts(
  models: readonly string[],
  access: WorktreeAccess,
  user: CommandDialogs,
  signal: AbortSignal,
): Promise<readonly AttemptRequest[]> {
  const { folder, worktrees } = access;
  if (folder === undefined) throw new CommandError(noFolder());
  const stem = defaultWorktreeName();
  const made: AttemptRequest[] = [];
  try {
    for (const [index, model] of models.entries()) {
      const request = { folder, name: `${stem}-${index + 1}`, start: { kind: 'seen' } } as const;
      made.push({ model, ...(await makeWorktree(access, request, toWorktreeDialogs(user), signal)) });
    }
    return made;
  } catch (error) {
    for (const { worktree } of made) await worktrees.remove(worktree, new AbortController().signal);
    throw error;
  }
}

function parseWanted(argument: string): {
  readonly names: readonly string[] | undefined;
  readonly prompt: string;
} {
  const [, list, prompt = ''] = /^(?:--models(?:=|\s+)(\S+)(?:\s+|$))?([\s\S]*)$/.exec(argument) ?? [];
  return { names: list?.split(',').filter(Boolean), prompt: prompt.trim() };
}

/** The command up to the task that the user types. */
export function compareCommandPrefix(models: readonly string[]): string {
  return ['/compare', '--models', models.join(','), ''].join(' ');
}

function usage(): string {
  return t('Use /compare --models A,B TASK. Without --models, Folio asks for the models.');
}
