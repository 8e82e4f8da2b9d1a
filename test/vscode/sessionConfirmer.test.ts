import { expect, test } from 'vitest';
import { SessionConfirmer } from '../../src/extension/vscode/features/sessionConfirmer.ts';

/** Dialogs stay open until they are answered. */
function makeDialogs() {
  const dialogs: ((yes: boolean) => void)[] = [];
  const shown = { id: 's1' };
  const ask = () => new Promise<boolean>(resolve => dialogs.push(resolve));
  return { dialogs, shown, confirmations: new SessionConfirmer(ask, () => shown.id) };
}

test('asked twice before the answer, one dialog answers both', async () => {
  const { dialogs, confirmations } = makeDialogs();
  const both = Promise.all([confirmations.confirm('s1'), confirmations.confirm('s1')]);
  expect(dialogs).toHaveLength(1);
  dialogs[0]!(true);
  expect(await both).toEqual([true, true]);
  expect(await confirmations.confirm('s1')).toBe(true);
  expect(dialogs).toHaveLength(1);
});

test('a no is asked about again, and another session has a dialog of its own', async () => {
  const { dialogs, shown, confirmations } = makeDialogs();
  const first = confirmations.confirm('s1');
  dialogs[0]!(false);
  expect(await first).toBe(false);
  const second = confirmations.confirm('s1');
  shown.id = 's2';
  const other = confirmations.confirm('s2');
  expect(dialogs).toHaveLength(3);
  dialogs[1]!(true);
  expect(await second).toBe(false);
  dialogs[2]!(true);
  expect(await other).toBe(true);
});
