import { expect, test } from 'vitest';
import type { LoadedCustomizations } from '../../src/extension/core/customizations/loadedCustomizations.ts';
import {
  PromptCommands,
  windowCommandTable,
} from '../../src/extension/vscode/features/slashCommands/promptCommands.ts';
import type { Attachment } from '../../src/protocol/intentions.ts';
import type { Environment, ToWebview } from '../../src/protocol/panel/messages.ts';

const attachments: readonly Attachment[] = [{ kind: 'file', path: 'src/a.ts' }];

function windowWith(connection: Environment['connection']) {
  const delivered: ToWebview[] = [];
  const nothing = { entries: new Map() };
  const additions = {
    refresh: async () => {},
    get: async () =>
      ({ all: { list: [] }, commands: nothing, skills: nothing }) as unknown as LoadedCustomizations,
  };
  const panel = { feed: { deliver: (message: ToWebview) => void delivered.push(message) } };
  const table = windowCommandTable(additions, { isTrusted: true });
  const commands = new PromptCommands(panel, { kind: connection, models: [] }, table, () =>
    Promise.reject(new Error('No command is carried out here.')),
  );
  const take = (text: string, driver?: string) => commands.carryOut(text, attachments, driver);
  return { delivered, take };
}

test.each([
  'Hello',
  '/usr/bin is not in the path',
  '/init',
  '/init mind the API',
  '/plan a tax',
  '/compress',
])('without a model this comes back with the reason: %s', async text => {
  const { delivered, take } = windowWith('none');
  expect(await take(text)).toBe(true);
  const hint = expect.stringContaining('Connect a model before you send a prompt.');
  expect(delivered).toEqual([{ type: 'composer.filled', text, attachments, hint }]);
});

test('without a model a prompt goes to the agent of another maker that drives the session', async () => {
  const { delivered, take } = windowWith('none');
  expect(await take('Hello', 'Scripted')).toBe(false);
  expect(await take('/usr/bin is not in the path', 'Scripted')).toBe(false);
  expect(delivered).toEqual([]);
});

test('without a model a command that there is not is refused as such', async () => {
  const { delivered, take } = windowWith('none');
  expect(await take('/permission')).toBe(true);
  expect(delivered).toMatchObject([{ hint: expect.stringContaining('Did you mean /permissions?') }]);
});

test.each(['key', 'rehearsal'] as const)('with a %s a prompt is left to be sent', async connection => {
  const { delivered, take } = windowWith(connection);
  expect(await take('Hello')).toBe(false);
  expect(await take('/usr/bin is not in the path')).toBe(false);
  expect(delivered).toEqual([]);
});
