/* What goes over the wire before and after a compression, and what a failed one leaves as it was. */

import { afterEach, describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../../src/protocol/events.ts';
import { iterate } from '../../../src/protocol/pagedList.ts';
import type { WorldOptions } from '../../support/conversation.ts';
import { call, emptyStream, hang, refusal, text } from '../../support/geminiAnswers.ts';
import { lastResults, toolNames } from '../../support/geminiServer.ts';
import { makeHookFolder, oneHook } from '../../support/hookWorld.ts';
import {
  counted,
  long,
  makeWireWorld,
  planOf,
  snapshotOf,
  summary,
  type WireWorld,
} from '../../support/wireWorld.ts';

const worlds: WireWorld[] = [];

async function newWorld(options: Omit<WorldOptions, 'answers'> = {}): Promise<WireWorld> {
  const world = await makeWireWorld({
    files: { 'a.txt': long(600), 'b.txt': long(600, 'other') },
    ...options,
  });
  worlds.push(world);
  return world;
}

afterEach(async () => {
  for (const world of worlds.splice(0)) {
    for (const { fault } of world.server.requests) expect(fault).toBeUndefined();
    await world.dispose();
  }
});

const read = (file_path: string) => call('read_file', { file_path });

/** Two turns, of which the first read two files. */
async function twoTurns(world: WireWorld): Promise<void> {
  world.server.script(
    [read('a.txt')],
    [read('b.txt')],
    counted(2_000, text('Read both.')),
    counted(2_050, text('Nothing more.')),
  );
  await world.session.send('Read a and b');
  await world.session.send('And?');
}

function ends(events: readonly SessionEvent[]): readonly unknown[] {
  return events.flatMap(event => (event.type === 'compression.ended' ? [event.end] : []));
}

async function propose(world: WireWorld): Promise<string> {
  await world.session.compressions.propose();
  return world.session.state.compression?.id ?? '';
}

describe('a compression by hand', () => {
  it('waits, and once applied sends snapshot, acknowledgement and the kept part', async () => {
    const world = await newWorld();
    await twoTurns(world);
    const before = world.contents().at(-1)!;
    world.server.script(...summary('The port is 4711.'), [text('Later.')], [text('Applied.')]);
    const id = await propose(world);
    expect(world.session.state.compression).toMatchObject({ status: 'proposed', trigger: 'manual' });

    await world.session.send('Before it is applied');
    expect(world.contents().at(-1)!.slice(0, before.length)).toEqual(before);
    world.session.compressions.apply(id);
    await world.session.send('After it is applied');

    const { keptFrom, tokens } = planOf(world);
    expect(tokens.before).toBe(2_060);
    expect(tokens.after).toBeLessThan(1_200);
    const after = world.contents().at(-1)!;
    const [snapshot, acknowledgement, ...kept] = after;
    expect(snapshot?.parts?.[0]?.text).toContain(snapshotOf('The port is 4711.'));
    expect(acknowledgement).toEqual({
      role: 'model',
      parts: [{ text: 'Understood. I continue from there.' }],
    });
    expect(kept[0]).toEqual({ role: 'user', parts: [{ text: 'Read a and b' }] });
    expect(kept.slice(1, 1 + before.length - keptFrom)).toEqual(before.slice(keptFrom));
    expect(JSON.stringify(after)).not.toContain('filler');
  });

  it('gives the summariser the old part without tools, and what it said for a check', async () => {
    const world = await newWorld();
    await twoTurns(world);
    world.server.script(
      [text(`<scratchpad>${snapshotOf('draft')}</scratchpad>${snapshotOf('first')}`)],
      [text(snapshotOf('better'))],
    );
    await propose(world);
    const [first, check] = world.server.requests.slice(-2).map(({ body }) => body);
    const old = world.contents()[3]!.slice(0, planOf(world).keptFrom);
    expect(first!.contents!.slice(0, old.length - 1)).toEqual(old.slice(0, -1));
    expect(first!.tools).toBeUndefined();
    expect(JSON.stringify(first!.systemInstruction)).toContain('<task_state>');
    expect(check!.contents!.slice(0, first!.contents!.length)).toEqual(first!.contents);
    expect(check!.contents!.at(-2)!.parts?.[0]?.text).toContain(snapshotOf('first'));
    expect(planOf(world).snapshot).toBe(snapshotOf('better'));
  });

  it('keeps the first snapshot when the check fails or breaks', async () => {
    const world = await newWorld();
    await twoTurns(world);
    world.server.script(summary('first')[0]!, refusal(400, 'INVALID_ARGUMENT', 'no'));
    world.session.compressions.discard(await propose(world));
    expect(ends(world.events)).toEqual([{ kind: 'discarded' }]);
    world.server.script(summary('second')[0]!, [text('<state_snapshot><overall_goal>')]);
    await propose(world);
    expect(planOf(world).snapshot).toBe(snapshotOf('second'));
  });

  it('can be edited while it waits and when it is in force, but only into one snapshot', async () => {
    const world = await newWorld();
    await twoTurns(world);
    world.server.script(...summary('The port is 4711.'));
    const id = await propose(world);
    const { compressions } = world.session;
    const { after } = planOf(world).tokens;
    compressions.edit(id, snapshotOf(`The port is 4712. ${'It is. '.repeat(20)}`));
    expect(planOf(world).tokens.after).toBeGreaterThan(after);
    compressions.apply(id);
    compressions.edit(id, snapshotOf('The port is 4713.'));
    expect(world.session.state.compressions).toHaveLength(1);
    for (const wrong of [
      'text',
      '<state_snapshot></state_snapshot>',
      '<state_snapshot><overall_goal> </overall_goal></state_snapshot>',
      `${snapshotOf('a')}${snapshotOf('b')}`,
      `before ${snapshotOf('a')}`,
    ]) {
      expect(() => compressions.edit(id, wrong)).toThrow(/^The summary (must|needs)/);
    }
    expect(() => compressions.edit(id, snapshotOf(long(5_000)))).toThrow(/instead of 2060/);
    expect(() => compressions.edit('none', snapshotOf('a'))).toThrow('Only the newest');
    expect(() => compressions.apply(id)).toThrow('no longer open');
    world.server.script([text('Fine.')]);
    await world.session.send('Continue');
    const sent = JSON.stringify(world.contents().at(-1));
    expect(sent).toContain('4713');
    expect(sent).not.toContain('4712');
  });

  it('has nothing to do in a short session, asks no model for it, and pauses nothing', async () => {
    const world = await newWorld();
    await world.session.compressions.propose();
    world.server.script([text('Hello.')]);
    await world.session.send('Hello');
    await world.session.compressions.propose();
    expect(ends(world.events)).toMatchObject([{ nothingToDo: true }, { nothingToDo: true }]);
    expect(world.server.requests).toHaveLength(1);
    expect(world.session.state.compressionPaused).toBe(false);
  });

  it('is the only one, also beside a turn, and its history may grow meanwhile', async () => {
    const world = await newWorld();
    await twoTurns(world);
    let answer = () => {};
    const waiting = new Promise<void>(resolve => {
      answer = resolve;
    });
    const [first, second] = summary('The port is 4711.');
    world.server.script(
      async () => {
        await waiting;
        return first!;
      },
      [text('Meanwhile.')],
      second!,
    );
    const proposing = world.session.compressions.propose();
    await expect(world.session.compressions.propose()).rejects.toThrow('open already');
    while (world.server.requests.length < 5) await new Promise(resolve => setTimeout(resolve, 5));
    await world.session.send('Beside it');
    answer();
    await proposing;
    world.session.compressions.apply(world.session.state.compression!.id);
    world.server.script([text('Yes.')]);
    await world.session.send('And now?');
    const sent = world.contents().at(-1)!;
    expect(sent.map(({ parts }) => parts?.at(-1)?.text).slice(-3)).toEqual([
      'Beside it',
      'Meanwhile.',
      'And now?',
    ]);
  });
});

describe('pinned messages', () => {
  it('stay word for word: prompts whole, of answers the text', async () => {
    const world = await newWorld();
    world.server.script(
      [text('I read a.'), read('a.txt')],
      [text('It is full of dots.')],
      [read('b.txt')],
      [text('Read.')],
      counted(2_000, text('Yes.')),
    );
    await world.session.send('Never touch a.txt');
    await world.session.send('Read b');
    await world.session.send('Ready?');
    const [prompt] = world.events.flatMap(event => (event.type === 'turn.started' ? [event.turnId] : []));
    const [step] = world.events.flatMap(event => (event.type === 'step.ended' ? [event.stepId] : []));
    world.session.setPin(prompt!, true);
    world.server.script(...summary('4711'));
    const id = await propose(world);
    world.session.setPin(step!, true);
    world.session.compressions.apply(id);
    world.server.script([text('On.')]);
    await world.session.send('Continue');
    const sent = world.contents().at(-1)!;
    expect(sent.slice(2, 4)).toEqual([
      { role: 'user', parts: [{ text: 'Never touch a.txt' }] },
      { role: 'model', parts: [{ text: 'I read a.' }] },
    ]);
    expect(planOf(world).parts[0]!.kept).toBeGreaterThan(0);
  });
});

describe('an automatic compression', () => {
  it('comes before the request that follows the threshold, within a turn too, and the prompt stays', async () => {
    let forgotten = 0;
    const world = await newWorld({ contextLimit: 4_000, forgetEditorContext: () => forgotten++ });
    world.server.script(
      counted(500, read('a.txt')),
      counted(1_999, read('b.txt')),
      counted(2_000, read('a.txt')),
      ...summary('The port is 4711.'),
      counted(1_000, text('Read.')),
    );
    await world.session.send('Read them');
    const sent = world.contents().at(-1)!;
    expect(sent[2]).toEqual({ role: 'user', parts: [{ text: 'Read them' }] });
    expect(sent.at(-1)!.parts?.[0]?.functionResponse?.name).toBe('read_file');
    expect(sent).toHaveLength(5);
    expect(world.events.filter(({ type }) => type === 'compression.applied')).toHaveLength(1);
    expect(forgotten).toBe(1);
  });

  it('never comes at a threshold of 1', async () => {
    const world = await newWorld({ contextLimit: 4_000, compressionThreshold: 1 });
    world.server.script(counted(3_999, read('a.txt')), counted(3_999, read('b.txt')), [text('Read.')]);
    await world.session.send('Read them');
    expect(world.events.some(({ type }) => type.startsWith('compression'))).toBe(false);
  });

  it('is tried again at the next request after one that failed, and then ever more seldom', async () => {
    const world = await newWorld({ contextLimit: 6_000 });
    const attempt = [[text('No snapshot.')]] as const;
    const step = [counted(3_000, read('b.txt'))] as const;
    world.server.script([read('a.txt')], ...step, ...attempt, ...step, ...attempt, ...step, ...step);
    world.server.script(...attempt, ...step, ...step, ...step, ...step, ...summary('4711'), [text('Read.')]);
    expect(await world.session.send('Read them')).toEqual({ kind: 'rested' });
    expect(ends(world.events)).toHaveLength(3);
    expect(world.events.filter(({ type }) => type === 'compression.applied')).toHaveLength(1);
    expect(world.server.unplayed).toBe(0);
  });

  it('pauses after a summary that was too long until one by hand succeeds', async () => {
    const world = await newWorld({ contextLimit: 6_000 });
    world.server.script(
      [read('a.txt')],
      counted(3_000, read('b.txt')),
      ...summary(long(4_000)),
      counted(3_000, read('a.txt')),
      counted(3_000, text('Read.')),
    );
    await world.session.send('Read them');
    expect(ends(world.events)).toHaveLength(1);
    expect(world.server.unplayed).toBe(0);
    expect(world.session.state.compressionPaused).toBe(true);
    const steps = [counted(1_000, read('b.txt')), counted(3_000, read('a.txt'))];
    world.server.script(...summary('4711'), ...steps, ...summary('4711'), [text('Read.')]);
    world.session.compressions.apply(await propose(world));
    expect(world.session.state.compressionPaused).toBe(false);
    await world.session.send('Once more');
    expect(world.events.filter(({ type }) => type === 'compression.applied')).toHaveLength(2);
  });

  it('is not begun, and asks no model, where it would stand for little', async () => {
    const world = await newWorld({ contextLimit: 4_000 });
    world.server.script(counted(3_000, text('Hello.')), counted(3_000, text('Yes.')));
    await world.session.send('Hello');
    await world.session.send('And?');
    expect(world.events.some(({ type }) => type.startsWith('compression'))).toBe(false);
    expect(world.server.requests).toHaveLength(2);
  });

  it('does not follow one by hand that has made room', async () => {
    const world = await newWorld({ contextLimit: 40_000 });
    const reads = Array.from({ length: 8 }, () => [read('a.txt')]);
    world.server.script(...reads, counted(20_000, text('Read.')), ...summary('4711'), [text('Yes.')]);
    await world.session.send('Read often');
    world.session.compressions.apply(await propose(world));
    await world.session.send('And?');
    expect(world.events.filter(({ type }) => type === 'compression.started')).toHaveLength(1);
    expect(world.server.unplayed).toBe(0);
  });

  it('does not come back right after a user undid it', async () => {
    const world = await newWorld({ contextLimit: 4_000 });
    world.server.script(
      [read('a.txt')],
      counted(2_000, read('b.txt')),
      ...summary('4711'),
      counted(1_000, text('Read.')),
      counted(2_000, text('Yes.')),
    );
    await world.session.send('Read them');
    world.session.compressions.undo(world.session.state.compressions[0]!.id);
    await world.session.send('And?');
    expect(JSON.stringify(world.contents().at(-1))).toContain('filler');
    expect(world.server.unplayed).toBe(0);
  });

  it.skipIf(process.platform === 'win32')('is refused by a hook, with its sentence', async () => {
    const folder = await makeHookFolder();
    await folder.ofUser(oneHook('PreCompress', await folder.script('compress', 'The hook says no.', 2)));
    const { hooks, workspace } = folder;
    const world = await newWorld({ contextLimit: 4_000, hooks, folder: workspace });
    world.server.script([read('a.txt')], counted(2_000, read('b.txt')), [text('Read.')]);
    await world.session.send('Read them');
    await world.session.compressions.propose();
    expect(await folder.runsOf('compress')).toBe(2);
    await folder.dispose();
    const refused = { kind: 'failed', message: expect.stringContaining('The hook says no.') };
    expect(ends(world.events)).toEqual([refused, refused]);
  });
});

describe('a compression that fails changes nothing', () => {
  it.each([
    ['an empty answer', [[text(' ')]]],
    ['no snapshot', [[text('I summarised it.')]]],
    ['an unclosed snapshot', [[text('<state_snapshot><overall_goal>Go</overall_goal>')]]],
    ['a snapshot without a goal', [[text('<state_snapshot><task_state>x</task_state></state_snapshot>')]]],
    ['an inflated snapshot', summary(long(4_000))],
    ['a stream that is empty three times', [emptyStream, emptyStream, emptyStream]],
    ['a refusal', [refusal(400, 'INVALID_ARGUMENT', 'no')]],
    ['a server out of order', Array.from({ length: 3 }, () => refusal(503, 'UNAVAILABLE', 'no'))],
  ])('as with %s', async (_, answers) => {
    const world = await newWorld({ maxAttempts: 3 });
    await twoTurns(world);
    const before = world.contents().at(-1)!;
    world.server.script(...answers);
    await world.session.compressions.propose();
    expect(world.server.unplayed).toBe(0);
    expect(ends(world.events)).toMatchObject([{ kind: 'failed' }]);
    expect(world.session.state).toMatchObject({ compressions: [], compressionPaused: false });
    const items = [...iterate(world.session.state.chapters[0]!.items)];
    expect(items.at(-1)).toMatchObject({ type: 'notice', level: 'warning' });
    world.server.script([text('Fine.')]);
    await world.session.send('Continue');
    expect(world.contents().at(-1)!.slice(0, before.length)).toEqual(before);
  });

  it.each(['stop', 'discard', 'dispose'] as const)('as after %s', async how => {
    const world = await newWorld();
    await twoTurns(world);
    world.server.script([text('<state_'), hang]);
    const proposing = world.session.compressions.propose();
    while (world.server.requests.length < 5) await new Promise(resolve => setTimeout(resolve, 5));
    if (how === 'stop') await world.session.stop();
    else if (how === 'dispose') await world.session.dispose();
    else world.session.compressions.discard(world.session.state.compression!.id);
    await proposing;
    expect(ends(world.events)).toEqual([{ kind: 'stopped' }]);
    expect(world.session.state).toMatchObject({ compressions: [], compressionPaused: false });
  });

  it('and one that is stopped with its turn ends the turn', async () => {
    const world = await newWorld({ contextLimit: 4_000 });
    world.server.script([read('a.txt')], counted(2_000, read('b.txt')), [hang]);
    const turn = world.session.send('Read them');
    while (world.server.requests.length < 3) await new Promise(resolve => setTimeout(resolve, 5));
    await world.session.stop();
    expect(await turn).toEqual({ kind: 'stopped' });
    expect(ends(world.events)).toEqual([{ kind: 'stopped' }]);
  });
});

describe('a request that would not fit', () => {
  it('is refused before it is sent, and goes out after a compression by hand', async () => {
    const world = await newWorld({ contextLimit: 1_500, compressionThreshold: 1 });
    world.server.script([read('a.txt')], [read('b.txt')]);
    const end = await world.session.send('Read them');
    expect(end).toMatchObject({ kind: 'failed', trouble: { kind: 'tooLarge', remedy: 'compress' } });
    expect(end.kind === 'failed' && end.trouble.message).toMatch(
      /about 1,\d\d\d tokens, and the model's limit is 1,500/,
    );
    expect(world.server.requests).toHaveLength(2);
    world.server.script(...summary('4711'), [text('Read.')]);
    world.session.compressions.apply(await propose(world));
    expect(await world.session.retry()).toEqual({ kind: 'rested' });
  });

  it('is made to fit by an automatic one where that is allowed', async () => {
    const world = await newWorld({ contextLimit: 1_500, compressionThreshold: 0.9 });
    world.server.script([read('a.txt')], [read('b.txt')], ...summary('4711'), [text('Read.')]);
    expect(await world.session.send('Read them')).toEqual({ kind: 'rested' });
    expect(world.events.filter(({ type }) => type === 'compression.applied')).toHaveLength(1);
  });

  it('is compressed for even while automatic ones pause', async () => {
    const world = await newWorld({ contextLimit: 1_500 });
    world.server.script(
      counted(100, read('a.txt')),
      counted(900, read('b.txt')),
      ...summary(long(3_000)),
      ...summary('4711'),
      [text('Read.')],
    );
    expect(await world.session.send('Read them')).toEqual({ kind: 'rested' });
    expect(ends(world.events)).toMatchObject([{ kind: 'failed', inflated: true }]);
    expect(world.session.state).toMatchObject({ compressionPaused: false, compressions: [{}] });
    expect(world.server.unplayed).toBe(0);
  });

  it('goes out with old results cut where no compression comes about, and that is said', async () => {
    const world = await newWorld({
      contextLimit: 6_000,
      compressionThreshold: 0.95,
      files: { 'a.txt': long(2_500), 'b.txt': long(2_500, 'other'), 'c.txt': long(1_000, 'third') },
    });
    world.server.script(
      [read('a.txt')],
      [read('b.txt')],
      [read('c.txt')],
      [text('No snapshot.')],
      [text('Read.')],
    );
    expect(await world.session.send('Read them')).toEqual({ kind: 'rested' });
    const sent = JSON.stringify(world.contents().at(-1));
    expect(sent).toContain('A long result, shortened. The whole is in ');
    // What the model has not read yet goes out whole.
    expect(sent).toContain(JSON.stringify(long(1_000, 'third').trimEnd()).slice(1, -1));
    const items = [...iterate(world.session.state.chapters[0]!.items)];
    const notices = items.flatMap(item => (item.type === 'notice' ? [item.text] : []));
    expect(notices).toMatchObject(
      [/empty or invalid summary/, /old tool results shortened/].map(each => expect.stringMatching(each)),
    );
  });

  it('is not said to fit after a compression when what was added last is too large automatically', async () => {
    const world = await newWorld({ contextLimit: 1_500, compressionThreshold: 1 });
    const end = await world.session.send(long(3_000));
    expect(end).toMatchObject({ kind: 'failed', trouble: { kind: 'tooLarge', remedy: 'selectModel' } });
    expect(end.kind === 'failed' && end.trouble.message).toMatch(
      /^Even without the earlier conversation, .* and the model's limit is 1,500\. Choose a model with a larger context/,
    );
    expect(world.server.requests).toHaveLength(0);
  });

  it('is estimated by what the provider counted, also after a resume', async () => {
    const world = await newWorld({ contextLimit: 100_000, compressionThreshold: 1 });
    world.server.script(counted(60_000, read('a.txt')), counted(61_000, text('Read.')));
    await world.session.send('Read a');
    await world.session.dispose();
    const session = await world.agent.openSession(world.session.id);
    // As many as are known already, by the estimate: the provider would count them double.
    const end = await session.send(long(1_000));
    expect(end).toMatchObject({ kind: 'failed', trouble: { kind: 'tooLarge' } });
    await session.dispose();
  });
});

describe('a fact from the first chapter', () => {
  it('survives three compressions in a row, in the snapshot and by recall_chapter', async () => {
    const files = Object.fromEntries([1, 2, 3, 4].map(at => [`${at}.txt`, long(600, `file${at}`)]));
    const world = await newWorld({ files: { ...files, 'port.txt': `The port is 4711.\n${long(100)}` } });
    const topic = (title: string) => call('create_new_topic', { title });
    world.server.script([topic('Finding the port'), read('port.txt')], [text('Found.')]);
    await world.session.send('Find the port');
    expect(toolNames(world.server.requests.at(-1)!)).not.toContain('recall_chapter');
    for (const round of [1, 2, 3]) {
      world.server.script([topic(`Round ${round}`), read(`${round}.txt`)], [read('4.txt')], [text('Read.')]);
      await world.session.send(`Round ${round}`);
      world.server.script(...summary(round === 3 ? 'lost' : 'The port is 4711.'));
      world.session.compressions.apply(await propose(world));
      world.server.script([text('Yes.')]);
      await world.session.send('Still there?');
      const sent = JSON.stringify(world.contents().at(-1));
      expect(sent.match(/<state_snapshot>/g)).toHaveLength(1);
      if (round < 3) expect(sent).toContain('The port is 4711.');
    }
    const asked = world.server.requests.map(({ body }) => JSON.stringify(body.contents));
    expect(
      asked.filter(body => body.includes('Compare your snapshot') && body.includes('4711')),
    ).toHaveLength(3);

    world.server.script([call('recall_chapter', { chapter: '1', query: 'port' })], [text('It is 4711.')]);
    await world.session.send('What was the port?');
    const last = world.server.requests.at(-1)!;
    expect(toolNames(last)).toContain('recall_chapter');
    const [recalled] = lastResults(last);
    expect(recalled?.output).toContain('The port is 4711.');
    expect(recalled?.output).toContain('<untrusted_content>');
    for (const { id } of world.session.state.compressions.toReversed()) world.session.compressions.undo(id);
    world.server.script([text('Yes.')]);
    await world.session.send('All back?');
    expect(JSON.stringify(world.contents().at(-1))).toContain('file1');
    expect(toolNames(world.server.requests.at(-1)!)).not.toContain('recall_chapter');
  });
});
