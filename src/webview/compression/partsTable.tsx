import { useComputed } from '@preact/signals';
import { t } from '../../protocol/language.ts';
import type { CompressionPart } from '../../protocol/values.ts';
import { chapterLabel } from '../context/chapterName.ts';
import { usePanel } from '../panel/panel.ts';
import { formatCount } from '../ui/format.ts';

/** Table of the effect on each chapter, in tokens. */
export function PartsTable({ parts }: { readonly parts: readonly CompressionPart[] }) {
  const { store } = usePanel();
  const chapters = useComputed(() => store.session.value?.chapters ?? []).value;
  const shown = parts.filter(part => totalOf(part) > 0);
  const largest = Math.max(...shown.map(totalOf), 1);
  const hasDropped = shown.some(({ dropped }) => dropped > 0);
  return (
    <section class="parts" aria-label={t('Tokens by chapter')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Chapter')}</th>
            <th scope="col">{t('Summarised')}</th>
            <th scope="col">{t('Kept')}</th>
            {hasDropped && (
              <th scope="col" title={t('Parts of long results; the full results stay on the disk')}>
                {t('Dropped')}
              </th>
            )}
          </tr>
        </thead>
        {shown.map(part => (
          <tbody key={part.chapterId}>
            <tr>
              <th scope="rowgroup" colSpan={hasDropped ? 4 : 3}>
                {chapterLabel(part.chapterId, chapters)}
              </th>
            </tr>
            <tr>
              <td>
                <PartBar part={part} largest={largest} />
              </td>
              <Tokens count={part.summarised} />
              <Tokens count={part.kept} />
              {hasDropped && <Tokens count={part.dropped} />}
            </tr>
          </tbody>
        ))}
      </table>
    </section>
  );
}

function Tokens({ count }: { readonly count: number }) {
  return <td class={count === 0 ? 'quiet' : undefined}>{formatCount(count)}</td>;
}

interface PartBarProps {
  readonly part: CompressionPart;
  /** Tokens of the largest chapter, whose bar has the full width. */
  readonly largest: number;
}

function PartBar({ part, largest }: PartBarProps) {
  const width = (tokens: number) => `${(tokens / largest) * 100}%`;
  return (
    <span class="part-bar" aria-hidden="true">
      {part.summarised > 0 && <span class="part-summarised" style={{ width: width(part.summarised) }} />}
      {part.kept > 0 && <span class="part-kept" style={{ width: width(part.kept) }} />}
      {part.dropped > 0 && <span class="part-dropped" style={{ width: width(part.dropped) }} />}
    </span>
  );
}

function totalOf({ summarised, kept, dropped }: CompressionPart): number {
  return summarised + kept + dropped;
}
