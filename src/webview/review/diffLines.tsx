import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import type { DiffLine, FileDiff } from '../../protocol/asks.ts';
import { plural, t } from '../../protocol/language.ts';
import { useFolderNames } from '../panel/folderNames.ts';
import { LinkButton } from '../ui/controls.tsx';

interface DiffLinesProps {
  readonly diff: Pick<FileDiff, 'path' | 'hunks' | 'hiddenLines'>;
  /** Lines shown before unfolding. */
  readonly limit: number;
}

interface NumberedLine extends DiffLine {
  readonly number: number;
  readonly startsHunk: boolean;
  /** Position of the hunk that begins here. */
  readonly place: string | undefined;
}

export function DiffLines({ diff, limit }: DiffLinesProps) {
  const lines = diff.hunks.flatMap(numberLines);
  const path = useFolderNames().shown(diff.path);
  const isWhole = useSignal(false);
  const folded = isWhole.value ? [] : lines.slice(limit);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: what scrolls sideways must be reachable by key, and is no set of form fields.
    <div class="diff" tabIndex={0} role="group" aria-label={t('Changed lines of {0}', path)}>
      <div class="diff-lines">
        {lines.slice(0, lines.length - folded.length).map((line, index) => (
          <Fragment key={index}>
            {line.place && <div class="diff-place">{line.place}</div>}
            <div
              class={`diff-line ${line.heading ? 'quiet' : line.kind} ${line.startsHunk && index > 0 ? 'gap' : ''}`}
            >
              <span class="diff-number" aria-hidden="true">
                {!line.heading && line.number}
              </span>
              <span class="diff-sign">{!line.heading && signs[line.kind]}</span>
              <span class="diff-text">{line.text}</span>
            </div>
          </Fragment>
        ))}
      </div>
      {folded.length > 0 ? (
        <LinkButton class="diff-more" onClick={() => (isWhole.value = true)}>
          {describeRest(folded, diff.hiddenLines)}
        </LinkButton>
      ) : (
        diff.hiddenLines > 0 && <div class="diff-more">{describeRest([], diff.hiddenLines)}</div>
      )}
    </div>
  );
}

/** Says whether folded lines are changed, since the user accepts these, too. */
function describeRest(folded: readonly DiffLine[], hiddenLines: number): string {
  const count = folded.length + hiddenLines;
  const changed = folded.filter(({ kind }) => kind !== 'context').length;
  const words = plural(count, 'one: {0} more line | other: {0} more lines');
  return changed > 0 ? t('{0}, {1} changed', words, changed) : words;
}

const signs: Readonly<Record<DiffLine['kind'], string>> = { added: '+', removed: '−', context: ' ' };

/** Numbers added and kept lines by the new text, removed ones by the old. Each named cell begins at 1. */
function numberLines(hunk: FileDiff['hunks'][number]): readonly NumberedLine[] {
  let oldLine = hunk.oldStart;
  let newLine = hunk.newStart;
  return hunk.lines.map((line, index) => {
    const number = line.kind === 'removed' ? oldLine : newLine;
    if (line.kind !== 'added') oldLine = line.heading ? 1 : oldLine + 1;
    if (line.kind !== 'removed') newLine = line.heading ? 1 : newLine + 1;
    return { ...line, number, startsHunk: index === 0, place: index === 0 ? hunk.place : undefined };
  });
}
