import { expect, test } from 'vitest';
import type { AgentHost } from '../../src/extension/compose/agentHost.ts';
import { makeModelServices } from '../../src/extension/compose/hostModels.ts';
import { ModelError } from '../../src/extension/core/model.ts';

test('a model that is out with its provider is not out in the rehearsal', () => {
  const access = { isRehearsal: false };
  const host = { access, settings: { get: () => '' }, user: {}, clock: { now: () => 0 } };
  const { availability } = makeModelServices(host as unknown as AgentHost);
  const used = new ModelError('quota', () => 'No quota.', { retryable: false });
  availability.markOut('gemini-2.5-flash', 'terminal', used);
  access.isRehearsal = true;
  expect(availability.isAvailable('gemini-2.5-flash')).toBe(true);
  access.isRehearsal = false;
  expect(availability.isAvailable('gemini-2.5-flash')).toBe(false);
});
