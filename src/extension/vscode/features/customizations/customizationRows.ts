import { t } from '../../../../protocol/language.ts';
import { escapeInvisibleText } from '../../../base/hiddenText.ts';
import { oneLine } from '../../../base/text.ts';
import type { CustomizationState, ListedCustomization } from '../../../core/customizations/customizations.ts';
import { extensionOf } from '../../../platform/customizations/customFiles.ts';

export type CustomizationRow =
  | { readonly kind: 'heading'; readonly label: string }
  | {
      readonly kind: 'thing';
      readonly label: string;
      readonly description: string;
      readonly detail: string;
      readonly path: string;
      /** Absent if it neither is disabled nor can be. */
      readonly toggle?: CustomizationToggle;
    };

export interface CustomizationToggle {
  readonly to: 'on' | 'off';
  /** Names to add to or remove from the setting. */
  readonly names: readonly string[];
  readonly tooltip: string;
}

/** @param disabled names that are disabled here. @param shorten shortens a path for display */
export function customizationRows(
  list: readonly ListedCustomization[],
  disabled: readonly string[],
  shorten: (path: string) => string,
): readonly CustomizationRow[] {
  return kinds.flatMap(([kind, label]) => {
    const things = list.filter(({ item }) => item.kind === kind);
    const rows = things.map(each => rowOf(each, disabled, shorten));
    return rows.length === 0 ? [] : [{ kind: 'heading' as const, label: label() }, ...rows];
  });
}

const kinds = [
  ['extension', () => t('Extensions')],
  ['server', () => t('Servers')],
  ['tools', () => t('Discovered tools')],
  ['command', () => t('Commands')],
  ['agent', () => t('Agents')],
  ['skill', () => t('Skills')],
  ['settings', () => t('Settings')],
] as const satisfies readonly (readonly [ListedCustomization['item']['kind'], () => string])[];

const states = (): Readonly<Record<CustomizationState, string>> => ({
  enabled: `$(check) ${t('active')}`,
  waiting: `$(question) ${t('waits for your decision')}`,
  refused: `$(circle-slash) ${t('ignored: you refused it')}`,
  disabled: `$(circle-slash) ${t('disabled')}`,
});

function rowOf(
  { item, state }: ListedCustomization,
  disabled: readonly string[],
  shorten: (path: string) => string,
): CustomizationRow {
  const { kind, name, detail, path, origin } = item;
  const extension = extensionOf(origin);
  const owner = extension?.name;
  const whose = owner !== undefined && kind !== 'extension' ? ` · ${t('of {0}', owner)}` : '';
  const how = extension?.isOff ? ` · ${t('“/extensions enable {0}” enables it', owner ?? '')}` : '';
  const toggle = toggleOf({ item, state }, disabled);
  return {
    kind: 'thing',
    label: oneLine(escapeInvisibleText(name), 80),
    description: oneLine(escapeInvisibleText(`${states()[state]}${whose}${how}`), 160),
    detail: oneLine([escapeInvisibleText(detail), shorten(path)].filter(Boolean).join(' · '), 300),
    path,
    toggle,
  };
}

/** For an item that was disabled with its extension, enables the extension. */
function toggleOf(
  { item, state }: ListedCustomization,
  disabled: readonly string[],
): CustomizationToggle | undefined {
  const { name, origin } = item;
  if (state !== 'disabled') return { to: 'off', names: [name], tooltip: t('Disable here') };
  const owner = extensionOf(origin)?.name ?? name;
  const names = [...new Set([name, owner])].filter(each => disabled.includes(each));
  if (names.length === 0) return undefined;
  const isOwners = owner !== name && names.includes(owner);
  return {
    to: 'on',
    names,
    tooltip: isOwners ? t('Enable the extension {0} here', owner) : t('Enable here'),
  };
}
