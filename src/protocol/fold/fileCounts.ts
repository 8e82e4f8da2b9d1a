import { sumCounts } from '../changes.ts';
import type { Display, OutcomeKind } from '../events.ts';
import { t } from '../language.ts';
import type { CallStatus } from '../state.ts';
import type { FileCounts } from '../values.ts';

/** Returns the file changes of an ended call. */
export function filesChangedByCall({
  outcome,
  display,
}: {
  readonly outcome: OutcomeKind;
  readonly display: Pick<Display, 'touched' | 'detail'>;
}): readonly FileCounts[] {
  if (outcome !== 'ok') return [];
  if (display.detail?.kind !== 'diff') return display.touched ?? [];
  const { path, added, removed, cells } = display.detail.diff;
  return [{ path, added, removed, cells }];
}

/** Returns a call's file changes that no rewind has undone; none before it has ended. */
export function filesNotUndone({ status, undone = [] }: EndedOrNot): readonly FileCounts[] {
  const files = status.kind === 'ended' ? filesChangedByCall(status) : [];
  return files.filter(({ path }) => !undone.includes(path));
}

/** Returns how many of a call's changes were undone by rewinds. */
export function undoneShare(call: EndedOrNot): 'none' | 'part' | 'all' {
  if (!call.undone) return 'none';
  return filesNotUndone(call).length > 0 ? 'part' : 'all';
}

/** Describes `undoneShare`; empty for `none`. */
export function undoneWord(call: EndedOrNot): string {
  const share = undoneShare(call);
  if (share === 'none') return '';
  return share === 'all' ? t('undone') : t('partly undone');
}

interface EndedOrNot {
  readonly status:
    | ({ readonly kind: 'ended' } & Parameters<typeof filesChangedByCall>[0])
    | { readonly kind: Exclude<CallStatus['kind'], 'ended'> };
  readonly undone?: readonly string[];
}

/** Returns the changes that were added between two reports of a call's files. */
export function addedFileCounts(
  before: readonly FileCounts[],
  after: readonly FileCounts[],
): readonly FileCounts[] {
  return after.flatMap(file => {
    const known = before.find(({ path }) => path === file.path);
    if (!known) return [file];
    const [added, removed] = [file.added - known.added, file.removed - known.removed];
    const cells = file.cells === undefined ? undefined : file.cells - (known.cells ?? 0);
    return added === 0 && removed === 0 && !cells ? [] : [{ path: file.path, added, removed, cells }];
  });
}

/** Returns the list with these counts added to those of the same file. */
export function addFileCounts(files: readonly FileCounts[], file: FileCounts): readonly FileCounts[] {
  const index = files.findIndex(known => known.path === file.path);
  if (index < 0) return [...files, file];
  const known = files[index]!;
  return files.with(index, { path: file.path, ...sumCounts([known, file]) });
}
