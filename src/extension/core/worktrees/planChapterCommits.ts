/* Plans one commit for each chapter that changed a worktree's files. `platform/worktrees.ts` creates them. */

import { relative, sep } from 'node:path';
import { iterate } from '../../../protocol/pagedList.ts';
import type { SessionState } from '../../../protocol/state.ts';
import type { CommitRequest } from '../../platform/worktrees.ts';
import type { ChangeTracker } from '../changes/changeTracker.ts';
import { chapterCommitMessage } from '../export/gitDrafts.ts';
import { folderContains } from '../folderPaths.ts';
import type { RewindIndex } from '../history/places.ts';

/** Returns the commits to create, in order, without chapters that wrote nothing. @param root of the worktree, absolute */
export async function planChapterCommits(
  root: string,
  state: SessionState,
  places: Pick<RewindIndex, 'find'>,
  changes: Pick<ChangeTracker, 'leftBetween'>,
): Promise<readonly CommitRequest[]> {
  const begun = state.chapters.flatMap(chapter => {
    const place = places.find({ kind: 'chapter', chapterId: chapter.id });
    if (place) return [{ chapter, from: place.seq }];
    return chapter.number === 0 ? [{ chapter, from: 0 }] : [];
  });
  const commits: CommitRequest[] = [];
  for (const [at, { chapter, from }] of begun.entries()) {
    const left = await changes.leftBetween(from, begun[at + 1]?.from ?? state.seq);
    const files = left.flatMap(({ path, ...file }) =>
      folderContains(root, path) ? [{ ...file, path: relative(root, path).split(sep).join('/') }] : [],
    );
    if (files.length === 0) continue;
    const [prompt] = [...iterate(chapter.items)].filter(item => item.type === 'prompt');
    const title = chapter.title || state.title || prompt?.text || '';
    commits.push({ message: chapterCommitMessage({ title, summary: chapter.summary }), files });
  }
  return commits;
}
