/* Settings of Folio in the workspace's settings file. */

import { t } from '../../../../protocol/language.ts';
import { isRecord } from '../../../base/record.ts';
import type { CustomFile } from '../../../platform/customizations/customFiles.ts';
import { findSettingValue } from '../../../platform/findSetting.ts';
import { parseSettings, type SettingKey, settingKeys } from '../../../platform/settingFiles/settingKeys.ts';
import { type SettingValues, strictSettings, userOnlySettings } from '../../../platform/settings.ts';
import type { Customization } from './customization.ts';

/**
 * Returns one customization for all keys of the file, so that the user decides on them together.
 * @param content of the file.
 * @param complain receives a sentence for each key without effect
 */
export function toSettingsCustomizations(
  content: Readonly<Record<string, unknown>>,
  { kind: format, origin, path }: CustomFile,
  complain: (sentence: string) => void,
): readonly Customization[] {
  if (format !== 'settings' || origin.kind !== 'workspace' || !path.endsWith('settings.json')) return [];
  const named = settingKeys.filter(({ key }) => isNamed(content, key));
  for (const { key } of named.filter(each => isPersonal(each, content))) {
    complain(
      t(
        '{0} sets "{1}". It is ignored here, because only you can set it. If you want it, add it to your own settings.',
        path,
        key,
      ),
    );
  }
  const meant = named.filter(each => !isPersonal(each, content));
  const { values, problems } = parseSettings(content, path, meant);
  for (const problem of problems) complain(t('{0} It is ignored.', problem));
  if (Object.keys(values).length === 0) return [];
  const set = Object.fromEntries(meant.map(({ key }) => [key, findSettingValue(content, key)]));
  const detail = Object.entries(set).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return [
    {
      kind: 'settings',
      name: 'settings',
      origin,
      path,
      format,
      text: '',
      detail: detail.join(' · '),
      value: set,
    },
  ];
}

/** @param items the least important first */
export function readWorkspaceSettings(items: readonly Customization[]): Partial<SettingValues> {
  return Object.assign({}, ...items.map(({ value, path }) => parseSettings(value, path).values));
}

/** A key whose value is an object may be a section of other keys, which are checked separately. */
function isNamed(content: unknown, key: string): boolean {
  const value = findSettingValue(content, key);
  const isSection = settingKeys.some(other => other.key.startsWith(`${key}.`));
  return value !== undefined && !(isRecord(value) && isSection);
}

function isPersonal({ key, parse }: SettingKey, content: unknown): boolean {
  const values = parse(findSettingValue(content, key), content) ?? {};
  return (Object.keys(values) as (keyof SettingValues)[]).some(
    name => userOnlySettings.has(name) || (name in strictSettings && values[name] !== strictSettings[name]),
  );
}
