/* `/worktree` and `/isolate`: a separate working tree for a session, and ways to bring work home. */

import { plural, t } from '../../../../protocol/language.ts';
import type { Worktree } from '../../../../protocol/worktree.ts';
import { oneLine } from '../../../base/text.ts';
import type { ListedWorktree, WorktreeStart } from '../../../platform/worktrees.ts';
import { CommandError } from '../../commandError.ts';
import { escapeInline } from '../../export/markdownText.ts';
import { makeWorktree, type WorktreeDialogs } from '../../worktrees/makeWorktree.ts';
import { defaultWorktreeName, parseStart } from '../../worktrees/worktreeStart.ts';
import type { Command, CommandContext, CommandDialogs } from '../commands.ts';
import { commandWithSubCommands } from '../commandWithSubCommands.ts';
import type { WorktreeAccess } from '../worktreeAccess.ts';
import { expectWorktree, withWorktreeAccess } from './withWorktrees.ts';
import { transferSubCommands } from './worktreeHome.ts';

/** More names in a list do not help. */
const maxShown = 20;

export function worktreeCommand(): Command {
  return commandWithSubCommands({
    name: 'worktree',
    alone: 'list',
    words: [
      { name: 'list', description: t('List the worktrees of sessions'), run: listAll },
      {
        name: 'new',
        description: t('Work in a separate worktree, which starts with your current files'),
        argument: t('name, --base REF'),
        run: isolate,
      },
      ...transferSubCommands(),
      {
        name: 'leave',
        description: t('Work in the workspace again; the worktree stays'),
        run: leave,
      },
      {
        name: 'use',
        description: t('Work in an existing worktree'),
        argument: 'name',
        run: use,
      },
      {
        name: 'repair',
        description: t('Restore a worktree that Git no longer lists. Its files stay as they are'),
        argument: 'name',
        run: repair,
      },
      {
        name: 'remove',
        aliases: ['delete'],
        description: t('Remove a worktree that holds nothing new'),
        argument: t('name, --force'),
        run: remove,
      },
    ],
  });
}

export function isolateCommand(): Command {
  return {
    name: 'isolate',
    description: t('Work in a separate worktree, which starts with your current files'),
    argument: t('name, --base REF, or --container'),
    run: isolate,
  };
}

function isolate(surface: CommandContext, argument: string): Promise<void> {
  if (argument.trim() === '--container') return useContainer(surface);
  return withWorktreeAccess(surface, async (access, signal) => {
    const { worktree } = surface.session.state();
    if (worktree) throw new CommandError(t('The session already works in the worktree {0}.', worktree.name));
    const wanted = parseWanted(argument);
    const { folder, worktrees } = access;
    if (folder === undefined) throw new CommandError(noFolder());
    const request = { folder, ...wanted };
    const { worktree: made, setUp } = await makeWorktree(
      access,
      request,
      toWorktreeDialogs(surface.user),
      signal,
    );
    try {
      await access.move(made);
    } catch (error) {
      await worktrees.remove(made, signal);
      throw error;
    }
    if (setUp !== '') access.setUp(setUp);
  });
}

/** May also be repeated in a container, to review what changed. */
function useContainer(surface: CommandContext): Promise<void> {
  return withWorktreeAccess(surface, async (access, signal) => {
    const { worktree, container, driver } = surface.session.state();
    if (worktree)
      throw new CommandError(
        t('The session works in the worktree {0}. Leave it first with /worktree leave.', worktree.name),
      );
    if (driver) throw new CommandError(t("Only the commands of Folio's own agent run in a container."));
    const agreed = await access.container(surface.user, signal);
    if (container?.inside !== agreed.inside) await access.move(agreed);
    surface.user.answer(t("The session's commands run in the container. It starts with the first command."));
  });
}

export function toWorktreeDialogs(user: CommandDialogs): WorktreeDialogs {
  return {
    notify: user.notify,
    allowSecrets: secrets => allowSecrets(secrets, user),
    choose: async (prompt, choices) => {
      const answers = await user.fillForm(t('Worktrees'), [{ key: 'choice', prompt, choices }]);
      return typeof answers === 'string' ? answers : (answers.get('choice') ?? 'left');
    },
  };
}

async function allowSecrets(secrets: readonly string[], user: CommandDialogs): Promise<boolean> {
  const answer = await user.confirm({
    sentence: t('Copy files that may hold secrets into the worktree?'),
    text: secrets.map(path => `- ${path}`).join('\n'),
    button: t('Copy'),
  });
  return answer === 'yes';
}

function parseWanted(argument: string): { readonly name: string; readonly start: WorktreeStart } {
  const [, name = '', base] = /^(\S*?)\s*(?:--base[ =](\S+))?$/.exec(argument.trim()) ?? [];
  if (argument.trim() !== '' && name === '' && base === undefined)
    throw new CommandError(t('Use /isolate NAME --base REF. Both are optional.'));
  return { name: name || defaultWorktreeName(), start: parseStart(base) };
}

function listAll(surface: CommandContext): Promise<void> {
  return withWorktreeAccess(surface, async (access, signal) => {
    const { folder } = access;
    if (folder === undefined) throw new CommandError(noFolder());
    const listed = await access.worktrees.list(folder, signal);
    if (listed.length === 0) throw new CommandError(t('No session has a worktree here. /isolate makes one.'));
    const own = surface.session.state().worktree?.path;
    const isUsed = (path: string) => path === own || access.isUsed(path);
    const rows = await Promise.all(listed.map(each => describe(each, isUsed, access, signal)));
    await surface.user.show(t('Worktrees'), `# ${t('Worktrees')}\n\n${rows.join('\n')}\n`);
  });
}

async function describe(
  listed: ListedWorktree,
  isUsed: WorktreeAccess['isUsed'],
  access: WorktreeAccess,
  signal: AbortSignal,
): Promise<string> {
  const { name, path, branch } = listed;
  const held = await describeHeld(listed, isUsed, access, signal);
  const on = branch === undefined ? '' : `, ${t('branch {0}', escapeInline(branch))}`;
  return `- **${escapeInline(name)}**: ${held}${on}  \n  ${escapeInline(path)}`;
}

async function describeHeld(
  { name, path, commit, isThere }: ListedWorktree,
  isUsed: WorktreeAccess['isUsed'],
  access: WorktreeAccess,
  signal: AbortSignal,
): Promise<string> {
  if (!isThere) return t('its folder is gone; /worktree remove {0} forgets it', escapeInline(name));
  if (commit === undefined)
    return t('Git no longer lists it; /worktree repair {0} restores it', escapeInline(name));
  const worktree = { name, path, home: access.folder ?? path, base: commit };
  const { length } = await access.worktreeTransferOf(worktree).listChanges({}, signal);
  if (length === 0 && !isUsed(path))
    return t('nothing to bring home, and not in use; /worktree remove {0} removes it', escapeInline(name));
  return length === 0
    ? t('nothing to bring home')
    : plural(length, 'one: {0} file to bring home | other: {0} files to bring home');
}

function leave(surface: CommandContext): Promise<void> {
  return withWorktreeAccess(surface, async access => {
    if (surface.session.state().container) {
      await access.move(undefined);
      return surface.user.answer(t('Commands run on your computer again. The container stays.'));
    }
    const worktree = expectWorktree(surface);
    await access.move(undefined);
    surface.user.answer(
      t('The session works in the workspace again. The worktree {0} stays.', worktree.name),
    );
  });
}

function use(surface: CommandContext, name: string): Promise<void> {
  return withWorktreeAccess(surface, async (access, signal) => {
    const { worktree } = surface.session.state();
    if (worktree) throw new CommandError(t('The session already works in the worktree {0}.', worktree.name));
    const found = await find(name, access, signal);
    if (access.isUsed(found.path))
      throw new CommandError(t('Another open session works in {0}. Close it first.', name));
    await access.move(found);
  });
}

function repair(surface: CommandContext, argument: string): Promise<void> {
  return withWorktreeAccess(surface, async (access, signal) => {
    const { name } = await find(argument || (surface.session.state().worktree?.name ?? ''), access, signal);
    surface.user.answer(
      t(
        'The worktree {0} is available again. Use /worktree use {0} to work in it or bring its changes home.',
        name,
      ),
    );
  });
}

/** Registers the worktree with Git if needed. */
async function find(name: string, access: WorktreeAccess, signal: AbortSignal): Promise<Worktree> {
  const { folder, worktrees } = access;
  if (folder === undefined) throw new CommandError(noFolder());
  if (name === '') throw new CommandError(t('Add a worktree. /worktree lists them.'));
  return await worktrees.repair(folder, name, signal);
}

function remove(surface: CommandContext, argument: string): Promise<void> {
  return withWorktreeAccess(surface, async (access, signal) => {
    const { folder, worktrees } = access;
    if (folder === undefined) throw new CommandError(noFolder());
    const words = argument.split(/\s+/).filter(Boolean);
    const own = surface.session.state().worktree;
    const name = words.find(word => word !== '--force') ?? own?.name;
    if (name === undefined) throw new CommandError(t('Add a worktree: /worktree remove NAME.'));
    const listed = (await worktrees.list(folder, signal)).find(each => each.name === name);
    if (!listed) throw new CommandError(t('There is no worktree {0}. /worktree lists all worktrees.', name));
    if (access.isUsed(listed.path))
      throw new CommandError(t('Another open session works in {0}. Close it first.', name));
    const worktree = { ...listed, home: folder, base: listed.commit ?? '' };
    if (!words.includes('--force')) await expectNoLoss(listed, worktree, access, signal);
    if (own?.name === name) await access.move(undefined);
    await worktrees.remove(worktree, signal);
    surface.user.answer(t('The worktree {0} is removed.', name));
  });
}

/** The content of a worktree that Git has lost is unknown. */
async function expectNoLoss(
  { name, commit, isThere }: ListedWorktree,
  worktree: Worktree,
  access: WorktreeAccess,
  signal: AbortSignal,
): Promise<void> {
  if (!isThere) return undefined;
  if (commit === undefined)
    throw new CommandError(
      t(
        'Git no longer lists {0}, so its changes are unknown. /worktree repair {0} restores it; --force removes it.',
        name,
      ),
    );
  const { isOnBranch, commits } = await access.worktrees.findUnbranchedWork(worktree, signal);
  if (commits.length > 0) throw new CommandError(describeCommits(name, commits));
  if (isOnBranch) return undefined;
  const worktreeTransfer = access.worktreeTransferOf(worktree);
  const changed = await worktreeTransfer.listChanges({}, signal);
  if (changed.length === 0) return undefined;
  throw new CommandError(
    t(
      '{0} has changes that are not in your files or on a branch: {1}. Bring them home with /worktree apply, keep them with /worktree branch NAME, or remove them with --force.',
      name,
      listShort(changed.map(file => worktreeTransfer.inTree(file))),
    ),
  );
}

function describeCommits(name: string, commits: readonly string[]): string {
  return plural(
    commits.length,
    'one: {1} has {0} commit that is on no branch: {2}. Keep it with /worktree branch NAME, or remove the worktree with --force. | other: {1} has {0} commits that are on no branch: {2}. Keep them with /worktree branch NAME, or remove the worktree with --force.',
    name,
    listShort(commits.map(subject => oneLine(subject, 60))),
  );
}

function listShort(names: readonly string[]): string {
  return names.slice(0, maxShown).join(', ') + (names.length > maxShown ? ', …' : '');
}

export function noFolder(): string {
  return t('Open a folder first: a worktree is made from its repository.');
}
