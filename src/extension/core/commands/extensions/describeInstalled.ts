import { t } from '../../../../protocol/language.ts';
import { maskSecrets } from '../../../base/maskSecrets.ts';
import { extensionOf } from '../../../platform/customizations/customFiles.ts';
import type {
  InstalledExtensionFolder,
  InstallMetadata,
} from '../../../platform/customizations/extensionFolders.ts';
import type { ListedCustomization } from '../../customizations/customizations.ts';
import type { Customization } from '../../customizations/files/customization.ts';
import type { LoadedCustomizations } from '../../customizations/loadedCustomizations.ts';
import { codeSpan, escapeInline } from '../../export/markdownText.ts';
import type { ExtensionAccess } from '../commands.ts';
import { effectiveNames } from './effectiveNames.ts';

type CountingNames = ReadonlyMap<Customization, string>;

/** Formats a list as Markdown. */
export async function describeInstalled(
  installed: readonly InstalledExtensionFolder[],
  access: Pick<ExtensionAccess, 'additions' | 'nameCommands' | 'nameTools'>,
): Promise<string> {
  if (installed.length === 0)
    return `# ${t('Extensions')}\n\n${t('No extensions are installed. Use `/extensions install SOURCE`, with a folder or the address of a Git repository.')}\n`;
  const names = await enabledNamesOf(access);
  const lines = installed.map(each => {
    const facts = [
      ...describeListedExtension(each, access.additions),
      listContents(each, access.additions, names),
    ].filter(Boolean);
    return `- ${codeSpan(each.name)}: ${facts.map(escapeInline).join(' · ')}`;
  });
  return `# ${t('Extensions')}\n\n${lines.join('\n')}\n`;
}

/** Returns the current names of everything enabled. */
export function enabledNamesOf({
  additions: { all },
  ...naming
}: Pick<ExtensionAccess, 'additions' | 'nameCommands' | 'nameTools'>): Promise<CountingNames> {
  const counting = all.list.flatMap(({ item, state }) => (state === 'enabled' ? [item] : []));
  return effectiveNames(counting, naming);
}

/** Describes one extension in the list: its state, version and source. */
export function describeListedExtension(
  { name, note }: InstalledExtensionFolder,
  { all }: Pick<LoadedCustomizations, 'all'>,
): readonly string[] {
  const manifest = all.list.find(
    ({ item }) => item.kind === 'extension' && extensionOf(item.origin)?.name === name,
  );
  return [
    manifest
      ? describeState(manifest.state)
      : t('not available, see “Folio: Show Servers, Commands, Agents and Skills”'),
    manifest?.item.detail ?? '',
    describeNote(note),
  ].filter(Boolean);
}

function describeState(state: ListedCustomization['state']): string {
  switch (state) {
    case 'enabled':
      return t('active');
    case 'waiting':
      return t('waits for your decision');
    case 'refused':
      return t('ignored: you refused it');
    case 'disabled':
      return t('disabled here');
  }
}

export function describeNote(note: InstallMetadata | undefined): string {
  if (!note) return t('copied there manually');
  const source = maskSecrets(note.source);
  if (note.type === 'link') return t('linked to {0}', source);
  const commit = note.commit?.slice(0, 12);
  if (note.plugin === undefined)
    return commit === undefined ? t('from {0}', source) : t('from {0} at {1}', source, commit);
  const plugin = `${note.plugin}@${note.market}`;
  return commit === undefined
    ? t('from {0} of {1}', plugin, source)
    : t('from {0} of {1} at {2}', plugin, source, commit);
}

/** Lists contents by name. @param names of enabled things; others are named after their files */
export function listContents(
  { name }: InstalledExtensionFolder,
  { all }: Pick<LoadedCustomizations, 'all'>,
  names: CountingNames,
): string {
  const own = all.list.flatMap(({ item }) => (extensionOf(item.origin)?.name === name ? [item] : []));
  const list = (kind: Customization['kind']) =>
    own.filter(item => item.kind === kind).map(item => names.get(item) ?? item.name);
  const servers = own
    .filter(({ kind }) => kind === 'server')
    .map(item => (names.has(item) ? `${item.name} (${names.get(item)})` : item.name));
  const commands = list('command').map(name => `/${name}`);
  const kinds: readonly (readonly [readonly string[], (names: string) => string])[] = [
    [servers, of => t('servers: {0}', of)],
    [commands, of => t('commands: {0}', of)],
    [list('agent'), of => t('agents: {0}', of)],
    [list('skill'), of => t('skills: {0}', of)],
  ];
  return kinds.flatMap(([of, say]) => (of.length > 0 ? [say(of.join(', '))] : [])).join(' · ');
}
