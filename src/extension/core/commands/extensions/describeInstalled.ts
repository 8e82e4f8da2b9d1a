import { maskSecrets } from '../../../base/maskSecrets.ts';
import { plural } from '../../../base/text.ts';
import { extensionOf } from '../../../platform/customizations/customFiles.ts';
import type { InstalledFolder, InstallNote } from '../../../platform/customizations/extensionFolders.ts';
import type { Additions } from '../../customizations/additions.ts';
import { codeSpan, escapeInline } from '../../export/markdownText.ts';

/** A list as Markdown. */
export function describeInstalled(
  installed: readonly InstalledFolder[],
  { all }: Pick<Additions, 'all'>,
): string {
  if (installed.length === 0)
    return '# Extensions\n\nNo extensions are installed. Use `/extensions install SOURCE`, with a folder or the address of a Git repository.\n';
  const lines = installed.map(each => {
    const facts = factsOf(each, { all });
    return `- ${codeSpan(each.name)}: ${facts.map(escapeInline).join(' · ')}`;
  });
  return `# Extensions\n\n${lines.join('\n')}\n`;
}

/** The line of one in the list: whether it counts, its version, where it is from and what it brings. */
export function factsOf({ name, note }: InstalledFolder, { all }: Pick<Additions, 'all'>): readonly string[] {
  const own = all.list.filter(({ item }) => extensionOf(item.origin)?.name === name);
  const manifest = own.find(({ item }) => item.kind === 'extension');
  return [
    manifest
      ? states[manifest.state]
      : 'cannot be used, see “Folio: Show Servers, Commands, Agents and Skills”',
    manifest?.item.detail ?? '',
    describeNote(note),
    countThings(own.map(({ item }) => item.kind)),
  ].filter(Boolean);
}

const states = {
  enabled: 'counts',
  waiting: 'waits for your decision',
  refused: 'does not count, you refused it',
  disabled: 'switched off here',
} as const;

export function describeNote(note: InstallNote | undefined): string {
  if (!note) return 'put there by hand';
  const source = maskSecrets(note.source);
  const plugin = note.plugin === undefined ? '' : `${note.plugin}@${note.market} of `;
  if (note.type === 'link') return `linked to ${source}`;
  return `from ${plugin}${source}${note.commit === undefined ? '' : ` at ${note.commit.slice(0, 12)}`}`;
}

function countThings(kinds: readonly string[]): string {
  const counted = ['server', 'command', 'agent', 'skill'].map(kind => ({
    kind,
    count: kinds.filter(each => each === kind).length,
  }));
  return counted
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => plural(count, kind))
    .join(', ');
}
