import { type Comment, type CommentReply, type CommentThread, commands, type Uri, window } from 'vscode';
import { t } from '../../../protocol/language.ts';
import type { SessionState } from '../../../protocol/state.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { once } from '../../base/once.ts';
import type { Log } from '../../platform/log.ts';
import type { ActiveSession } from '../activeSession.ts';
import { registerCommands } from '../features/commands.ts';
import { reportFailure } from '../features/report.ts';
import type { ReviewInEditors } from '../review/registerReview.ts';
import type { CommentThreads } from './commentThreads.ts';

/** Comments on changes and plans. Loads and shows nothing before there is something to comment on. */
export function registerComments(
  session: ActiveSession,
  { reviews, names }: Pick<ReviewInEditors, 'reviews' | 'names'>,
  icon: Uri,
  log: Log,
): Disposable {
  const store = new DisposableStore();
  const threads = once(async () => {
    const { CommentThreads } = await import('./commentThreads.ts');
    return store.add(new CommentThreads(session, reviews, names, icon));
  });
  let isShown = false;
  const scan = () => {
    if (isShown || !isCommentable(session.state)) return;
    isShown = true;
    threads().catch(error => reportFailure(log, t('Comments cannot be shown'), error));
  };
  store.add(session.onEvent(scan));
  store.add(session.onDidSwitch(scan));
  store.add(registerCommands(log, commentCommands(session, threads)));
  return store;
}

function commentCommands(session: ActiveSession, threads: () => Promise<CommentThreads>) {
  return {
    'folio.comments.begin': () => commands.executeCommand('workbench.action.addComment'),
    'folio.comments.add': async (reply: CommentReply) => (await threads()).add(reply),
    'folio.comments.send': async (reply?: CommentReply) => {
      if (reply?.thread) await (await threads()).add(reply);
      await sendComments(session);
    },
    'folio.comments.edit': async (remark: Comment) => (await threads()).edit(remark),
    'folio.comments.save': async (remark: Comment) => (await threads()).endEdit(remark, 'save'),
    'folio.comments.cancel': async (remark: Comment) => (await threads()).endEdit(remark, 'cancel'),
    'folio.comments.delete': async (what: Comment | CommentThread) => (await threads()).remove(what),
    'folio.comments.resolve': async (view: CommentThread) => (await threads()).setResolved(view, 'resolved'),
    'folio.comments.reopen': async (view: CommentThread) => (await threads()).setResolved(view, 'open'),
  };
}

/** Sends all open comments to the agent as one prompt. A working agent reads them at its next step. */
export async function sendComments(session: ActiveSession): Promise<void> {
  const composed = await session.present?.comments.send();
  if (composed) await session.submitPrompt(composed.text, [], 'steer', composed.wording);
  else
    void window.showInformationMessage(
      t('No comment is open. Write one beside a line of a file that Folio changed.'),
    );
}

function isCommentable({ reviews, comments, plan, chapters }: SessionState): boolean {
  return (
    reviews.length > 0 ||
    comments.length > 0 ||
    plan !== undefined ||
    chapters.some(({ files }) => files.length > 0)
  );
}
