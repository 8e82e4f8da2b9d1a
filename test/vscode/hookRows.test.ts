import { describe, expect, test } from 'vitest';
import type { Hook } from '../../src/extension/core/hooks/hook.ts';
import type { ListedHook } from '../../src/extension/core/hooks/hooks.ts';
import { hookChoices, hookRow } from '../../src/extension/vscode/features/customizations/hookRows.ts';

const hook: Hook = {
  event: 'BeforeTool',
  eventName: 'BeforeTool',
  dialect: 'gemini',
  sequential: false,
  matcher: 'write_.*',
  command: 'sh check.sh',
  name: 'check',
  timeoutMs: 1000,
  env: {},
  origin: 'workspace',
  file: '/code/.gemini/settings.json',
};

const listed = (state: ListedHook['state'], id = 'hook-1'): ListedHook => ({ hook, id, state });
const mine: ListedHook = {
  hook: { ...hook, origin: 'person', file: '/home/settings.json' },
  state: 'enabled',
};
const shorten = (path: string) => path.replace('/code/', '');
const choicesOf = (each: ListedHook) =>
  hookRow(each, shorten).choices.map(({ label, action }) => [label, action.kind]);
const open = ['$(go-to-file) Open its file', 'open'];

describe('a hook in the list', () => {
  test('says when it runs, whether it does, what it runs and who names it', () => {
    expect(hookRow(listed('refused'), shorten)).toMatchObject({
      label: 'check',
      description: 'BeforeTool · write_.* · $(circle-slash) does not run: you refused it',
      detail: 'sh check.sh · .gemini/settings.json',
    });
  });

  test('that was refused can be decided on again, where it is shown whole', () => {
    expect(choicesOf(listed('refused'))).toEqual([['$(question) Decide again in the panel', 'reopen'], open]);
  });

  test('that was let run can be kept from it', () => {
    expect(choicesOf(listed('enabled'))).toEqual([['$(circle-slash) Refuse it', 'withdraw'], open]);
  });

  test('that waits is let run in the panel alone, since a row does not show all of it', () => {
    expect(choicesOf(listed('waiting'))).toEqual([
      ['$(question) Look at it in the panel', 'look'],
      ['$(circle-slash) Refuse it', 'keepOut'],
      open,
    ]);
  });

  test('of the user, or one that a setting switched off, only opens its file', () => {
    expect(choicesOf(mine)).toEqual([open]);
    expect(choicesOf({ hook, state: 'disabled' })).toEqual([open]);
  });
});

describe('what is decided on several hooks', () => {
  test('is about those that are listed, and about no others', () => {
    const list = [listed('waiting', 'a'), listed('refused', 'b'), listed('enabled', 'c'), mine];
    expect(
      hookChoices([...list, listed('waiting', 'd')]).map(({ label, action }) => [label, action]),
    ).toEqual([
      ['$(question) Review 2 hooks from this workspace in the panel', { kind: 'look' }],
      ['$(circle-slash) Refuse 2 hooks from this workspace', { kind: 'keepOut', ids: ['a', 'd'] }],
      ['$(question) Decide again on 1 hook that you refused', { kind: 'reopen', ids: ['b'] }],
    ]);
  });

  test('is not offered where there is nothing to decide', () => {
    expect(hookChoices([listed('enabled'), mine])).toEqual([]);
  });
});
