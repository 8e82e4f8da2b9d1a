import { expect, test } from 'vitest';
import { DisposableStore } from '../../src/extension/base/disposable.ts';
import { FeatureRegistrar } from '../../src/extension/compose/featureRegistrar.ts';

test('a feature that throws is logged with its cause, and the others are registered and disposed', () => {
  const store = new DisposableStore();
  const logged: unknown[] = [];
  const disposed: string[] = [];
  const features = new FeatureRegistrar(store, { error: (message, cause) => logged.push([message, cause]) });
  const register = (name: string) => () => ({ dispose: () => void disposed.push(name) });
  const cause = new TypeError('chat.createChatParticipant is not a function');

  features.add('first', register('first'));
  features.add('chat participant', () => {
    throw cause;
  });
  features.add('last', register('last'));

  expect(features.refused).toEqual(['chat participant']);
  expect(logged).toEqual([['The feature "chat participant" could not be registered', cause]]);
  store.dispose();
  expect(disposed).toEqual(['last', 'first']);
});
