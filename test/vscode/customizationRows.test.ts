import { expect, test } from 'vitest';
import type { ListedCustomization } from '../../src/extension/core/customizations/customizations.ts';
import { customizationRows } from '../../src/extension/vscode/features/customizations/customizationRows.ts';

type Item = ListedCustomization['item'];

function listed(
  kind: Item['kind'],
  name: string,
  state: ListedCustomization['state'] = 'enabled',
  origin: Item['origin'] = { kind: 'person' },
): ListedCustomization {
  const path = `/home/${name}`;
  return { state, item: { kind, name, origin, path, detail: 'does it', format: 'settings', text: '' } };
}

const rows = (list: readonly ListedCustomization[], disabled: readonly string[] = []) =>
  customizationRows(list, disabled, path => path.replace('/home/', '~/'));
const tides: Item['origin'] = { kind: 'extension', name: 'tides', folder: '/x' };

test('things stand below a heading of their kind, and a kind without any has none', () => {
  const list = [
    listed('skill', 'notes'),
    listed('server', 'box'),
    listed('extension', 'tides', 'enabled', tides),
  ];
  expect(rows(list).map(({ label }) => label)).toEqual([
    'Extensions',
    'tides',
    'Servers',
    'box',
    'Skills',
    'notes',
  ]);
  expect(rows([listed('agent', 'a')])[1]).toMatchObject({
    description: '$(check) active',
    detail: 'does it · ~/a',
    path: '/home/a',
    toggle: { to: 'off', names: ['a'], tooltip: 'Disable here' },
  });
});

test('what an extension takes along is switched on with it, and what is off automatically alone', () => {
  const list = [
    listed('command', 'audit', 'disabled', tides),
    listed('command', 'fix', 'disabled'),
    listed('command', 'elsewhere', 'disabled'),
  ];
  const toggles = rows(list, ['tides', 'fix']).flatMap(row => (row.kind === 'thing' ? [row.toggle] : []));
  expect(toggles).toEqual([
    { to: 'on', names: ['tides'], tooltip: 'Enable the extension tides here' },
    { to: 'on', names: ['fix'], tooltip: 'Enable here' },
    undefined,
  ]);
  expect(rows(list, ['tides', 'fix'])[1]).toMatchObject({
    description: '$(circle-slash) disabled · of tides',
  });
});

test('what a command switched off has no button, and says which command brings it back', () => {
  const [, row] = rows([listed('command', 'audit', 'disabled', { ...tides, isOff: true })], []);
  expect(row).toMatchObject({
    description: '$(circle-slash) disabled · of tides · “/extensions enable tides” enables it',
  });
  expect(row).toMatchObject({ toggle: undefined });
});
