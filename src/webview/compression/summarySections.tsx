import { t } from '../../protocol/language.ts';
import { readSnapshotSections } from './readSnapshotSections.ts';

/** Sections of a summary as plain text, since a model wrote it. */
export function SummarySections({ xml }: { readonly xml: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long summary scrolls, also by key.
    <section class="snapshot" aria-label={t('Summary')} tabIndex={0}>
      {readSnapshotSections(xml).map(({ title, text }, index) => (
        <div key={index} class="snapshot-section">
          {title && <p class="snapshot-title bold">{title}</p>}
          <p class="snapshot-text">{text}</p>
        </div>
      ))}
    </section>
  );
}
