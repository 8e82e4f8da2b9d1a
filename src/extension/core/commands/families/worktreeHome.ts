/* Subcommands of `/worktree` that bring work home, onto a branch, or to a remote. */

import { plural, t } from '../../../../protocol/language.ts';
import { oneLine } from '../../../base/text.ts';
import { CommandError } from '../../commandError.ts';
import { escapeInline } from '../../export/markdownText.ts';
import type { CommandContext, SlashSubCommand } from '../commands.ts';
import { assertResting, type WorktreeAccess } from '../worktreeAccess.ts';
import { expectWorktree, withWorktreeAccess } from './withWorktrees.ts';

export function transferSubCommands(): readonly SlashSubCommand[] {
  return [
    {
      name: 'changes',
      aliases: ['diff', 'status'],
      description: t('List the files that would be brought home'),
      run: listChanges,
    },
    {
      name: 'apply',
      aliases: ['home'],
      description: t('Bring the changes into your files for review'),
      argument: t('files, --again'),
      run: apply,
    },
    {
      name: 'update',
      aliases: ['rebase', 'merge'],
      description: t('Bring your latest changes into the worktree. The agent resolves conflicts'),
      run: update,
    },
    {
      name: 'branch',
      description: t('Make a branch with a commit for each chapter'),
      argument: 'name',
      run: makeBranch,
    },
    {
      name: 'push',
      description: t('Push the branch of the worktree'),
      argument: t('remote'),
      run: (surface, remote) =>
        withWorktreeAccess(surface, (access, signal) => push(surface, access, remote, signal)),
    },
    {
      name: 'pr',
      aliases: ['mr'],
      description: t('Open a pull request with a text from the chapters'),
      argument: t('base branch'),
      run: (surface, base) =>
        withWorktreeAccess(surface, (access, signal) => openRequest(surface, access, base, signal)),
    },
  ];
}

function listChanges(surface: CommandContext): Promise<void> {
  return withWorktreeAccess(surface, async (access, signal) => {
    const worktree = expectWorktree(surface);
    const worktreeTransfer = access.worktreeTransferOf(worktree);
    const changed = await worktreeTransfer.listChanges({}, signal);
    if (changed.length === 0) throw new CommandError(t('There is nothing to bring home.'));
    const lines = changed.map(file => `- ${escapeInline(worktreeTransfer.inTree(file))}`);
    await surface.user.show(t('To bring home'), `# ${t('To bring home')}\n\n${lines.join('\n')}\n`);
  });
}

function apply(surface: CommandContext, argument: string): Promise<void> {
  return withWorktreeAccess(surface, async (access, signal) => {
    const worktree = expectWorktree(surface);
    assertResting(surface.session.state());
    const words = argument.split(/\s+/).filter(Boolean);
    const paths = words.filter(word => word !== '--again');
    const request = { paths: paths.length > 0 ? paths : undefined, again: words.includes('--again') };
    const worktreeTransfer = access.worktreeTransferOf(worktree);
    const changed = await worktreeTransfer.listChanges(request, signal);
    const known = new Set(changed.map(file => worktreeTransfer.inTree(file)));
    const unknown = paths.find(path => !known.has(path));
    if (unknown !== undefined)
      throw new CommandError(
        t('{0} has no changes in the worktree. /worktree changes lists all changed files.', unknown),
      );
    if (changed.length === 0) throw new CommandError(t('There is nothing to bring home.'));
    await access.moveChanges(['/worktree apply', ...words].join(' '), { to: 'home', request });
  });
}

function update(surface: CommandContext): Promise<void> {
  return withWorktreeAccess(surface, async (access, signal) => {
    const worktree = expectWorktree(surface);
    assertResting(surface.session.state());
    const changed = await access.worktreeTransferOf(worktree).listChangesIn(worktree.home, signal);
    if (changed.length === 0) throw new CommandError(t('Nothing changed in your files.'));
    const updated = await access.moveChanges('/worktree update', { to: 'worktree' });
    const { conflictPrompt } = await import('../texts/conflictPrompt.ts');
    const prompt = conflictPrompt(updated, worktree);
    if (prompt) await surface.session.send(prompt);
  });
}

function makeBranch(surface: CommandContext, name: string): Promise<void> {
  return withWorktreeAccess(surface, async (access, signal) => {
    const worktree = expectWorktree(surface);
    const { title } = surface.session.state();
    if (name === '') throw new CommandError(t('Add a name for the branch: /worktree branch NAME.'));
    const wanted = {
      name,
      beginning: t('Changes not committed when the work began'),
      commits: await access.branch.commits(),
      message: oneLine(title, 72) || worktree.name,
    };
    const { commit, count } = await access.worktrees.makeBranch(worktree, wanted, signal);
    access.branch.note();
    if (count === 0) return surface.user.answer(t('{0} already has the files of the worktree.', name));
    surface.user.answer(
      plural(
        count,
        'one: {1} has the files of the worktree, in {0} commit up to {2}. | other: {1} has the files of the worktree, in {0} commits up to {2}.',
        name,
        commit.slice(0, 10),
      ),
    );
  });
}

async function push(
  surface: CommandContext,
  access: WorktreeAccess,
  remote: string,
  signal: AbortSignal,
): Promise<void> {
  const { pushBranch } = await import('../publish/pushBranch.ts');
  await pushBranch(remote, expectWorktree(surface), surface, access.worktrees, signal);
}

async function openRequest(
  surface: CommandContext,
  access: WorktreeAccess,
  base: string,
  signal: AbortSignal,
): Promise<void> {
  const { openPullRequest } = await import('../publish/pullRequest.ts');
  await openPullRequest(base, expectWorktree(surface), surface, access, signal);
}
