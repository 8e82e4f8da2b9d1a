import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { DiffLine, FileDiff } from '../../protocol/asks.ts';
import { plural, t } from '../../protocol/language.ts';
import { usePathLabels } from '../panel/pathLabels.ts';
import { LinkButton } from '../ui/controls.tsx';
import { firstOf } from '../ui/format.ts';
import { useScrollTabStop } from '../ui/output.tsx';
import { type ChangedPart, findChangedParts } from './changedPart.ts';

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
  readonly changed: ChangedPart | undefined;
}

/** Letters. A longer line may scroll inside. */
const longLine = 200;

export function DiffLines({ diff, limit }: DiffLinesProps) {
  const lines = diff.hunks.flatMap(numberLines);
  const path = usePathLabels().shown(diff.path);
  const isWhole = useSignal(false);
  // Lines that the host left out have their row anyway.
  const first = diff.hiddenLines > 0 ? lines.slice(0, limit) : firstOf(lines, limit);
  const shown = isWhole.value ? lines : first;
  const folded = lines.slice(shown.length);
  return (
    // biome-ignore lint/a11y/useSemanticElements: lines of text are no set of form fields.
    <div
      ref={useScrollTabStop<HTMLDivElement>()}
      class="diff"
      role="group"
      aria-label={t('Changed lines of {0}', path)}
    >
      {shown.map((line, index) => (
        <Fragment key={index}>
          {line.place && <div class="diff-place">{line.place}</div>}
          <div
            class={`diff-line ${line.heading ? 'quiet' : line.kind} ${line.startsHunk && index > 0 ? 'gap' : ''}`}
          >
            <span class="diff-number" aria-hidden="true">
              {!line.heading && line.number}
            </span>
            <span class="diff-sign">{!line.heading && signs[line.kind]}</span>
            {line.text.length > longLine ? (
              <LongLine line={line} />
            ) : (
              <span class="diff-text">
                <LineText line={line} />
              </span>
            )}
          </div>
        </Fragment>
      ))}
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

/** Line that may scroll. It begins a row above what changed. */
function LongLine({ line }: { readonly line: NumberedLine }) {
  const box = useScrollTabStop<HTMLSpanElement>();
  useLayoutEffect(() => {
    const changed = box.current?.querySelector<HTMLElement>('.diff-changed');
    if (changed) box.current!.scrollTop = changed.offsetTop - 18;
  }, []);
  return (
    <span class="diff-text" ref={box}>
      <LineText line={line} />
    </span>
  );
}

function LineText({ line: { text, changed } }: { readonly line: NumberedLine }) {
  if (!changed) return text;
  return (
    <>
      {text.slice(0, changed.start)}
      <span class="diff-changed">{text.slice(changed.start, changed.end)}</span>
      {text.slice(changed.end)}
    </>
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
  const changed = findChangedParts(hunk.lines);
  return hunk.lines.map((line, index) => {
    const number = line.kind === 'removed' ? oldLine : newLine;
    if (line.kind !== 'added') oldLine = line.heading ? 1 : oldLine + 1;
    if (line.kind !== 'removed') newLine = line.heading ? 1 : newLine + 1;
    const startsHunk = index === 0;
    return {
      ...line,
      number,
      startsHunk,
      place: startsHunk ? hunk.place : undefined,
      changed: changed.get(line),
    };
  });
}
