import { describe, expect, it } from 'vitest';
import { reduce } from '../../../src/protocol/fold/reduce.ts';
import { iterate } from '../../../src/protocol/pagedList.ts';
import { emptySession } from '../../../src/protocol/state.ts';
import { callFaults, historyFaults } from '../../support/checkHistory.ts';
import { makeWorld, type World, type WorldOptions } from '../../support/conversation.ts';
import type { ScriptedAnswer } from '../../support/scriptedModel.ts';

const answers: readonly ScriptedAnswer[] = [
  {
    parts: [
      { kind: 'text', text: 'First ' },
      { kind: 'call', id: 'a', name: 'create_new_topic', args: { title: 'Reading' } },
      { kind: 'call', id: 'b', name: 'read_file', args: { file_path: 'a.txt' } },
      { kind: 'call', id: 'c', name: 'read_file', args: { file_path: 'b.txt' } },
      { kind: 'call', id: 'd', name: 'write_file', args: { file_path: 'a.txt', content: 'new' } },
      { kind: 'call', id: 'e', name: 'run_shell_command', args: { command: 'npm test' } },
    ],
  },
  { parts: [{ kind: 'call', id: 'f', name: 'run_shell_command', args: { command: 'ls' } }] },
  { parts: [{ kind: 'text', text: 'Done.' }] },
];

function world(extra: Partial<WorldOptions> = {}): World {
  return makeWorld({ answers, files: { 'a.txt': 'alpha', 'b.txt': 'beta' }, ...extra });
}

/** Decides every ask with yes, so that the turn comes to its end. */
function agreeToAll({ session }: World): void {
  session.onEvent(event => {
    if (event.type === 'call.asked') setImmediate(() => session.decide(event.callId, { kind: 'once' }));
  });
}

async function eventsOfWholeTurn(): Promise<number> {
  const whole = world();
  agreeToAll(whole);
  await whole.session.send('go');
  return whole.events.length;
}

describe('stopping', () => {
  it('after any event leaves every call with one outcome and a history that a provider accepts', async () => {
    const count = await eventsOfWholeTurn();
    expect(count).toBeGreaterThan(30);
    for (let at = 2; at <= count; at++) {
      const cut = world();
      agreeToAll(cut);
      cut.session.onEvent(event => {
        if (event.seq === at) void cut.session.stop();
      });
      const end = await cut.session.send('go');
      expect(['stopped', 'rested'], `stopped at ${at}`).toContain(end.kind);
      expect(callFaults(cut.events), `stopped at ${at}`).toEqual([]);
      const next = world({ answers: [{ parts: [{ kind: 'text', text: 'ok' }] }] });
      next.store.journals.set('x', cut.store.journals.get(cut.session.id)!);
      const resumed = await next.agent.openSession('x');
      await resumed.send('and now?');
      expect(historyFaults(next.model.requests[0]!.messages), `stopped at ${at}`).toEqual([]);
    }
  });

  it('is over at once when the agent rests already', async () => {
    const { session } = world();
    await session.stop();
    expect(session.state.activity.status).toBe('resting');
  });
});

describe('the journal', () => {
  it('folds to the live state, event by event', async () => {
    const { session, events, store } = world({ mode: 'yolo' });
    await session.send('go');
    expect(events.reduce(reduce, emptySession)).toEqual(session.state);
    const recorded = store.journals.get(session.id)!.map(line => JSON.parse(line));
    expect(recorded).toEqual(events.filter(event => event.type !== 'call.output'));
  });

  it('cut anywhere, resumes with every call closed and a valid history', async () => {
    const whole = world({ mode: 'yolo' });
    await whole.session.send('go');
    const lines = whole.store.journals.get(whole.session.id)!;
    for (let kept = 1; kept <= lines.length; kept++) {
      const next = world({ answers: [{ parts: [{ kind: 'text', text: 'ok' }] }] });
      next.store.journals.set('cut', lines.slice(0, kept));
      const session = await next.agent.openSession('cut');
      expect(session.state.activity.status, `cut after ${kept}`).toBe('resting');
      for (const chapter of session.state.chapters) {
        for (const item of iterate(chapter.items)) {
          if (item.type === 'call') expect(item.status.kind, `cut after ${kept}`).toBe('ended');
        }
      }
      await session.send('continue');
      expect(historyFaults(next.model.requests[0]!.messages), `cut after ${kept}`).toEqual([]);
      const again = next.store.journals.get('cut')!.map(line => JSON.parse(line).seq as number);
      expect(again, `cut after ${kept}`).toEqual([...again].sort((a, b) => a - b));
      expect(new Set(again).size, `cut after ${kept}`).toBe(again.length);
    }
  });

  it('skips lines and events that it does not understand and keeps the rest', async () => {
    const whole = world({ mode: 'yolo' });
    await whole.session.send('go');
    const lines = whole.store.journals.get(whole.session.id)!;
    const next = world();
    const odd = ['not json', '{"seq":1e9}', '{"seq":3.5,"at":1,"type":"future.event"}'];
    next.store.journals.set('odd', [lines[0]!, ...odd, ...lines.slice(1)]);
    const session = await next.agent.openSession('odd');
    expect(session.state.chapters.map(chapter => chapter.title)).toEqual(['', 'Reading']);
  });

  it('on a full disk says so once and lets the session continue', async () => {
    const broken = world({ mode: 'yolo' });
    broken.store.failWrites = true;
    expect((await broken.session.send('go')).kind).toBe('rested');
    const notices = broken.events.filter(event => event.type === 'notice.shown');
    expect(notices).toHaveLength(1);
    expect(notices[0]!.text).toContain('the disk is full');
  });
});

describe('a session', () => {
  it('that said nothing leaves no journal', async () => {
    const { session, store } = world();
    await session.dispose();
    expect(store.journals.size).toBe(0);
  });

  it('lists with the title of its first prompt and its chapters', async () => {
    const { session, agent } = world({ mode: 'yolo' });
    await session.send('Fix the total\nplease');
    expect((await agent.catalog.list()).sessions).toMatchObject([
      { title: 'Fix the total', chapters: ['Reading'] },
    ]);
  });

  it('never comes back with permission for everything', async () => {
    const { session, store } = world({ mode: 'yolo' });
    await session.send('go');
    const next = world();
    next.store.journals.set('yolo', store.journals.get(session.id)!);
    expect((await next.agent.openSession('yolo')).state.mode).toBe('default');
  });

  it('takes no second prompt while it works', async () => {
    const { session } = world({ answers: [{ hang: true }] });
    const first = session.send('go');
    expect(() => session.send('and')).toThrow('A turn is running');
    await session.stop();
    expect(await first).toEqual({ kind: 'stopped' });
  });

  it('cuts a long result in the middle and tells the model where the whole is', async () => {
    const files = { 'a.txt': 'x'.repeat(500), 'b.txt': '' };
    const { session, model, store } = world({ mode: 'yolo', files, outputLimit: 100 });
    await session.send('go');
    const result = model.requests[1]!.messages.at(-1)!.parts.find(
      part => part.kind === 'result' && part.id === 'b',
    );
    expect(result).toMatchObject({ text: expect.stringContaining('/outputs/') });
    expect([...store.outputs.values()]).toEqual(['x'.repeat(500)]);
  });

  it('asks again at once when the user does not want to wait for the retry', async () => {
    const { ModelError } = await import('../../../src/extension/core/model.ts');
    const error = new ModelError('overloaded', () => 'The model is busy.', { retryable: true });
    const slow = world({ answers: [{ error }, { parts: [{ kind: 'text', text: 'ok' }] }] });
    // Time stands still here: only "retry now" can end the pause.
    slow.clock.sleep = (_ms, signal) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    slow.session.onEvent(event => {
      if (event.type === 'step.retried') setImmediate(() => slow.session.retryNow());
    });
    expect(await slow.session.send('go')).toEqual({ kind: 'rested' });
    expect(slow.model.requests).toHaveLength(2);
  });
});
