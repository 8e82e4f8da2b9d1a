/* `/compare`: one task that several models do at once, each in a worktree of its own. */

import { t } from '../../../../protocol/language.ts';
import { Refusal } from '../../refusal.ts';
import { chooseCopies } from '../../worktrees/chooseCopies.ts';
import type { Command, CommandSurface } from '../commands.ts';
import { spoken } from './withWorktrees.ts';
import { allowSecrets, noFolder } from './worktreeCommand.ts';

/** More than that nobody compares, and each is a model at work. */
const maxAttempts = 4;

export function compareCommand(): Command {
  return {
    name: 'compare',
    description: t('Have several models do one task, each in a worktree of its own'),
    argument: t('--models A,B task'),
    asksModel: 'withArgument',
    run: compare,
  };
}

async function compare(surface: CommandSurface, argument: string): Promise<void> {
  const comparisons = await surface.installed.comparisons();
  if (argument === '') {
    if (!(await comparisons.show())) throw new Refusal(usage());
    return;
  }
  const { names, prompt } = parseWanted(argument);
  const models = names?.map(name => surface.models.resolve(name)) ?? (await comparisons.pickModels());
  if (models === undefined) throw new Refusal(t('No models were chosen, so nothing was sent.'));
  if (models.length < 2 || models.length > maxAttempts)
    throw new Refusal(t('Choose two to {0} models; one may come more than once.', maxAttempts));
  if (prompt === '') throw new Refusal(usage());
  await spoken(surface, async ({ folder, worktrees }, signal) => {
    if (folder === undefined) throw new Refusal(noFolder());
    const allow = (secrets: readonly string[]) => allowSecrets(secrets, surface.user);
    const copies = await chooseCopies(worktrees, folder, allow, signal);
    await comparisons.start({ models, prompt, start: { kind: 'seen' }, copies }, signal);
  });
}

function parseWanted(argument: string): {
  readonly names: readonly string[] | undefined;
  readonly prompt: string;
} {
  const [, list, prompt = ''] = /^(?:--models(?:=|\s+)(\S+)(?:\s+|$))?([\s\S]*)$/.exec(argument) ?? [];
  return { names: list?.split(',').filter(Boolean), prompt: prompt.trim() };
}

/** The command up to the task, which follows it. */
export function startOfComparison(models: readonly string[]): string {
  return ['/compare', '--models', models.join(','), ''].join(' ');
}

function usage(): string {
  return t('Say it as /compare --models A,B TASK. Without --models you are asked which.');
}
