import { basename } from 'node:path';
import {
  commands,
  EventEmitter,
  Range,
  type Tab,
  TabInputTextDiff,
  type TextDocumentContentProvider,
  Uri,
  workspace,
} from 'vscode';
import { t } from '../../../protocol/language.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import type { Log } from '../../platform/log.ts';
import { asLines } from '../../review/asLines.ts';
import { baseText } from '../../review/fileReview.ts';
import { closeTabs } from '../tabs.ts';
import type { ActiveReviews } from './activeReviews.ts';
import { anchorLine } from './hunkPlaces.ts';
import type { RealPathMapper } from './realPathMapper.ts';

const baseScheme = 'folio-base';

/** Files without their pending changes, for the left sides of diffs. They change with each decision. */
export class OriginalDocuments extends DisposableOwner implements TextDocumentContentProvider {
  private readonly reviews: ActiveReviews;
  private readonly names: RealPathMapper;
  private readonly changed = this.store.add(new EventEmitter<Uri>());
  readonly onDidChange = this.changed.event;

  constructor(reviews: ActiveReviews, names: RealPathMapper, log: Log) {
    super();
    this.reviews = reviews;
    this.names = names;
    // Closes tabs of an earlier extension host, whose left sides no longer exist.
    closeTabs(isBase).catch(error => log.error('A diff of an earlier run could not be closed', error));
    this.store.add(workspace.registerTextDocumentContentProvider(baseScheme, this));
    this.store.add(
      reviews.onDidChange(paths => {
        for (const path of paths) this.changed.fire(this.uriOf(path));
      }),
    );
  }

  /** Uses the file's own path, or VS Code would show the file as renamed. */
  uriOf(path: string): Uri {
    return Uri.from({ scheme: baseScheme, path: this.names.uriOf(path).path });
  }

  /** Returns the file itself if nothing is pending, so that an open diff shows no difference. */
  async provideTextDocumentContent(uri: Uri): Promise<string> {
    const file = uri.with({ scheme: 'file' });
    const path = this.names.toRealPath(file);
    const review = path === undefined ? undefined : this.reviews.ledger?.review(path);
    if (review) return baseText(asLines(review));
    try {
      return (await workspace.openTextDocument(file)).getText();
    } catch {
      // The file is gone, as before the agent created it.
      return '';
    }
  }

  /** Compares the file with its content without pending changes. The right side is the file itself. */
  async openDiff(path: string, hunkId?: number): Promise<void> {
    const known = this.reviews.ledger?.review(path);
    const review = known && asLines(known);
    const hunk = review?.hunks.find(({ id }) => id === hunkId);
    const line = review && hunk ? anchorLine(review, hunk) : undefined;
    const selection = line === undefined ? undefined : new Range(line, 0, line, 0);
    const title = t('{0} (Folio’s changes)', basename(path));
    const options = { preview: true, selection };
    // A diff needs a right side. For a deleted file, shows its old content only.
    if (known?.by === 'file' && known.present.length === 0)
      return commands.executeCommand('vscode.open', this.uriOf(path), options, title);
    await commands.executeCommand('vscode.diff', this.uriOf(path), this.names.uriOf(path), title, options);
  }

  /** Rows for the multi-file diff: all pending changes in all files. */
  get rows(): readonly (readonly (Uri | undefined)[])[] {
    return this.reviews.pending.map(({ path, review }) => {
      const now = this.names.uriOf(path);
      const isDeleted = review.present.length === 0 && this.reviews.ledger?.review(path)?.by === 'file';
      const base = review.created && review.base.length === 0 ? undefined : this.uriOf(path);
      return [now, base, isDeleted ? undefined : now];
    });
  }
}

function isBase({ input }: Tab): boolean {
  return input instanceof TabInputTextDiff && input.original.scheme === baseScheme;
}
