/* Shows comments in VS Code. The session owns their texts and positions; this stores nothing. */

import { resolve } from 'node:path';
import {
  type Comment,
  type CommentController,
  CommentMode,
  type CommentReply,
  type CommentThread,
  CommentThreadCollapsibleState,
  CommentThreadState,
  commands,
  comments as commentsApi,
  Range,
  type TextDocument,
  type TextDocumentChangeEvent,
  Uri,
  workspace,
} from 'vscode';
import { isResolved, type CommentThread as Thread, type ThreadComment } from '../../../protocol/comments.ts';
import type { SessionEvent } from '../../../protocol/events.ts';
import { t } from '../../../protocol/language.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Comments } from '../../core/comments/comments.ts';
import type { ActiveSession } from '../activeSession.ts';
import type { ActiveReviews } from '../review/activeReviews.ts';
import { toLineChanges } from '../review/lineChanges.ts';
import type { RealPathMapper } from '../review/realPathMapper.ts';

/** A remark with its id, for the handlers of its buttons. */
interface ShownRemark extends Comment {
  readonly remarkId: string;
}

interface ShownThread {
  readonly view: CommentThread;
  /** The thread that the view was created from. */
  thread: Thread;
}

/** Events after which other files may accept comments. */
const offering: ReadonlySet<SessionEvent['type']> = new Set([
  'call.ended',
  'plan.written',
  'comment.changed',
  'session.rewound',
  'rewind.undone',
]);

export class CommentThreads implements Disposable {
  private readonly session: ActiveSession;
  private readonly names: RealPathMapper;
  private readonly icon: Uri;
  private readonly store = new DisposableStore();
  private readonly controller: CommentController;
  private readonly shown = new Map<string, ShownThread>();
  private subscription: Disposable | undefined;
  /** A thread that the user just started in VS Code, not yet added to the session. */
  private begun: CommentThread | undefined;
  private commentable: ReadonlySet<string> = new Set();

  constructor(
    session: ActiveSession,
    reviews: Pick<ActiveReviews, 'onDidChange'>,
    names: RealPathMapper,
    icon: Uri,
  ) {
    this.session = session;
    this.names = names;
    this.icon = icon;
    this.controller = this.store.add(commentsApi.createCommentController('folio.comments', 'Folio'));
    this.controller.options = {
      prompt: t('Comment on these lines'),
      placeHolder: t('Say what Folio should change, or ask'),
    };
    this.store.add(session.onDidSwitch(() => this.follow()));
    this.store.add(
      session.onEvent(({ type }) => {
        if (offering.has(type)) this.offer();
      }),
    );
    this.store.add(reviews.onDidChange(() => this.offer()));
    this.store.add(workspace.onDidChangeTextDocument(event => this.typed(event)));
    this.store.add(workspace.onDidOpenTextDocument(({ uri }) => this.opened(uri)));
    this.store.add(
      workspace.onDidRenameFiles(async ({ files }) => {
        for (const { oldUri, newUri } of files) await this.renamed(oldUri, newUri);
      }),
    );
    this.follow();
  }

  /** Adds a remark of the user to a new thread, or to an existing one. */
  async add({ thread: view, text }: CommentReply): Promise<void> {
    if (text.trim() === '' || !this.comments) return;
    const known = this.threadOf(view);
    if (known) {
      this.comments.reply(known.id, text);
      return;
    }
    const path = this.names.toRealPath(view.uri);
    if (path === undefined || !view.range) return;
    const { start, end } = view.range;
    const document = await workspace.openTextDocument(view.uri);
    this.begun = view;
    try {
      const range = { start: start.line, count: end.line - start.line + 1 };
      await this.comments.write(path, range, document.getText(), text);
    } finally {
      this.begun = undefined;
    }
  }

  edit(remark: Comment): void {
    this.redraw(remark, { mode: CommentMode.Editing });
  }

  /** @param how `cancel` restores the previous text */
  endEdit(remark: Comment, how: 'save' | 'cancel'): void {
    const thread = this.threadWith(remark);
    if (!thread) return;
    const said = typeof remark.body === 'string' ? remark.body : remark.body.value;
    if (how === 'save' && said.trim() !== '') this.comments?.edit(thread.id, idOf(remark), said);
    this.redraw(remark, { mode: CommentMode.Preview });
  }

  remove(what: Comment | CommentThread): void {
    if ('remarkId' in what) {
      const remark = what as ShownRemark;
      const thread = this.threadWith(remark);
      if (thread) this.comments?.edit(thread.id, remark.remarkId, undefined);
      return;
    }
    const view = what as CommentThread;
    const thread = this.threadOf(view);
    if (thread) this.comments?.remove(thread.id);
    else view.dispose();
  }

  setResolved(view: CommentThread, resolved: 'resolved' | 'open'): void {
    const thread = this.threadOf(view);
    if (thread) this.comments?.setResolved(thread.id, resolved);
  }

  dispose(): void {
    this.subscription?.dispose();
    this.store.dispose();
  }

  private get comments(): Comments | undefined {
    return this.session.present?.comments;
  }

  /** The session that is shown now. */
  private follow(): void {
    this.subscription?.dispose();
    this.subscription = this.comments?.onDidChange(() => this.draw());
    this.draw();
    this.offer();
    for (const path of new Set(this.comments?.threads.map(thread => thread.path)))
      void this.comments?.catchUp(path);
  }

  private draw(): void {
    const threads = this.comments?.threads ?? [];
    for (const [id, { view }] of this.shown) {
      if (threads.some(thread => thread.id === id)) continue;
      view.dispose();
      this.shown.delete(id);
    }
    for (const thread of threads) this.drawThread(thread);
    const open = threads.filter(({ status }) => status === 'open').length;
    void commands.executeCommand('setContext', 'folio.hasOpenComments', open > 0);
  }

  private drawThread(thread: Thread): void {
    const known = this.shown.get(thread.id);
    if (known?.thread === thread) return;
    const view = known?.view ?? this.viewFor(thread);
    if (!known || known.thread.place !== thread.place) view.range = rangeOf(thread);
    if (!known || known.thread.remarks !== thread.remarks)
      view.comments = thread.remarks.map(remark => this.drawRemark(remark));
    view.label = labelOf(thread);
    view.contextValue = isResolved(thread) ? 'resolved' : thread.status;
    view.state = isResolved(thread) ? CommentThreadState.Resolved : CommentThreadState.Unresolved;
    this.shown.set(thread.id, { view, thread });
  }

  private viewFor(thread: Thread): CommentThread {
    const { begun } = this;
    this.begun = undefined;
    const view =
      begun ?? this.controller.createCommentThread(this.names.uriOf(thread.path), rangeOf(thread), []);
    if (!begun) view.collapsibleState = CommentThreadCollapsibleState.Collapsed;
    view.canReply = { name: t('You') };
    return view;
  }

  /** Plain text, so that a model's text can neither load pictures nor contain command links. */
  private drawRemark({ id, by, text, at }: ThreadComment): ShownRemark {
    const author = by === 'folio' ? { name: 'Folio', iconPath: this.icon } : { name: t('You') };
    return {
      remarkId: id,
      author,
      body: text,
      mode: CommentMode.Preview,
      contextValue: by,
      timestamp: new Date(at),
    };
  }

  private redraw(remark: Comment, change: Partial<Comment>): void {
    const thread = this.threadWith(remark);
    const shown = thread && this.shown.get(thread.id);
    if (!shown) return;
    const id = idOf(remark);
    shown.view.comments = shown.thread.remarks.map(each =>
      each.id === id ? { ...this.drawRemark(each), ...change } : this.drawRemark(each),
    );
  }

  private threadOf(view: CommentThread): Thread | undefined {
    return [...this.shown.values()].find(each => each.view === view)?.thread;
  }

  private threadWith(remark: Comment): Thread | undefined {
    const id = idOf(remark);
    return this.comments?.threads.find(({ remarks }) => remarks.some(each => each.id === id));
  }

  /** Registers another provider, so that VS Code queries the ranges again. */
  private offer(): void {
    const now = new Set(this.findCommentable());
    if (now.size === this.commentable.size && [...now].every(path => this.commentable.has(path))) return;
    this.commentable = now;
    const files = [...now].flatMap(path => [...new Set([path, this.names.uriOf(path).fsPath])]);
    void commands.executeCommand('setContext', 'folio.commentableFiles', files);
    this.controller.commentingRangeProvider = {
      provideCommentingRanges: ({ uri, lineCount }: TextDocument) => {
        const path = this.names.toRealPath(uri);
        return path !== undefined && now.has(path) ? [new Range(0, 0, lineCount - 1, 0)] : [];
      },
    };
  }

  /** Returns files that the session changed, reviewed or not, its newest plan, and files with comments. */
  private findCommentable(): readonly string[] {
    const { state, present } = this.session;
    const [folder] = state.folders;
    const changed = state.chapters.flatMap(({ files }) =>
      files.map(({ path }) => resolve(folder ?? '', path)),
    );
    const named = [...changed, ...(state.plan ? [state.plan.path] : [])];
    const real = named.map(path => this.names.toRealPath(Uri.file(path)) ?? path);
    return [...real, ...(present?.changes.ledger.paths ?? []), ...state.comments.map(({ path }) => path)];
  }

  private typed({ document, contentChanges }: TextDocumentChangeEvent): void {
    const path = this.names.toRealPath(document.uri);
    const { comments } = this;
    // The session itself reports Folio's writes, as the agent's.
    if (path === undefined || !comments?.has(path) || this.session.present?.changes.ledger.isHeld(path))
      return;
    const lines = document.isDirty ? comments.linesOf(path) : undefined;
    const typed = contentChanges.map(({ range: { start, end }, text }) => ({
      start,
      end,
      text: text.replaceAll('\r\n', '\n'),
    }));
    comments.follow(path, document.getText(), lines && toLineChanges(lines, typed));
  }

  private opened(uri: Uri): void {
    const path = this.names.toRealPath(uri);
    if (path !== undefined && this.comments?.has(path)) void this.comments.catchUp(path);
  }

  private async renamed(from: Uri, to: Uri): Promise<void> {
    const [old, now] = [this.names.toRealPath(from), this.names.toRealPath(to)];
    if (old !== undefined && now !== undefined) await this.comments?.rename(old, now);
  }
}

function idOf(remark: Comment): string | undefined {
  return (remark as Partial<ShownRemark>).remarkId;
}

function rangeOf({ place: { start, count } }: Thread): Range {
  return new Range(start, 0, Math.max(start, start + count - 1), 0);
}

const states = (): Readonly<Record<Thread['status'], string>> => ({
  open: t('not sent yet'),
  sent: t('sent'),
  changed: t('resolved by a change'),
  answered: t('answered'),
  closed: t('resolved'),
});

/** Screen readers read this label with the lines. */
function labelOf({ number, status, place }: Thread): string {
  return place.count === 0
    ? t('Comment {0}: {1}, its lines are gone', number, states()[status])
    : t('Comment {0}: {1}', number, states()[status]);
}
