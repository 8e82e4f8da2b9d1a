import { commands } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { ActiveReviews } from './activeReviews.ts';
import type { FileNames } from './fileNames.ts';

/** What `when` clauses know: a list of files, so that buttons and keys belong to these and to no other editor. */
export function tellReviewContext(reviews: ActiveReviews, names: FileNames): Disposable {
  let told = '';
  return reviews.onDidChange(() => {
    const files = reviews.pending.flatMap(({ path }) => [...new Set([path, names.uriOf(path).fsPath])]);
    const canBringBack = reviews.lastRejected !== undefined;
    const now = JSON.stringify([files, canBringBack]);
    if (now === told) return;
    told = now;
    void commands.executeCommand('setContext', 'folio.reviewedFiles', files);
    void commands.executeCommand('setContext', 'folio.reviewing', files.length > 0);
    void commands.executeCommand('setContext', 'folio.canBringBack', canBringBack);
  });
}
