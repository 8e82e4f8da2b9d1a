/* Opens a pull request with `gh` or `glab`, or shows it to open by hand. Its text comes from the chapters. */

import { t } from '../../../../protocol/language.ts';
import type { SessionState } from '../../../../protocol/state.ts';
import type { Worktree } from '../../../../protocol/worktree.ts';
import { maskSecrets } from '../../../base/maskSecrets.ts';
import { oneLine } from '../../../base/text.ts';
import { chaptersForDraft } from '../../export/gitDrafts.ts';
import type { CommandContext } from '../commands.ts';
import type { WorktreeAccess } from '../worktreeAccess.ts';
import { confirmAndRun } from './confirmAndRun.ts';
import { expectBranch, expectTemplateServices } from './pushBranch.ts';
import { quoteCommand } from './quoteCommand.ts';

interface RequestText {
  readonly title: string;
  readonly body: string;
}

interface RequestProgram {
  readonly name: string;
  /** Hosts that it is for. */
  readonly host: RegExp;
  words(branch: string, base: string, text: RequestText): readonly string[];
}

const programs: readonly RequestProgram[] = [
  {
    name: 'gh',
    host: /github/i,
    words: (branch, base, { title, body }) => [
      ...['gh', 'pr', 'create', '--head', branch, '--title', title, '--body', body],
      ...(base === '' ? [] : ['--base', base]),
    ],
  },
  {
    name: 'glab',
    host: /gitlab/i,
    words: (branch, base, { title, body }) => [
      ...[
        'glab',
        'mr',
        'create',
        '--yes',
        '--source-branch',
        branch,
        '--title',
        title,
        '--description',
        body,
      ],
      ...(base === '' ? [] : ['--target-branch', base]),
    ],
  },
];

/** @param base target branch; empty: the server's default branch */
export async function openPullRequest(
  base: string,
  worktree: Pick<Worktree, 'path' | 'name'>,
  surface: CommandContext,
  { worktrees, hasProgram }: Pick<WorktreeAccess, 'worktrees' | 'hasProgram'>,
  signal: AbortSignal,
): Promise<void> {
  const branch = await expectBranch(worktree, worktrees, signal);
  const text = requestText(surface.session.state(), branch);
  const remotes = await worktrees.listRemotes(worktree, signal);
  const isThere = programs.filter(({ name }) => hasProgram(name));
  const program = isThere.find(({ host }) => remotes.some(({ url }) => host.test(url))) ?? isThere[0];
  const { address } = await worktrees.readNotes(worktree, signal);
  if (!program) return await showText(text, address, undefined, surface);
  const work = await expectTemplateServices(surface, signal);
  const command = quoteCommand(program.words(branch, base, text), work.platform);
  const sentence = t(
    'Open a pull request for {0} with {1}? Its text leaves this machine.',
    branch,
    program.name,
  );
  const ended = await confirmAndRun({ command, name: 'worktree pr', sentence }, work, surface.user);
  const opened = ended.failure === undefined ? /https?:\/\/\S+/.exec(ended.output ?? '')?.[0] : undefined;
  if (opened !== undefined) return surface.user.answer(t('The pull request is open: {0}', opened));
  const problem = `${program.name}: ${oneLine(ended.output?.trim() || ended.failure || '', 400)}`;
  await showText(text, address, problem, surface);
}

/** Uses the chapters' own words, without secrets of known formats. */
function requestText(state: SessionState, branch: string): RequestText {
  const chapters = chaptersForDraft(state).filter(({ title }) => title !== '');
  const [only] = chapters.length === 1 ? chapters : [];
  const title = oneLine(only?.title || state.title || branch, 72);
  const sections = chapters.map(({ title, summary }) =>
    summary ? `## ${title}\n\n${summary}` : `## ${title}`,
  );
  const body = only ? (only.summary ?? only.title) : sections.join('\n\n');
  return { title: maskSecrets(title), body: maskSecrets(body) };
}

async function showText(
  { title, body }: RequestText,
  address: string | undefined,
  problem: string | undefined,
  { user }: Pick<CommandContext, 'user'>,
): Promise<void> {
  if (problem !== undefined) user.notify(t('The pull request was not opened. {0}', problem));
  const where = address === undefined ? '' : `\n\n---\n${t('Open it at {0}', address)}`;
  await user.show(t('Pull request'), `# ${title}\n\n${body}${where}\n`);
}
