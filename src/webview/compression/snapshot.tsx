import { t } from '../../protocol/language.ts';

/** A summary as its sections. A model wrote it: it is shown as plain text and nothing in it takes effect. */
export function Snapshot({ xml }: { readonly xml: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long summary scrolls, also by key.
    <section class="snapshot" aria-label={t('Summary')} tabIndex={0}>
      {parseSnapshot(xml).map(({ title, text }, index) => (
        <div key={index} class="snapshot-section">
          {title && <p class="snapshot-title">{title}</p>}
          <p class="snapshot-text">{text}</p>
        </div>
      ))}
    </section>
  );
}

/**
 * Parses the sections of a `<state_snapshot>`, which is often no valid XML. Text outside of sections and
 * inner tags stay.
 */

interface SnapshotSection {
  readonly title: string;
  readonly text: string;
}

export function parseSnapshot(xml: string): readonly SnapshotSection[] {
  const inner = xml.replace(/^\s*<state_snapshot[^>]*>/, '').replace(/<\/state_snapshot>\s*$/, '');
  const sections: SnapshotSection[] = [];
  const add = (title: string, text: string) => {
    const shown = tidy(text);
    if (shown !== '') sections.push({ title, text: shown });
  };
  let from = 0;
  for (const match of inner.matchAll(/<([a-z][a-z_]*)>([\s\S]*?)<\/\1>/g)) {
    add('', inner.slice(from, match.index));
    add(titleOf(match[1]!), match[2]!);
    from = match.index + match[0].length;
  }
  add('', inner.slice(from));
  return sections;
}

function titleOf(tag: string): string {
  const words = tag.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function tidy(text: string): string {
  const lines = text
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
    .split('\n');
  const indents = lines.filter(line => line.trim() !== '').map(line => line.search(/\S/));
  const shared = Math.min(...indents, Number.MAX_SAFE_INTEGER);
  return lines
    .map(line => line.slice(shared))
    .join('\n')
    .replace(/&(lt|gt|quot|apos|amp);/g, (_, name: keyof typeof entities) => entities[name]);
}

const entities = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' } as const;
