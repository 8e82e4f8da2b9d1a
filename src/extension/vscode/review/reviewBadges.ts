import { EventEmitter, type FileDecoration, type FileDecorationProvider, type Uri, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { plural } from '../../base/text.ts';
import { pendingHunks } from '../../review/fileReview.ts';
import type { ActiveReviews } from './activeReviews.ts';
import type { FileNames } from './fileNames.ts';

/** How many changes wait in a file, beside its name in the explorer and on its tab. */
export class ReviewBadges implements FileDecorationProvider, Disposable {
  private readonly reviews: ActiveReviews;
  private readonly names: FileNames;
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new EventEmitter<Uri[] | undefined>());
  readonly onDidChangeFileDecorations = this.changed.event;

  constructor(reviews: ActiveReviews, names: FileNames) {
    this.reviews = reviews;
    this.names = names;
    this.store.add(window.registerFileDecorationProvider(this));
    this.store.add(
      reviews.onDidChange(paths => this.changed.fire([...paths].map(path => names.uriOf(path)))),
    );
    this.store.add(names.onDidLearn(() => this.changed.fire(undefined)));
  }

  provideFileDecoration(uri: Uri): FileDecoration | undefined {
    const review = this.reviews.pendingIn(this.names.realOf(uri));
    if (!review) return undefined;
    const count = pendingHunks(review).length;
    // VS Code shows two characters at the most.
    const badge = count > 99 ? '99' : String(count);
    return { badge, tooltip: `${plural(count, 'change')} by Folio to review`, propagate: true };
  }

  dispose(): void {
    this.store.dispose();
  }
}
