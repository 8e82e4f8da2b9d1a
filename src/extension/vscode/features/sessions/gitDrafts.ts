import { resolve } from 'node:path';
import { commands, ProgressLocation, Uri, window, workspace } from 'vscode';
import type { FileDiff } from '../../../../protocol/asks.ts';
import { t } from '../../../../protocol/language.ts';
import type { SessionState } from '../../../../protocol/state.ts';
import type { DraftKind, DraftMaterial } from '../../../core/export/gitDrafts.ts';
import type { SessionManager } from '../../../core/session/sessionManager.ts';
import type { ActiveSession } from '../../activeSession.ts';
import { filesOfCommit, readBranchChanges, readCommitDiff } from './gitChanges.ts';
import { findRepository, type GitRepository, untrackedFiles } from './gitRepository.ts';

/** Sources of a draft, and the model that writes it. */
export interface GitDraftParts {
  readonly session: ActiveSession;
  readonly agent: () => Promise<SessionManager>;
  /** Finds the ways to reach a model. */
  readonly prepare: () => Promise<void>;
}

/** @param place argument of the source control view */
export async function draftGitText(
  { session, agent, prepare }: GitDraftParts,
  kind: DraftKind,
  place?: unknown,
): Promise<void> {
  await session.restore();
  const repository = await findRepository(rootOf(place));
  const material = await gather({ session, agent }, kind, repository);
  if (!material) {
    void window.showInformationMessage(t('There is nothing to describe yet: no file has changed.'));
    return;
  }
  const text = await write(kind, material, session.state, async () => {
    await prepare();
    return agent();
  });
  if (kind === 'commit' && repository) await putIntoBox(repository, text);
  else await openDocument(kind, text);
}

/** Reads the repository from the argument of the source control view. */
function rootOf(place: unknown): Uri | undefined {
  if (typeof place !== 'object' || place === null || !('rootUri' in place)) return undefined;
  return place.rootUri instanceof Uri ? place.rootUri : undefined;
}

const titles = (): Readonly<Record<DraftKind, string>> => ({
  commit: t('Drafting a commit message'),
  pullRequest: t('Drafting a pull request description'),
});

/** Returns `undefined` if neither chapters nor version control have a change. */
async function gather(
  { session, agent }: Pick<GitDraftParts, 'session' | 'agent'>,
  kind: DraftKind,
  repository: GitRepository | undefined,
): Promise<DraftMaterial | undefined> {
  const { chaptersForDraft, sessionsOfCommit } = await import('../../../core/export/gitDrafts.ts');
  const { sessionDiff } = await import('../../../core/export/sessionDiff.ts');
  const { state } = session;
  if (!repository) {
    const chapters = chaptersForDraft(state);
    const diff = sessionDiff(state);
    return diff === '' && !chapters.some(({ files }) => files.length > 0)
      ? undefined
      : { chapters, diff, commits: [] };
  }
  const changes =
    kind === 'commit'
      ? { diff: await readCommitDiff(repository), commits: [] }
      : await readBranchChanges(repository);
  if (changes.diff === '' && changes.commits.length === 0) return undefined;
  // Git has no diff of untracked files, but the session knows what it wrote into them.
  const unknown = untrackedFiles(repository);
  const staged = kind === 'commit' && repository.state.indexChanges.length > 0;
  const states =
    kind === 'commit'
      ? await sessionsOfCommit(filesOfCommit(repository), state, storedSessions(session, agent))
      : [state];
  const created = states.map(each => {
    const isUnknown = ({ path }: FileDiff) => unknown.has(resolve(each.folders[0] ?? '', path));
    return staged ? '' : sessionDiff(each, isUnknown);
  });
  const chapters = states.flatMap(chaptersForDraft);
  return { ...changes, diff: [changes.diff, ...created].join('\n'), chapters };
}

/** Open ones answer from memory. */
function storedSessions({ opened }: ActiveSession, agent: GitDraftParts['agent']) {
  return {
    find: async (files: Iterable<string>) => (await agent()).catalog.findByFiles(files),
    read: async (id: string) => opened.find(id)?.state ?? (await agent()).catalog.read(id),
  };
}

/** Rejects if the user cancelled. */
async function write(
  kind: DraftKind,
  material: DraftMaterial,
  state: SessionState,
  agent: () => Promise<SessionManager>,
): Promise<string> {
  const { draftRequest, parseDraft } = await import('../../../core/export/gitDrafts.ts');
  const abort = new AbortController();
  const options = { location: ProgressLocation.Notification, title: titles()[kind], cancellable: true };
  return window.withProgress(options, async (_progress, cancellation) => {
    cancellation.onCancellationRequested(() => abort.abort());
    const answering = await agent();
    const question = { ...draftRequest(kind, material), model: answering.sideModel(state) };
    const text = parseDraft(kind, await answering.ask(question, abort.signal));
    if (text === undefined) throw new Error(t('The model gave no draft. Try again, or pick another model.'));
    return text;
  });
}

/** Replaces the user's own text only after confirmation. */
async function putIntoBox(repository: GitRepository, text: string): Promise<void> {
  if (repository.inputBox.value.trim() !== '') {
    const [replace, open] = [t('Replace'), t('Open as document')];
    const question = t('The commit message box already contains text. Replace it with the draft?');
    const choice = await window.showWarningMessage(question, { modal: true }, replace, open);
    if (choice === open) await openDocument('commit', text);
    if (choice !== replace) return;
  }
  repository.inputBox.value = text;
  await commands.executeCommand('workbench.view.scm');
  await commands.executeCommand('workbench.scm.action.focusNextInput');
}

async function openDocument(kind: DraftKind, content: string): Promise<void> {
  const language = kind === 'commit' ? 'git-commit' : 'markdown';
  await window.showTextDocument(await workspace.openTextDocument({ content, language }));
}
