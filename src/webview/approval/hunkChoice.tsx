import type { FileDiff } from '../../protocol/asks.ts';
import { t } from '../../protocol/language.ts';
import type { Counts } from '../../protocol/values.ts';
import { DiffLines } from '../review/diffLines.tsx';

/** Lines of a hunk that the card shows. The diff editor shows all. */
const shownLines = 8;

/** Indices of the hunks that are left out. */
export type LeftOut = ReadonlySet<number>;

interface HunkChoiceProps {
  readonly diff: FileDiff;
  readonly left: LeftOut;
  readonly onChange: (left: LeftOut) => void;
}

/** Returns true for more than one hunk, if the host sent all of them. */
export function canChoose(diff: FileDiff): boolean {
  return diff.hiddenLines === 0 && diff.hunks.length >= 2;
}

/** Returns what accepting would change. */
export function countsOfTaken({ added, removed, cells, executable, hunks }: FileDiff, left: LeftOut): Counts {
  const leftOut = hunks.filter((_, index) => left.has(index));
  const lines = leftOut.flatMap(hunk => hunk.lines);
  return {
    executable,
    // A notebook counts cells instead of lines.
    added: cells === undefined ? added - lines.filter(({ kind }) => kind === 'added').length : 0,
    removed: cells === undefined ? removed - lines.filter(({ kind }) => kind === 'removed').length : 0,
    cells: cells && leftOut.reduce((rest, hunk) => rest - (hunk.cells ?? 1), cells),
  };
}

export function HunkChoice({ diff, left, onChange }: HunkChoiceProps) {
  const toggle = (index: number) => {
    const next = new Set(left);
    if (!next.delete(index)) next.add(index);
    onChange(next);
  };
  return (
    <div class="hunk-choices">
      {diff.hunks.map((hunk, index) => (
        <div key={index} class={left.has(index) ? 'hunk-choice left' : 'hunk-choice'}>
          <input
            type="checkbox"
            class="mark"
            checked={!left.has(index)}
            title={t('Take this change')}
            aria-label={t(
              'Take change {0} of {1}, {2}',
              index + 1,
              diff.hunks.length,
              hunk.place ?? t('line {0}', hunk.newStart),
            )}
            onFocus={showChange}
            onChange={() => toggle(index)}
          />
          <DiffLines diff={{ ...diff, hunks: [hunk] }} limit={shownLines} />
        </div>
      ))}
    </div>
  );
}

/** Scrolls to what a mark decides on, when it is reached by keys. Under a pointer nothing moves. */
function showChange({ currentTarget: mark }: { readonly currentTarget: HTMLElement }): void {
  if (!mark.matches(':focus-visible')) return;
  // The list first, since below the title of the card its upper part is covered.
  for (const each of [mark.closest('.hunk-choices'), mark.parentElement!.querySelector('.added, .removed')])
    each?.scrollIntoView({ block: 'nearest' });
}
