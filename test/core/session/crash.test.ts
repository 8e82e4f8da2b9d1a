import { describe, expect, it } from 'vitest';
import type { Session } from '../../../src/extension/core/session/session.ts';
import type { Message, SessionEvent } from '../../../src/protocol/events.ts';
import type { Attachment } from '../../../src/protocol/intentions.ts';
import { iterate } from '../../../src/protocol/pagedList.ts';
import { historyFaults } from '../../support/checkHistory.ts';
import { makeWorld, type World, type WorldOptions } from '../../support/conversation.ts';
import { eachTest } from '../../support/eachTest.ts';
import { GatedModel } from '../../support/gatedModel.ts';
import { makeHookFolder } from '../../support/hookWorld.ts';

const selection: Attachment = {
  kind: 'selection',
  path: 'a.txt',
  startLine: 1,
  endLine: 1,
  text: 'the selected line',
};
const ok: WorldOptions['answers'] = [{ parts: [{ kind: 'text', text: 'ok' }] }];

function linesOf({ session, store }: World): readonly string[] {
  return store.journals.get(session.id)!;
}

async function openCut(lines: readonly string[]): Promise<World & { readonly again: Session }> {
  const next = makeWorld({ answers: ok, mode: 'yolo' });
  next.store.journals.set('cut', [...lines]);
  return { ...next, again: await next.agent.openSession('cut') };
}

/** What the model reads when the user continues, whatever was lost. */
async function readOf({ again, model }: World & { readonly again: Session }): Promise<readonly Message[]> {
  await again.send('continue');
  return model.requests[0]!.messages;
}

function countIn(messages: readonly Message[], words: string): number {
  return JSON.stringify(messages).split(words).length - 1;
}

function indexOf(lines: readonly string[], type: SessionEvent['type']): number {
  return lines.findIndex(line => JSON.parse(line).type === type);
}

describe('a crash', () => {
  it('before a prompt reached the history loses neither what was attached nor the words meant for the model', async () => {
    const world = makeWorld({ answers: ok });
    await world.session.send('/init', [selection], 'Write the memory file.');
    const lines = linesOf(world);
    for (let kept = indexOf(lines, 'turn.started') + 1; kept <= lines.length; kept++) {
      const messages = await readOf(await openCut(lines.slice(0, kept)));
      expect(countIn(messages, 'Write the memory file.'), `cut after ${kept}`).toBe(1);
      expect(countIn(messages, 'the selected line'), `cut after ${kept}`).toBe(1);
      expect(historyFaults(messages), `cut after ${kept}`).toEqual([]);
    }
  });

  it('after words were taken for the running turn loses nothing of them', async () => {
    const gate = new GatedModel();
    const world = makeWorld({ answers: [], provider: gate, mode: 'yolo', files: { 'a.txt': 'alpha' } });
    const first = world.session.send('first');
    await gate.untilAsked();
    await world.session.submitPrompt('/look', [selection], 'steer', 'Look there.');
    gate.call('read_file', { file_path: 'a.txt' });
    await gate.untilAsked();
    gate.answer('Done.');
    await first;
    const lines = linesOf(world);
    for (let kept = indexOf(lines, 'prompt.unqueued') + 1; kept <= lines.length; kept++) {
      const messages = await readOf(await openCut(lines.slice(0, kept)));
      expect(countIn(messages, 'Look there.'), `cut after ${kept}`).toBe(1);
      expect(countIn(messages, 'the selected line'), `cut after ${kept}`).toBe(1);
      expect(historyFaults(messages), `cut after ${kept}`).toEqual([]);
    }
  });
});

describe('a journal of an earlier version', () => {
  it('whose rewinds tell nothing of to-dos and reviews, and whose turns ended in other ways, continues', async () => {
    const world = makeWorld({ answers: [...ok, ...ok] });
    await world.session.send('one');
    await world.session.send('two');
    const start = world.events.findLast(event => event.type === 'turn.started')!;
    await world.session.rewind({ kind: 'turn', turnId: start.turnId }, 'conversation');
    const lines = linesOf(world).map(line => {
      const { todos: _todos, reviews: _reviews, plan: _plan, ...event } = JSON.parse(line);
      const isEnd = event.type === 'turn.ended';
      return JSON.stringify(isEnd ? { ...event, end: { kind: 'stepLimit', steps: 3 } } : event);
    });
    const cut = await openCut(lines);
    expect(cut.again.state).toMatchObject({ todos: [], queue: [], pins: [], compressions: [] });
    expect(historyFaults(await readOf(cut))).toEqual([]);
    expect(cut.model.requests).toHaveLength(1);
  });
});

describe.skipIf(process.platform === 'win32')('a crash while hooks run', () => {
  const folder = eachTest(() => makeHookFolder());

  it('leaves none of them running in what is read back, and a valid history', async () => {
    const hook = [{ hooks: [{ type: 'command', command: 'echo "{}"' }] }];
    const events = [
      'SessionStart',
      'BeforeAgent',
      'BeforeModel',
      'AfterModel',
      'BeforeTool',
      'AfterTool',
      'AfterAgent',
      'SessionEnd',
    ];
    await folder.ofUser({ hooks: Object.fromEntries(events.map(event => [event, hook])) });
    const world = makeWorld({
      hooks: folder.hooks,
      folder: folder.workspace,
      mode: 'yolo',
      files: { 'a.txt': 'alpha' },
      answers: [
        { parts: [{ kind: 'call', id: 'c', name: 'read_file', args: { file_path: 'a.txt' } }] },
        { parts: [{ kind: 'text', text: 'Done.' }] },
      ],
    });
    await world.session.send('go');
    await world.session.dispose();
    const lines = linesOf(world);
    expect(lines.filter(line => line.includes('"hook.started"')).length).toBeGreaterThan(events.length);
    for (let kept = 1; kept <= lines.length; kept++) {
      const cut = await openCut(lines.slice(0, kept));
      const items = cut.again.state.chapters.flatMap(({ items }) => [...iterate(items)]);
      const running = items.filter(item => item.type === 'hook' && item.status.kind === 'running');
      expect(running, `cut after ${kept}`).toEqual([]);
      expect(historyFaults(await readOf(cut)), `cut after ${kept}`).toEqual([]);
    }
  });
});
