import { expect, test } from 'vitest';
import type { CustomizationKind, UnseenItem } from '../../src/protocol/customizations.ts';
import { describeGroups, groupUnseen } from '../../src/webview/consent/unseenGroups.ts';

function item(kind: CustomizationKind, name: string): UnseenItem {
  return { id: name, kind, name, detail: '', file: `.gemini/${name}` };
}

const hook = {
  id: 'hook-1',
  event: 'BeforeTool',
  command: 'check.sh',
  file: '/w/.gemini/settings.json',
} as const;

test('what starts programs stands first, hooks among it', () => {
  const groups = groupUnseen({
    unseenHooks: [hook],
    unseen: [item('skill', 's'), item('server', 'a'), item('server', 'b')],
  });
  expect(groups.map(({ count, isProgram }) => [count, isProgram])).toEqual([
    ['1 hook', true],
    ['2 servers', true],
    ['1 skill', false],
  ]);
  expect(groups[0]!.items).toEqual([
    { id: 'hook-1', kind: 'hook', name: 'BeforeTool', detail: 'check.sh', file: hook.file },
  ]);
  expect(describeGroups(groups)).toBe('1 hook, 2 servers and 1 skill');
});

test('a workspace that brings nothing has no groups', () => {
  expect(groupUnseen({ unseenHooks: [] })).toEqual([]);
  expect(describeGroups(groupUnseen({ unseenHooks: [hook] }))).toBe('1 hook');
});
