import { describe, expect, it, onTestFinished } from 'vitest';
import { History } from '../../../src/extension/core/history/history.ts';
import { restoreSession } from '../../../src/extension/core/recording/restore.ts';
import type { Session } from '../../../src/extension/core/session/session.ts';
import type { Message, SessionEvent, TurnEnd } from '../../../src/protocol/events.ts';
import { iterate } from '../../../src/protocol/pagedList.ts';
import { historyFaults } from '../../support/checkHistory.ts';
import { makeWorld, type World, type WorldOptions } from '../../support/conversation.ts';
import { GatedModel } from '../../support/gatedModel.ts';
import { fc } from '../../support/properties.ts';
import { runSize } from '../../support/runSize.ts';

interface Stage extends World {
  readonly gate: GatedModel;
}

function stage(options: Partial<WorldOptions> = {}): Stage {
  const gate = new GatedModel();
  const files = { 'a.txt': 'alpha' };
  const world = makeWorld({ mode: 'yolo', files, ...options, answers: [], provider: gate });
  onTestFinished(() => world.session.dispose());
  return { ...world, gate };
}

/** The agent works on this prompt and waits for the model. */
async function working(options: Partial<WorldOptions> = {}): Promise<Stage & { first: Promise<TurnEnd> }> {
  const world = stage(options);
  const first = world.session.send('first');
  await world.gate.untilAsked();
  return { ...world, first };
}

function queueOf({ state }: Session): readonly string[] {
  return state.queue.map(({ text, when }) => `${text} ${when}`);
}

function lastUser(gate: GatedModel): string {
  return JSON.stringify(gate.requests.at(-1)!.messages.at(-1));
}

async function answerNext({ gate }: Stage, text = 'Done.'): Promise<void> {
  await gate.untilAsked();
  gate.answer(text);
}

function prompts({ state }: Session): readonly string[] {
  const items = state.chapters.flatMap(chapter => [...iterate(chapter.items)]);
  return items.flatMap(item => (item.type === 'prompt' ? [item.text] : []));
}

function starts(events: readonly SessionEvent[]): readonly string[] {
  return events.flatMap(event => (event.type === 'turn.started' ? [event.text] : []));
}

describe('a prompt that comes while the agent works', () => {
  it('is sent at once when the agent rests after all', async () => {
    const world = stage();
    const end = world.session.submitPrompt('now', [], 'steer');
    await answerNext(world);
    expect(await end).toEqual({ kind: 'rested' });
    expect(world.events.some(({ type }) => type === 'prompt.queued')).toBe(false);
  });

  it('waits and is sent when the turn rests, in the order of the queue', async () => {
    const world = await working();
    expect(await world.session.submitPrompt('second', [], 'next')).toBeUndefined();
    await world.session.submitPrompt('third', [], 'next');
    expect(queueOf(world.session)).toEqual(['second next', 'third next']);
    world.gate.answer('One.');
    expect(await world.first).toEqual({ kind: 'rested' });
    expect(world.session.busy).toBe(true);
    await answerNext(world, 'Two.');
    await answerNext(world, 'Three.');
    await world.session.stop();
    expect(starts(world.events)).toEqual(['first', 'second', 'third']);
    expect(queueOf(world.session)).toEqual([]);
  });

  it.each(['next', 'steer'] as const)('brings what was selected when it was written (%s)', async when => {
    let selection: string | undefined = 'const mine = 1;';
    const world = await working({
      editor: {
        readContext: () => ({
          active: { path: '/w/a.ts', cursor: { line: 1, character: 1 }, selection },
          open: [],
        }),
      },
    });
    selection = undefined;
    await world.session.submitPrompt('without lines', [], when);
    selection = 'const mine = 2;';
    await world.session.submitPrompt('with these', [], when);
    selection = 'const secret = 3;';
    world.gate.answer('One.');
    await answerNext(world, 'Two.');
    await answerNext(world, 'Three.');
    await world.session.stop();
    const sent = JSON.stringify(world.gate.requests.at(-1)!.messages);
    const told = ['mine = 1', 'selection: none', 'without lines', 'mine = 2', 'with these', 'secret'];
    expect(told.map(text => sent.indexOf(text)).map((at, index, all) => at > (all[index - 1] ?? -1))).toEqual(
      [...Array(5).fill(true), false],
    );
  });

  it('as steering is read at the next step, after the results and in one message with them', async () => {
    const world = await working();
    await world.session.submitPrompt('look at b too', [], 'steer');
    world.gate.call('read_file', { file_path: 'a.txt' });
    await world.gate.untilAsked();
    const { messages } = world.gate.requests.at(-1)!;
    expect(historyFaults(messages)).toEqual([]);
    expect(messages).toHaveLength(3);
    expect(messages.at(-1)!.parts.map(part => (part.kind === 'text' ? part.text : part.kind))).toEqual([
      'result',
      expect.stringContaining('while you were working'),
      'look at b too',
    ]);
    expect(queueOf(world.session)).toEqual([]);
    expect(prompts(world.session)).toEqual(['first', 'look at b too']);
    expect(starts(world.events)).toEqual(['first']);
  });

  it('as steering begins a turn of its own when the turn rests first', async () => {
    const world = await working();
    await world.session.submitPrompt('too late', [], 'steer');
    world.gate.answer('Done.');
    await world.first;
    await world.gate.untilAsked();
    expect(starts(world.events)).toEqual(['first', 'too late']);
    expect(lastUser(world.gate)).not.toContain('while you were working');
  });

  it('brings along what it names and what is attached', async () => {
    const world = await working({
      readMentions: async text =>
        text.includes('@b')
          ? {
              parts: [{ kind: 'text', text: 'content of b' }],
              mentions: [{ text: '@b', kind: 'file', outcome: 'read', detail: '1 line' }] as never,
            }
          : { parts: [], mentions: [] },
    });
    await world.session.submitPrompt('see @b', [{ kind: 'file', path: 'c.txt' }], 'steer');
    world.gate.call('read_file', { file_path: 'a.txt' });
    await world.gate.untilAsked();
    expect(lastUser(world.gate)).toContain('content of b');
    expect(lastUser(world.gate)).toContain('c.txt');
    const items = world.session.state.chapters.flatMap(chapter => [...iterate(chapter.items)]);
    expect(items.find(item => item.type === 'prompt' && item.steered)).toMatchObject({
      text: 'see @b',
      mentions: [{ text: '@b' }],
    });
  });

  it('can be changed and removed until it leaves, and not after', async () => {
    const world = await working();
    const { session } = world;
    await session.submitPrompt('one', [], 'next');
    await session.submitPrompt('two', [], 'next');
    const [one, two] = session.state.queue;
    expect(session.queue.change({ ...one!, text: 'one, better', when: 'steer' })).toBe(true);
    expect(session.queue.remove(two!.id)).toBe(true);
    expect(session.queue.remove(two!.id)).toBe(false);
    expect(queueOf(session)).toEqual(['one, better steer']);
    world.gate.call('read_file', { file_path: 'a.txt' });
    await world.gate.untilAsked();
    expect(session.queue.change({ ...one!, text: 'never' })).toBe(false);
    expect(lastUser(world.gate)).toContain('one, better');
  });

  it('ends the turn and goes first when it is to', async () => {
    const world = await working();
    await world.session.submitPrompt('later', [], 'next');
    const urgent = world.session.submitPrompt('urgent', [], 'stopAndSend');
    expect(await world.first).toEqual({ kind: 'stopped' });
    await answerNext(world);
    expect(await urgent).toEqual({ kind: 'rested' });
    await answerNext(world);
    expect(starts(world.events)).toEqual(['first', 'urgent', 'later']);
  });

  it('ends a command that runs', async () => {
    const world = await working();
    world.gate.call('run_shell_command', { command: 'hang' });
    await new Promise<void>(resolve =>
      world.session.onEvent(({ type }) => type === 'call.output' && resolve()),
    );
    const urgent = world.session.submitPrompt('urgent', [], 'stopAndSend');
    await answerNext(world);
    expect(await urgent).toEqual({ kind: 'rested' });
    expect(JSON.stringify(world.gate.requests.at(-1)!.messages)).toContain('The user sent another prompt');
  });

  it.each(['stopped', 'failed', 'budget'] as const)('waits on after a turn that ended as %s', async kind => {
    const world = await working({ maxSteps: kind === 'budget' ? 1 : 100 });
    await world.session.submitPrompt('second', [], 'steer');
    if (kind === 'stopped') void world.session.stop();
    else if (kind === 'budget') world.gate.call('read_file', { file_path: 'a.txt' });
    else world.gate.call('read_file', {});
    if (kind === 'failed') {
      await world.gate.untilAsked();
      // The steering was read by now; what fails is a turn with something else behind it.
      await world.session.submitPrompt('second', [], 'next');
      Object.assign(world.gate, { stream: failing });
      world.gate.call('read_file', { file_path: 'a.txt' });
    }
    expect((await world.first).kind).toBe(kind);
    expect(world.session.busy).toBe(false);
    expect(queueOf(world.session)).toEqual(['second next']);
  });

  it('that waits after a stop goes when it is sent by hand, and when the user continues', async () => {
    const world = await working();
    await world.session.submitPrompt('second', [], 'next');
    await world.session.submitPrompt('third', [], 'next');
    await world.session.stop();
    const byHand = world.session.sendQueuedNow(world.session.state.queue[1]!.id);
    await answerNext(world);
    expect(await byHand).toEqual({ kind: 'rested' });
    await answerNext(world);
    expect(starts(world.events)).toEqual(['first', 'third', 'second']);
  });

  it('can be neither changed nor removed once it is on its way', async () => {
    const world = await working();
    const { session } = world;
    await session.submitPrompt('second', [], 'next');
    await session.stop();
    const [second] = session.state.queue;
    const sent = session.sendQueuedNow(second!.id);
    expect(session.queue.change({ ...second!, text: 'other' })).toBe(false);
    expect(session.queue.remove(second!.id)).toBe(false);
    await answerNext(world);
    expect(await sent).toEqual({ kind: 'rested' });
    expect(starts(world.events)).toEqual(['first', 'second']);
  });

  it('does not end its own turn when it is sent a second time', async () => {
    const world = await working();
    const { session } = world;
    await session.submitPrompt('second', [], 'next');
    const [second] = session.state.queue;
    const sent = session.sendQueuedNow(second!.id);
    await world.gate.untilAsked();
    expect(await session.sendQueuedNow(second!.id)).toBeUndefined();
    world.gate.answer('Done.');
    expect(await sent).toEqual({ kind: 'rested' });
  });

  it('begins nothing in a session that was left', async () => {
    const world = await working();
    await world.session.submitPrompt('second', [], 'next');
    await world.session.dispose();
    await expect(async () => world.session.send('third')).rejects.toThrow('was left');
    await expect(async () => world.session.retry()).rejects.toThrow('was left');
    expect(starts(world.events)).toEqual(['first']);
  });

  it('waits on when the user stops the agent at the moment when it rests', async () => {
    const world = await working();
    await world.session.submitPrompt('second', [], 'next');
    world.session.onEvent(event => event.type === 'step.ended' && void world.session.stop());
    world.gate.answer('Done.');
    await world.first;
    expect(world.session.busy).toBe(false);
    expect(queueOf(world.session)).toEqual(['second next']);
  });

  it('waits through a rewind', async () => {
    const world = await working();
    await world.session.submitPrompt('second', [], 'next');
    await world.session.stop();
    const turn = world.events.find(event => event.type === 'turn.started')!;
    await world.session.rewind({ kind: 'turn', turnId: turn.turnId }, 'conversation');
    expect(queueOf(world.session)).toEqual(['second next']);
    await world.session.undoRewind();
    expect(queueOf(world.session)).toEqual(['second next']);
  });

  it('waits through a reload, and nothing is sent separately', async () => {
    const world = await working();
    await world.session.submitPrompt('second', [], 'steer');
    await world.session.dispose();
    const again = await world.agent.openSession(world.session.id);
    onTestFinished(() => again.dispose());
    expect(queueOf(again)).toEqual(['second next']);
    expect(again.busy).toBe(false);
    const sent = again.sendQueuedNow(again.state.queue[0]!.id);
    await answerNext(world);
    expect(await sent).toEqual({ kind: 'rested' });
  });

  it('keeps other words for the model as long as the user does not change it', async () => {
    const world = await working();
    await world.session.submitPrompt('/init', [], 'next', 'Write the memory file.');
    const [waiting] = world.session.state.queue;
    world.session.queue.change({ ...waiting!, when: 'steer' });
    world.gate.call('read_file', { file_path: 'a.txt' });
    await world.gate.untilAsked();
    expect(lastUser(world.gate)).toContain('Write the memory file.');
    expect(prompts(world.session)).toContain('/init');
  });
});

async function* failing() {
  const { ModelError } = await import('../../../src/extension/core/model.ts');
  const error = new ModelError('forbidden', () => 'No.', { retryable: false });
  yield { type: 'end', end: { ok: false, error } };
}

type Act =
  | 'next'
  | 'steer'
  | 'stopAndSend'
  | 'change'
  | 'remove'
  | 'sendNow'
  | 'stop'
  | 'retry'
  | 'call'
  | 'answer'
  | 'wait';

const acts: readonly Act[] = [
  ...(['next', 'next', 'steer', 'steer', 'stopAndSend', 'change', 'remove', 'sendNow'] as const),
  ...(['stop', 'retry', 'call', 'call', 'answer', 'answer', 'wait', 'wait'] as const),
];

/** Plays at random and knows what must have become of each prompt. */
class Play {
  readonly world = stage({ readMentions: mentionsLater });
  /** The newest words of each prompt, by its number; removed ones have none. */
  readonly words = new Map<number, string | undefined>();
  private readonly pending: Promise<unknown>[] = [];
  private version = 0;

  async act(what: Act, number: number): Promise<void> {
    const { session, gate } = this.world;
    const { queue } = session.state;
    const picked = queue[number % Math.max(1, queue.length)];
    switch (what) {
      case 'next':
      case 'steer':
      case 'stopAndSend':
        return this.keep(session.submitPrompt(this.say(this.words.size), [], what));
      case 'change':
        return picked && this.change(picked.id, picked.text);
      case 'remove':
        if (picked && session.queue.remove(picked.id)) this.words.set(numberOf(picked.text), undefined);
        return;
      case 'sendNow':
        return picked && this.keep(session.sendQueuedNow(picked.id));
      case 'stop':
        return this.keep(session.stop());
      case 'retry':
        if (!session.busy && this.words.size > 0) this.keep(session.retry());
        return;
      case 'call':
        gate.call('read_file', { file_path: 'a.txt' });
        return;
      case 'answer':
        gate.answer('Done.');
        return;
      case 'wait':
        for (let i = 0; i <= number; i++) await new Promise(resolve => setImmediate(resolve));
        return;
    }
  }

  async finish(): Promise<void> {
    const { session, gate } = this.world;
    while (session.busy || session.state.queue.length > 0) {
      if (!session.busy) this.keep(session.sendQueuedNow(session.state.queue[0]!.id));
      gate.answer('Done.');
      await new Promise(resolve => setImmediate(resolve));
    }
    await Promise.all(this.pending);
    await session.dispose();
  }

  private change(id: string, text: string): void {
    const { session } = this.world;
    const number = numberOf(text);
    const before = this.words.get(number);
    const when = this.version % 2 === 0 ? 'steer' : 'next';
    if (!session.queue.change({ id, text: this.say(number), attachments: [], when }))
      this.words.set(number, before);
  }

  private say(number: number): string {
    const text = `prompt ${number} version ${++this.version}.`;
    this.words.set(number, text);
    return text;
  }

  private keep(promise: Promise<unknown>): void {
    this.pending.push(promise);
  }
}

async function mentionsLater(): Promise<{ parts: []; mentions: [] }> {
  await new Promise(resolve => setImmediate(resolve));
  return { parts: [], mentions: [] };
}

function numberOf(text: string): number {
  return Number(/\d+/.exec(text)![0]);
}

/** Words of the user in the history, in order. */
function said(messages: readonly Message[]): readonly string[] {
  const texts = messages.flatMap(({ parts }) =>
    parts.flatMap(part => (part.kind === 'text' ? [part.text] : [])),
  );
  return texts.filter(text => text.startsWith('prompt '));
}

describe('whatever the user does with prompts while the agent works', () => {
  const script = fc.array(fc.tuple(fc.constantFrom(...acts), fc.nat(5)), { maxLength: 40 });

  it('every prompt is sent exactly once, as it was last written, or was removed, and the history is valid', async () => {
    await fc.assert(
      fc.asyncProperty(script, async list => {
        const play = new Play();
        for (const [what, number] of list) await play.act(what, number);
        await play.finish();
        const { messages, faults } = historyOf(play.world.events);
        expect(faults).toEqual([]);
        const wanted = [...play.words.values()].filter(text => text !== undefined);
        expect([...said(messages)].sort()).toEqual([...wanted].sort());
      }),
      { numRuns: runSize({ test: 50, prove: 3000 }) },
    );
  });

  it('after a crash anywhere every prompt either waits as it did or is in the history, never both', async () => {
    await fc.assert(
      fc.asyncProperty(script, async list => {
        const play = new Play();
        for (const [what, number] of list) await play.act(what, number);
        await play.finish();
        const lines = play.world.store.journals.get(play.world.session.id) ?? [];
        const known = new Set<string>();
        for (const [at, line] of lines.entries()) {
          learn(JSON.parse(line), known);
          const { state, events, closing } = restoreSession(lines.slice(0, at + 1));
          const { messages, faults } = historyOf([...events, ...closing]);
          expect(faults).toEqual([]);
          const found = [...said(messages), ...state.queue.map(({ text }) => text)];
          expect(found.sort(), `cut after ${at + 1} of ${lines.length}`).toEqual([...known].sort());
        }
      }),
      { numRuns: runSize({ test: 15, prove: 1000 }) },
    );
  });
});

/** What must be somewhere after this event: what was queued or sent, by its newest words, and was not removed. */
function learn(event: SessionEvent, known: Set<string>): void {
  if (event.type === 'prompt.queued') known.add(event.prompt.text);
  if (event.type === 'turn.started') known.add(event.text);
  if (event.type === 'prompt.changed') {
    for (const text of known) if (numberOf(text) === numberOf(event.prompt.text)) known.delete(text);
    known.add(event.prompt.text);
    waiting.set(event.prompt.id, event.prompt.text);
  }
  if (event.type === 'prompt.queued') waiting.set(event.prompt.id, event.prompt.text);
  if (event.type === 'prompt.unqueued' && event.because === 'removed') known.delete(waiting.get(event.id)!);
}

const waiting = new Map<string, string>();

function historyOf(events: readonly Pick<SessionEvent, 'type'>[]): {
  readonly messages: readonly Message[];
  readonly faults: readonly string[];
} {
  const history = new History();
  for (const event of events) history.fold(event as SessionEvent);
  return { messages: history.whole, faults: historyFaults(history.forRequest()) };
}
