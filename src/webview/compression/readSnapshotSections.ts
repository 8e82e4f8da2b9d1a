/*
 * Parses the sections of a `<state_snapshot>`. A model or a user wrote it, so it is often invalid XML: text outside
 * sections is kept, and tags inside sections stay text.
 */

interface SnapshotSection {
  /** Empty for text outside of sections. */
  readonly title: string;
  readonly text: string;
}

export function readSnapshotSections(xml: string): readonly SnapshotSection[] {
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

/** Turns `overall_goal` into `Overall goal`. */
function titleOf(tag: string): string {
  const words = tag.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Removes shared indentation and decodes entities. */
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
