import {
  type TextDocumentChangeEvent,
  type TextDocumentContentChangeEvent,
  type Uri,
  workspace,
} from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../platform/log.ts';
import type { ActiveReviews } from './activeReviews.ts';
import { type TextChange, toLineChanges } from './lineChanges.ts';
import type { RealPathMapper } from './realPathMapper.ts';

/** Milliseconds. An editor reports one write several times, and many writes together. */
const quietMs = 200;

/**
 * Reports changes of files to the session: typing exactly; saving, reverting and other programs by the new content.
 * Folio's own writes have no effect, because the session knows their text already.
 */
export class FileChangeReporter implements Disposable {
  private readonly reviews: ActiveReviews;
  private readonly names: RealPathMapper;
  private readonly log: Log;
  private readonly store = new DisposableStore();
  private watcher: Disposable | undefined;
  /** Files that may have been written. */
  private readonly written = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(reviews: ActiveReviews, names: RealPathMapper, log: Log) {
    this.reviews = reviews;
    this.names = names;
    this.log = log;
    this.store.add(workspace.onDidChangeTextDocument(event => this.typed(event)));
    this.store.add(workspace.onDidChangeNotebookDocument(({ notebook }) => this.scan(notebook.uri)));
    this.store.add(
      workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) this.renamed(oldUri, newUri);
      }),
    );
    this.store.add(
      workspace.onDidDeleteFiles(({ files }) => {
        for (const uri of files)
          for (const path of this.knownBelow(uri)) this.reviews.ledger?.follow(path, null);
      }),
    );
    this.store.add(reviews.onDidChange(() => this.watch()));
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.watcher?.dispose();
    this.store.dispose();
  }

  private typed({ document, contentChanges }: TextDocumentChangeEvent): void {
    const { ledger } = this.reviews;
    const path = this.names.toRealPath(document.uri);
    if (!ledger || path === undefined || !ledger.knows(path)) return;
    // A saved document may have other line breaks than the file, which is authoritative.
    if (!document.isDirty) this.read(path);
    else {
      const present = ledger.review(path)?.present;
      const changes = present && toLineChanges(present, contentChanges.map(textChange));
      ledger.follow(path, document.getText(), changes);
    }
  }

  private renamed(from: Uri, to: Uri): void {
    const [old, now] = [this.names.toRealPath(from), this.names.toRealPath(to)];
    if (old === undefined || now === undefined) return;
    for (const path of this.knownBelow(from)) this.reviews.ledger?.rename(path, now + path.slice(old.length));
  }

  private knownBelow(uri: Uri): readonly string[] {
    const root = this.names.toRealPath(uri);
    const paths = this.reviews.ledger?.paths ?? [];
    return paths.filter(path => path === root || path.startsWith(`${root}/`) || path.startsWith(`${root}\\`));
  }

  /** Other programs write, too. Does not watch before there is something to review. */
  private watch(): void {
    if (this.watcher || (this.reviews.ledger?.followed.length ?? 0) === 0) return;
    const store = new DisposableStore();
    const watcher = store.add(workspace.createFileSystemWatcher('**/*'));
    const scan = (uri: Uri) => this.scanSoon(uri);
    store.add(watcher.onDidChange(scan));
    store.add(watcher.onDidCreate(scan));
    store.add(watcher.onDidDelete(scan));
    this.watcher = store;
  }

  private scanSoon(uri: Uri): void {
    const path = this.names.toRealPath(uri);
    if (path === undefined || !this.reviews.ledger?.knows(path)) return;
    this.written.add(path);
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      for (const each of this.written) this.read(each);
      this.written.clear();
    }, quietMs);
  }

  private scan(uri: Uri): void {
    const path = this.names.toRealPath(uri);
    if (path !== undefined && this.reviews.ledger?.knows(path)) this.read(path);
  }

  private read(path: string): void {
    this.reviews.ledger
      ?.catchUp(path)
      .catch(error => this.log.error(`${path} could not be read for its review`, error));
  }
}

function textChange({ range, text }: TextDocumentContentChangeEvent): TextChange {
  return { start: range.start, end: range.end, text };
}
