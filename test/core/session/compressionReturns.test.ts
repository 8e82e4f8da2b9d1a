/* Compressions among rewinds, undos and resumes: the history is always what the live session had. */

import { describe, expect, it, onTestFinished } from 'vitest';
import { History } from '../../../src/extension/core/history/history.ts';
import { restoreSession } from '../../../src/extension/core/recording/restore.ts';
import type { Session } from '../../../src/extension/core/session/session.ts';
import type { CompressionPlan } from '../../../src/protocol/compression.ts';
import type { Message, Part } from '../../../src/protocol/events.ts';
import { reduce } from '../../../src/protocol/fold/reduce.ts';
import type { RewindTarget } from '../../../src/protocol/intentions.ts';
import { iterate } from '../../../src/protocol/pagedList.ts';
import { emptySession, type SessionState } from '../../../src/protocol/state.ts';
import { historyFaults } from '../../support/checkHistory.ts';
import { makeWorld, type World, type WorldOptions } from '../../support/conversation.ts';
import { fc } from '../../support/properties.ts';
import { runSize } from '../../support/runSize.ts';
import { long, snapshotOf } from '../../support/wireWorld.ts';

/** A session that can be closed and read back, and whose model says what it is told just before. */
class Stage {
  readonly world: World;
  session: Session;
  private calls = 0;

  constructor(options: Partial<WorldOptions> = {}) {
    const files = { 'a.txt': long(500) };
    this.world = makeWorld({ files, mode: 'yolo', compressionThreshold: 1, ...options, answers: [] });
    this.session = this.world.session;
  }

  async turn(prompt: string, reads: number, title?: string): Promise<void> {
    for (let read = 0; read < reads; read++) {
      const parts: Part[] = [this.call('read_file', { file_path: 'a.txt' })];
      if (title && read === 0) parts.unshift(this.call('create_new_topic', { title }));
      this.world.model.answers.push({ parts });
    }
    this.world.model.answers.push({ parts: [{ kind: 'text', text: `Answer to ${prompt}` }] });
    const end = await this.session.send(prompt);
    expect(end).toEqual({ kind: 'rested' });
  }

  async propose(knowledge: string): Promise<string | undefined> {
    const parts: Part[] = [{ kind: 'text', text: snapshotOf(knowledge) }];
    const before = this.world.model.remaining;
    this.world.model.answers.push({ parts }, { parts });
    await this.session.compressions.propose();
    this.world.model.answers.splice(before);
    return this.session.state.compression?.id;
  }

  async compress(knowledge: string): Promise<void> {
    const id = await this.propose(knowledge);
    if (id) this.session.compressions.apply(id);
  }

  async reopen(): Promise<void> {
    await this.session.dispose();
    this.session = await this.world.agent.openSession(this.session.id);
  }

  /** What the next request carries; the history is as it was afterwards, but for that turn. */
  async sent(): Promise<readonly Message[]> {
    await this.turn('Probe', 0);
    const { messages } = this.world.model.requests.at(-1)!;
    expect(historyFaults(messages)).toEqual([]);
    return messages;
  }

  prompts(): readonly RewindTarget[] {
    return this.session.state.chapters.flatMap(chapter =>
      [...iterate(chapter.items)].flatMap(item =>
        item.type === 'prompt' ? [{ kind: 'turn' as const, turnId: item.id }] : [],
      ),
    );
  }

  async foldsAlike(): Promise<void> {
    const lines = await this.world.store.readJournal(this.session.id);
    expect(lines.map(line => JSON.parse(line)).reduce(reduce, emptySession)).toEqual(
      JSON.parse(JSON.stringify(this.session.state)),
    );
  }

  private call(name: string, args: Readonly<Record<string, unknown>>): Part {
    return { kind: 'call', id: `call${++this.calls}`, name, args };
  }
}

function newStage(options: Partial<WorldOptions> = {}): Stage {
  const stage = new Stage(options);
  onTestFinished(() => stage.session.dispose());
  return stage;
}

async function threeTurns(): Promise<Stage> {
  const stage = newStage();
  await stage.turn('one', 3, 'First');
  await stage.turn('two', 3, 'Second');
  await stage.turn('three', 2, 'Third');
  return stage;
}

function texts(messages: readonly Message[]): string {
  return JSON.stringify(messages);
}

describe('after a compression', () => {
  it('a resumed session sends the same', async () => {
    const stage = await threeTurns();
    await stage.compress('4711');
    await stage.turn('four', 1);
    const live = stage.world.model.requests.at(-1)!.messages;
    await stage.reopen();
    const resumed = await stage.sent();
    expect(resumed.slice(0, live.length)).toEqual(live);
    await stage.foldsAlike();
  });

  it('one that waits for a decision waits through a resume, and can be applied then', async () => {
    const stage = await threeTurns();
    const id = await stage.propose('4711');
    const { compression } = stage.session.state;
    await stage.reopen();
    expect(stage.session.state.compression).toEqual(JSON.parse(JSON.stringify(compression)));
    stage.session.compressions.apply(id!);
    expect(texts(await stage.sent())).toContain('4711');
  });

  it('one that a crash interrupted is stopped on resume', async () => {
    const stage = await threeTurns();
    await stage.propose('4711');
    const lines = await stage.world.store.readJournal(stage.session.id);
    const cut = lines.findIndex(line => line.includes('"compression.proposed"'));
    const { closing } = restoreSession(lines.slice(0, cut));
    expect(closing.map(({ type }) => type)).toEqual(['compression.ended', 'session.resumed']);
    expect(closing[0]).toMatchObject({ end: { kind: 'stopped' } });
  });

  it('going back behind the cut brings everything before back; undoing that compresses again', async () => {
    const stage = await threeTurns();
    await stage.compress('4711');
    const compressed = await stage.sent();
    await stage.session.rewind(stage.prompts()[1]!, 'conversation');
    expect(stage.session.state.compressions).toEqual([]);
    await stage.reopen();
    await stage.session.undoRewind();
    expect(stage.session.state.compressions).toHaveLength(1);
    expect((await stage.sent()).slice(0, compressed.length)).toEqual(compressed);
    await stage.session.rewind(stage.prompts()[1]!, 'conversation');
    const whole = await stage.sent();
    expect(texts(whole)).not.toContain('state_snapshot');
    expect(texts(whole)).not.toContain('Answer to two');
    await stage.foldsAlike();
  });

  it('going back to what was said since keeps it', async () => {
    const stage = await threeTurns();
    await stage.compress('4711');
    await stage.turn('four', 1);
    await stage.turn('five', 1);
    await stage.session.rewind(stage.prompts()[4]!, 'conversation');
    const sent = texts(await stage.sent());
    expect(sent).toContain('4711');
    expect(sent).toContain('Answer to four');
    expect(sent).not.toContain('Answer to five');
  });

  it('undoing it after further turns sends the whole, with those turns', async () => {
    const stage = await threeTurns();
    const before = await stage.sent();
    await stage.compress('4711');
    await stage.turn('four', 1);
    await stage.reopen();
    stage.session.compressions.undo(stage.session.state.compressions[0]!.id);
    await stage.reopen();
    const whole = await stage.sent();
    expect(whole.slice(0, before.length)).toEqual(before);
    expect(texts(whole)).toContain('Answer to four');
    expect(() => stage.session.compressions.undo('none')).toThrow('newest');
  });

  it('of three in a row only the newest can be undone, and each uncovers the one before', async () => {
    const stage = await threeTurns();
    const sent: (readonly Message[])[] = [];
    for (const name of ['first', 'second', 'third']) {
      await stage.compress(`${name} record`);
      sent.push(await stage.sent());
      await stage.turn(name, 3);
      await stage.reopen();
    }
    const ids = stage.session.state.compressions.map(({ id }) => id);
    expect(ids).toHaveLength(3);
    expect(() => stage.session.compressions.undo(ids[0]!)).toThrow('newest');
    for (const at of [2, 1]) {
      stage.session.compressions.undo(ids[at]!);
      const messages = await stage.sent();
      expect(messages.slice(0, sent[at - 1]!.length)).toEqual(sent[at - 1]);
    }
    await stage.foldsAlike();
  });

  it('a rewind ends one that is being made', async () => {
    const stage = await threeTurns();
    stage.world.model.answers.push({ hang: true });
    const proposing = stage.session.compressions.propose();
    const rewinding = stage.session.rewind(stage.prompts()[2]!, 'conversation');
    await expect(stage.session.compressions.propose()).rejects.toThrow('rewind');
    await rewinding;
    await proposing;
    expect(stage.session.state.compression).toBeUndefined();
    expect(stage.session.state.compressions).toEqual([]);
  });
});

function planOf(state: SessionState): CompressionPlan {
  const newest = state.compressions.at(-1);
  if (!newest) throw new Error('Nothing is compressed.');
  return newest.plan;
}

describe('masking and compression together', () => {
  it('what was masked stays as it was sent, its whole stays on the disk, and a resume sends the same', async () => {
    const whole = long(9_000, 'whole');
    const stage = newStage({ files: { 'a.txt': whole } });
    // Long enough that of what follows all is kept.
    await stage.turn(long(250_000), 0);
    await stage.turn('Read much', 24, 'Reading');
    const before = stage.world.model.requests.at(-1)!.messages;
    const masked = (messages: readonly Message[]) => texts(messages).split('<masked_output>').length - 1;
    expect(masked(before)).toBeGreaterThan(10);
    await stage.compress('4711');
    const plan = planOf(stage.session.state);
    expect(plan.cut.length).toBeGreaterThan(0);
    for (const { index, message } of plan.cut) expect(message).toEqual(before[index]);
    const after = await stage.sent();
    const kept = after.slice(plan.replacement.length, -2);
    expect(kept).toEqual(before.slice(plan.keptFrom));
    expect(masked(after)).toBe(plan.cut.length);
    const saved = [...stage.world.store.outputs].filter(([name]) => name.endsWith('.result.txt'));
    for (const [, text] of saved) expect(text).toBe(whole);
    await stage.reopen();
    expect((await stage.sent()).slice(0, after.length)).toEqual(after);
  });
});

type Act = 'turn' | 'chapter' | 'compress' | 'undo' | 'rewind' | 'undoRewind' | 'reopen' | 'pin';

describe('whatever is done', () => {
  it('the request is valid, and a resumed session sends what the live one would', async () => {
    const act = fc.constantFrom<Act>(
      ...(['turn', 'turn', 'chapter', 'compress', 'compress', 'undo'] as const),
      ...(['rewind', 'undoRewind', 'reopen', 'pin'] as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(act, fc.nat(6)), { maxLength: 14 }), async acts => {
        const stage = newStage();
        await stage.turn('start', 3);
        for (const [what, number] of acts) await play(stage, what, number);
        await stage.reopen();
        const { messages } = historyOf(await stage.world.store.readJournal(stage.session.id));
        const sent = await stage.sent();
        expect(sent.slice(0, messages.length)).toEqual(messages);
        await stage.foldsAlike();
      }),
      { numRuns: runSize({ test: 12, prove: 1000 }) },
    );
  });
});

function historyOf(lines: readonly string[]): { readonly messages: readonly Message[] } {
  const history = new History();
  for (const line of lines) history.fold(JSON.parse(line));
  return { messages: history.forRequest() };
}

async function play(stage: Stage, what: Act, number: number): Promise<void> {
  const { session } = stage;
  switch (what) {
    case 'turn':
      return stage.turn(`turn ${number}`, number);
    case 'chapter':
      return stage.turn(`chapter ${number}`, number + 1, `Chapter ${number}`);
    case 'compress':
      return stage.compress(`record ${number}`);
    case 'undo': {
      const newest = session.state.compressions.at(-1);
      if (newest) session.compressions.undo(newest.id);
      return;
    }
    case 'rewind': {
      const prompts = stage.prompts();
      if (prompts.length > 1)
        await session.rewind(prompts[1 + (number % (prompts.length - 1))]!, 'conversation');
      return;
    }
    case 'undoRewind':
      if (session.state.rewound) await session.undoRewind();
      return;
    case 'reopen':
      return stage.reopen();
    case 'pin': {
      const prompts = stage.prompts();
      const at = prompts[number % prompts.length];
      if (at?.kind === 'turn') session.setPin(at.turnId, true);
      return;
    }
  }
}
