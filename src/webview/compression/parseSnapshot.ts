/*
 * The sections of a `<state_snapshot>`. A model or a user wrote it, so it is often no valid XML: whatever
 * stands outside of a section is text too, and tags within a section are left as they are.
 */

interface SnapshotSection {
  /** Empty for what stands outside of every section. */
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

/** `overall_goal` is `Overall goal`. */
function titleOf(tag: string): string {
  const words = tag.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Without the indentation that all lines share, and with its entities as the characters they stand for. */
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
