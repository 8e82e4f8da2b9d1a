import { settingKeys } from '../../src/extension/platform/settingFiles/settingKeys.ts';
import type { Manifest, SettingEntry, SettingSection } from './manifest.ts';
import { code, markdownTable } from './markdown.ts';

const ownKeys = new Set(settingKeys.map(({ key }) => key));

/** Lists all settings, in the sections of VS Code's settings editor. */
export function settingLists({ settings }: Manifest): string {
  const sections = settings.toSorted((one, other) => one.order - other.order);
  return sections.map(section => `### ${section.title}\n\n${settingTable(section)}`).join('\n\n');
}

function settingTable({ properties }: SettingSection): string {
  const inOrder = Object.entries(properties).toSorted(([, one], [, other]) => one.order - other.order);
  const rows = inOrder.map(([name, setting]) => [
    code(name),
    defaultOf(setting),
    ownKeys.has(name) ? 'yes' : '',
    describe(setting),
  ]);
  return markdownTable(['setting', 'default', 'in files', 'what it sets'], rows);
}

/** Keys that other programs read from the same files. */
export function foreignKeyTable(): string {
  const foreign = settingKeys.filter(({ key }) => !key.startsWith('folio.'));
  return markdownTable(
    ['key', 'what may stand there'],
    foreign.map(({ key, expected }) => [code(key), expected()]),
  );
}

function defaultOf(setting: SettingEntry): string {
  return setting.default === '' ? 'empty' : code(JSON.stringify(setting.default));
}

function describe(setting: SettingEntry): string {
  // A link to a command works in the settings editor only.
  const text = (setting.markdownDescription ?? setting.description ?? '').replace(
    /\[([^\]]+)\]\(command:[^)]+\)/g,
    '*Folio: $1*',
  );
  const choices = setting.enum?.map((value, index) => {
    const label = setting.enumItemLabels?.[index];
    const name = label === undefined ? code(value) : `${code(value)} (*${label}*)`;
    return `<br>${name}: ${setting.enumDescriptions?.[index] ?? ''}`;
  });
  const members = setting.items?.enum?.map(code).join(', ');
  return [text, ...(choices ?? []), members === undefined ? '' : `<br>Names: ${members}.`].join('');
}
