import { beforeEach, describe, expect, it } from 'vitest';
import { DaySpending } from '../../../src/extension/core/recording/daySpending.ts';
import { MemorySessionStore } from '../../support/memorySessionStore.ts';

describe('the spending of a day', () => {
  const midnight = new Date(1970, 0, 1).getTime();
  let store: MemorySessionStore;
  let now: number;
  let spending: DaySpending;

  beforeEach(() => {
    store = new MemorySessionStore();
    now = midnight + 5000;
    spending = new DaySpending(store, { now: () => now }, { warn: () => {} });
  });

  const step = (cost: number, at = now) =>
    JSON.stringify({ type: 'step.ended', stepId: 's', cost, finish: 'STOP', citations: [], seq: 1, at });
  const used = async () => {
    await spending.read();
    return spending.used;
  };

  it('is that of all sessions since midnight, also what came since it was read last', async () => {
    store.journals.set('a', [step(8, midnight - 1), step(1)]);
    store.journals.set('b', [step(2)]);
    expect(await used()).toBe(3);
    store.journals.get('a')!.push(step(4), '{"type":"step.ended"', 'torn');
    expect(await used()).toBe(7);
    expect(await used()).toBe(7);
  });

  it('counts subagents while their session waits for them', async () => {
    const args = { agent_name: 'helper' };
    const sent = { type: 'call.requested', callId: 'c', stepId: 's', tool: 'invoke_agent', title: '', args };
    store.journals.set('a', [JSON.stringify({ ...sent, effect: 'agent', seq: 1, at: now })]);
    store.agentJournals.set('a', new Map([['c', [step(1)]]]));
    expect(await used()).toBe(1);
    store.agentJournals.get('a')!.get('c')!.push(step(2));
    expect(await used()).toBe(3);
  });

  it('begins again the next day', async () => {
    store.journals.set('a', [step(1)]);
    expect(await used()).toBe(1);
    now += 24 * 60 * 60 * 1000;
    expect(await used()).toBe(0);
  });

  it('counts a journal that is another one once', async () => {
    store.journals.set('a', [step(1), step(1)]);
    expect(await used()).toBe(2);
    store.journals.set('a', [step(0.25)]);
    expect(await used()).toBe(0.25);
  });
});
