import { t } from '../../protocol/language.ts';
import { parseSnapshot } from './parseSnapshot.ts';

/** A summary as its sections. A model wrote it: it is shown as plain text and nothing in it takes effect. */
export function Snapshot({ xml }: { readonly xml: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long summary scrolls, also by key.
    <section class="snapshot" aria-label={t('Summary')} tabIndex={0}>
      {parseSnapshot(xml).map(({ title, text }, index) => (
        <div key={index} class="snapshot-section">
          {title && <p class="snapshot-title bold">{title}</p>}
          <p class="snapshot-text">{text}</p>
        </div>
      ))}
    </section>
  );
}
