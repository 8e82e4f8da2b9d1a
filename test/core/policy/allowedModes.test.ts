import { expect, test } from 'vitest';
import { initialMode, nearestMode } from '../../../src/extension/core/policy/initialMode.ts';
import { readRestrictions } from '../../../src/extension/node/settings/allowLists.ts';
import { defaultSettings } from '../../../src/extension/platform/settings.ts';
import { CastModel, say } from '../../support/castModel.ts';
import { makeWorld, type WorldOptions } from '../../support/conversation.ts';

test.each([
  ['yolo', undefined, 'yolo'],
  ['yolo', ['autoEdit', 'yolo'], 'yolo'],
  ['yolo', ['default', 'autoEdit'], 'autoEdit'],
  ['autoEdit', ['default', 'yolo'], 'default'],
  ['default', ['yolo'], 'plan'],
  ['plan', [], 'plan'],
] as const)('%s where %j are allowed is %s', (mode, allowed, nearest) => {
  expect(nearestMode(mode, allowed)).toBe(nearest);
});

test('a session begins in the next stricter mode that is allowed', () => {
  const values = { ...defaultSettings, approvalMode: 'yolo' as const };
  const { restrictions } = readRestrictions({ folio: { allowedModes: ['default'] } }, '/settings.json');
  expect(initialMode({ get: name => values[name], restrictions }, false)).toBe('default');
});

test('nobody brings a session into a mode that the organisation does not allow', () => {
  const { session } = makeWorld({ answers: [], allowedModes: ['default'] });
  expect(() => session.setMode('yolo')).toThrow(
    'Your organization does not allow the mode Allow all. It allows Ask first, Plan.',
  );
  session.setMode('plan');
  expect(session.state.mode).toBe('plan');
});

test('a session that is opened again has a mode that is allowed by now', async () => {
  const options: { -readonly [Key in keyof WorldOptions]: WorldOptions[Key] } = {
    answers: [],
    provider: new CastModel({ one: [say('Done.')] }),
    mode: 'autoEdit',
  };
  const { session, agent } = makeWorld(options);
  await session.send('one');
  await session.dispose();
  options.allowedModes = ['default'];
  const again = await agent.openSession(session.id);
  expect(again.state.mode).toBe('default');
});
