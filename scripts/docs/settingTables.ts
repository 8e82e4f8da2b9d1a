import { settingKeys } from '../../src/extension/platform/settingKeys.ts';
import type { Manifest, SettingEntry } from './manifest.ts';
import { code, markdownTable } from './markdown.ts';

const ownKeys = new Set(settingKeys.map(({ key }) => key));

export function settingTable({ settings }: Manifest): string {
  const inOrder = Object.entries(settings).toSorted(([, one], [, other]) => one.order - other.order);
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
  const text = setting.markdownDescription ?? setting.description ?? '';
  const choices = setting.enum?.map((value, index) => {
    const label = setting.enumItemLabels?.[index];
    const name = label === undefined ? code(value) : `${code(value)} (*${label}*)`;
    return `<br>${name}: ${setting.enumDescriptions?.[index] ?? ''}`;
  });
  const members = setting.items?.enum?.map(code).join(', ');
  return [text, ...(choices ?? []), members === undefined ? '' : `<br>Names: ${members}.`].join('');
}
