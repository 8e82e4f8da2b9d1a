/* Pushes the branch of a worktree with a command that the policy and the user must allow. */

import { t } from '../../../../protocol/language.ts';
import type { Worktree } from '../../../../protocol/worktree.ts';
import { oneLine } from '../../../base/text.ts';
import type { Worktrees } from '../../../platform/worktrees.ts';
import { CommandError } from '../../commandError.ts';
import type { CommandContext } from '../commands.ts';
import type { TemplateServices } from '../template/templateSources.ts';
import { confirmAndRun } from './confirmAndRun.ts';
import { quoteCommand } from './quoteCommand.ts';

type Published = Pick<Worktrees, 'readNotes' | 'addNotes' | 'listRemotes'>;

/** @param wanted the name of a remote; empty: the only one, or `origin` */
export async function pushBranch(
  wanted: string,
  worktree: Pick<Worktree, 'path' | 'name'>,
  surface: CommandContext,
  worktrees: Published,
  signal: AbortSignal,
): Promise<void> {
  const branch = await expectBranch(worktree, worktrees, signal);
  const remote = await chooseRemote(wanted, worktree, worktrees, signal);
  const work = await expectTemplateServices(surface, signal);
  const words = ['git', 'push', '--set-upstream', remote.name, `refs/heads/${branch}:refs/heads/${branch}`];
  const command = quoteCommand(words, work.platform);
  const sentence = t('Push the branch {0} to {1}? It leaves this machine.', branch, remote.url);
  const { output = '', failure } = await confirmAndRun(
    { command, name: 'worktree push', sentence },
    work,
    surface.user,
  );
  if (failure !== undefined) {
    await surface.user.show(
      t('The push failed'),
      `# ${t('The push failed')}\n\n~~~\n${output.trim()}\n~~~\n`,
    );
    throw new CommandError(t('The push failed: {0}', oneLine(lastLine(output) || failure, 200)));
  }
  const address = findAddress(output);
  await worktrees.addNotes(worktree, { address }, signal);
  const pushed = t('{0} is pushed to {1}.', branch, remote.name);
  surface.user.answer(
    address === undefined
      ? pushed
      : `${pushed} ${t('Open a pull request with /worktree pr, or at {0}', address)}`,
  );
}

export async function expectBranch(
  worktree: Pick<Worktree, 'path'>,
  worktrees: Pick<Worktrees, 'readNotes'>,
  signal: AbortSignal,
): Promise<string> {
  const { branch } = await worktrees.readNotes(worktree, signal);
  if (branch !== undefined) return branch;
  throw new CommandError(t('The worktree has no branch yet. Create one with /worktree branch NAME.'));
}

/** Returns the means to run commands of the session. */
export async function expectTemplateServices(
  surface: CommandContext,
  signal: AbortSignal,
): Promise<TemplateServices> {
  const work = await surface.session.template(signal);
  if (!work) throw new CommandError(t('No command can be run here.'));
  return work;
}

async function chooseRemote(
  wanted: string,
  worktree: Pick<Worktree, 'path'>,
  worktrees: Pick<Worktrees, 'listRemotes'>,
  signal: AbortSignal,
): Promise<{ readonly name: string; readonly url: string }> {
  const remotes = await worktrees.listRemotes(worktree, signal);
  const names = remotes.map(({ name }) => name).join(', ');
  if (remotes.length === 0)
    throw new CommandError(t('The repository has no remote. Add one with `git remote add origin ADDRESS`.'));
  const named = remotes.find(({ name }) => name === (wanted || 'origin'));
  if (named) return named;
  if (wanted !== '') throw new CommandError(t('There is no remote {0}. Available: {1}.', wanted, names));
  if (remotes.length === 1) return remotes[0]!;
  throw new CommandError(t('Choose a remote: {0}.', names));
}

/** Many servers print a URL for opening a pull request. */
function findAddress(output: string): string | undefined {
  return /^remote:.*?(https?:\/\/[^\s'"<>]+)/m.exec(output)?.[1];
}

function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) ?? '';
}
