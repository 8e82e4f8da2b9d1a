import { expect, test } from 'vitest';
import type { CustomizationKind, PendingCustomization } from '../../src/protocol/panel/customizations.ts';
import { describeGroups, groupPendingCustomizations } from '../../src/webview/consent/unseenGroups.ts';

function item(kind: CustomizationKind, name: string): PendingCustomization {
  return { id: name, kind, name, detail: '', file: `.gemini/${name}` };
}

const hook = item('hook', 'BeforeTool');

test('what starts programs stands first, hooks among it', () => {
  const groups = groupPendingCustomizations([
    item('skill', 's'),
    item('server', 'a'),
    hook,
    item('server', 'b'),
  ]);
  expect(groups.map(({ count, isProgram }) => [count, isProgram])).toEqual([
    ['1 hook', true],
    ['2 servers', true],
    ['1 skill', false],
  ]);
  expect(groups[0]!.items).toEqual([hook]);
  expect(describeGroups(groups)).toBe('1 hook, 2 servers and 1 skill');
});

test('a workspace that brings nothing has no groups', () => {
  expect(groupPendingCustomizations([])).toEqual([]);
  expect(describeGroups(groupPendingCustomizations([hook]))).toBe('1 hook');
});
