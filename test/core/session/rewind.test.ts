import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RewindTarget } from '../../../src/protocol/intentions.ts';
import { iterate } from '../../../src/protocol/pagedList.ts';
import { countsAsCall, type SessionState } from '../../../src/protocol/state.ts';
import { historyFaults } from '../../support/checkHistory.ts';
import { type DiskWorld, makeDiskWorld, type ScriptedCall } from '../../support/diskWorld.ts';
import { fc } from '../../support/properties.ts';
import { runSize } from '../../support/runSize.ts';

async function newWorld(): Promise<DiskWorld> {
  const world = await makeDiskWorld({ open: ['/elsewhere/open.ts'] });
  onTestFinished(() => world.dispose());
  return world;
}

const write = (file_path: string, content: string): ScriptedCall => ['write_file', { file_path, content }];
const shell = (command: string): ScriptedCall => ['run_shell_command', { command }];
const topic = (title: string): ScriptedCall => [
  'create_new_topic',
  { title, summary: 's', strategic_intent: 'i' },
];
const todos = (description: string): ScriptedCall => [
  'write_todos',
  { todos: [{ description, status: 'pending' }] },
];

describe('a rewind', () => {
  it('puts files, conversation, reviews and the to-do list back; undoing it brings them back, also after a resume', async () => {
    const world = await newWorld();
    await world.turn('one', write('a.txt', 'one\n'), todos('first'));
    const then = world.session.state;
    await world.turn('two', write('a.txt', 'two\n'), write('b.txt', 'new\n'), todos('second'));
    const before = world.session.state;
    const files = await world.session.rewind(promptsOf(before)[1]!, 'both');
    expect(files).toMatchObject([
      { path: 'a.txt', result: 'restored' },
      { path: 'b.txt', result: 'deleted' },
    ]);
    expect(await world.readFiles()).toEqual({ 'a.txt': 'one\n' });
    const { chapters, reviews, todos: list } = world.session.state;
    expect({ texts: textsOf(chapters), reviews, list }).toEqual({
      texts: textsOf(then.chapters),
      reviews: then.reviews,
      list: then.todos,
    });
    await world.reopen();
    await world.session.undoRewind();
    expect(await world.readFiles()).toEqual({ 'a.txt': 'two\n', 'b.txt': 'new\n' });
    const { chapters: again, reviews: back, todos: listed } = world.session.state;
    expect({ again, back, listed }).toEqual({
      again: before.chapters,
      back: before.reviews,
      listed: before.todos,
    });
    await expect(world.session.undoRewind()).rejects.toThrow('no rewind');
    await world.reopen();
    expect(world.session.state).toEqual(await world.readFold());
  });

  it('to any prompt or chapter leaves a history that a provider takes, also undone, repeated and resumed', async () => {
    for (let index = 0; index < 8; index += runSize({ test: 3, prove: 1 })) {
      const world = await longSession();
      const { chapters } = world.session.state;
      const all = placesOf(world.session.state);
      expect(all).toHaveLength(8);
      await world.session.rewind(all[index]!, 'both');
      if (index % 2 === 0) await world.reopen();
      await world.session.undoRewind();
      expect(world.session.state.chapters, `place ${index}`).toEqual(chapters);
      if (index % 3 === 0) await world.reopen();
      await world.session.rewind(all[index]!, 'conversation');
      if (index % 4 === 0) await world.reopen();
      for (const gone of all.slice(index)) {
        await expect(world.session.rewind(gone, 'both'), `place ${index}`).rejects.toThrow('no such place');
      }
      await world.turn('and now?');
      const { messages } = world.model.requests.at(-1)!;
      expect(historyFaults(messages), `place ${index}`).toEqual([]);
      // What the model was told of the editor may be gone, so it is told whole.
      expect(JSON.stringify(messages.at(-1)), `place ${index}`).toContain('/elsewhere/open.ts');
      expect(await world.readFold()).toEqual(world.session.state);
      await world.dispose();
    }
  });

  it('lets no turn begin before it is done, and none continues beside another', async () => {
    const world = await newWorld();
    await world.turn('one', write('a.txt', 'one\n'));
    const [one] = promptsOf(world.session.state);
    const rewinding = world.session.rewind(one!, 'both');
    await expect(world.session.rewind(one!, 'both')).rejects.toThrow('A rewind is running');
    await world.turn('two', write('b.txt', 'two\n'));
    await rewinding;
    expect(await world.readFiles()).toEqual({ 'b.txt': 'two\n' });
    expect(world.events.map(event => event.type).lastIndexOf('session.rewound')).toBeLessThan(
      world.events.map(event => event.type).lastIndexOf('turn.started'),
    );
  });

  it('leaves a file alone when the user wrote into what would be put back', async () => {
    const world = await newWorld();
    await world.turn('one', write('a.txt', 'x\n'));
    await world.turn('two', write('a.txt', 'y\n'));
    await writeFile(join(world.workspace, 'a.txt'), 'mine\n');
    const files = await world.session.rewind(promptsOf(world.session.state)[1]!, 'files');
    expect(files).toMatchObject([{ path: 'a.txt', result: 'conflict' }]);
    expect(await world.readFiles()).toEqual({ 'a.txt': 'mine\n' });
  });

  it.each([
    ['the first', [write('a.txt', 'z\n')]],
    ['the second', [write('a.txt', 'y\n'), write('a.txt', 'z\n')]],
  ])(
    'says so when Folio was killed after %s write of a turn, before it could record it',
    async (_which, calls) => {
      const world = await newWorld();
      await world.turn('one', write('a.txt', 'x\n'));
      await world.turn('two', ...calls);
      await world.cutJournal(lines => {
        const cut = lines.findLastIndex(line => line.includes('"type":"file.written"'));
        return lines.slice(0, cut);
      });
      const files = await world.session.rewind(promptsOf(world.session.state)[1]!, 'both');
      expect(files).toMatchObject([{ path: 'a.txt', result: 'conflict' }]);
      expect(await world.readFiles()).toEqual({ 'a.txt': 'z\n' });
      await world.turn('three');
      expect(historyFaults(world.model.requests.at(-1)!.messages)).toEqual([]);
    },
  );
});

async function longSession(): Promise<DiskWorld> {
  const world = await newWorld();
  for (let turn = 1; turn <= 5; turn++) {
    const calls = [write('a.txt', `${turn}\n`), topic(`Chapter ${turn}`), shell('true')];
    await world.turn(`prompt ${turn}`, ...calls.slice(turn % 3), ...calls.slice(0, 1));
  }
  return world;
}

/** Everything that a user would see of one moment. */
interface Moment {
  readonly files: Readonly<Record<string, string>>;
  readonly prompts: number;
  readonly reviews: SessionState['reviews'];
}

type Deed =
  | { readonly kind: 'turn'; readonly edits: readonly Edit[] }
  | { readonly kind: 'rewind'; readonly place: number; readonly scope: 'files' | 'conversation' | 'both' }
  | { readonly kind: 'undo' }
  | { readonly kind: 'reopen' };

type Edit =
  | { readonly kind: 'write'; readonly file: number; readonly lines: readonly number[] }
  | { readonly kind: 'replace'; readonly file: number; readonly line: number }
  | { readonly kind: 'remove'; readonly file: number }
  | { readonly kind: 'topic' };

const file = fc.nat(2);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({
    kind: fc.constant('write' as const),
    file,
    lines: fc.array(fc.nat(5), { minLength: 1, maxLength: 8 }),
  }),
  fc.record({ kind: fc.constant('replace' as const), file, line: fc.nat(7) }),
  fc.record({ kind: fc.constant('remove' as const), file }),
  fc.constant({ kind: 'topic' as const }),
);
const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('turn' as const),
      edits: fc.array(edit, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('rewind' as const),
      place: fc.nat(20),
      scope: fc.constantFrom('files' as const, 'conversation' as const, 'both' as const),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'undo' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'reopen' as const }) },
);

describe('random sessions', () => {
  it('come back byte for byte to any place, and from there', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 4, maxLength: 14 }), async deeds => {
        const world = await newWorld();
        await play(world, deeds);
        await world.dispose();
      }),
      { numRuns: runSize({ test: 3, prove: 300 }) },
    );
  });

  it('keep what the user types elsewhere, whatever is rewound and undone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(typing, { minLength: 4, maxLength: 14 }), async steps => {
        const world = await newWorld();
        await playTyping(world, steps);
        await world.dispose();
      }),
      { numRuns: runSize({ test: 4, prove: 400 }) },
    );
  });
});

async function play(world: DiskWorld, deeds: readonly Deed[]): Promise<void> {
  const moments = new Map<string, Moment>();
  const noteMoment = () => {
    const event = world.events.at(-1)!;
    const id =
      event.type === 'turn.started' ? event.turnId : event.type === 'chapter.started' ? event.chapterId : '';
    if (id) moments.set(id, momentOf(world));
  };
  let unsubscribe = world.session.onEvent(noteMoment);
  let undo: Moment | undefined;
  let serial = 0;
  await world.turn('first');
  for (const each of deeds) {
    if (each.kind === 'turn') {
      await world.turn(`prompt ${++serial}`, ...each.edits.map(one => callFor(one, serial)));
      undo = undefined;
    } else if (each.kind === 'reopen') {
      unsubscribe.dispose();
      await world.reopen();
      unsubscribe = world.session.onEvent(noteMoment);
    } else if (each.kind === 'rewind') {
      const places = placesOf(world.session.state);
      const to = places[each.place % Math.max(1, places.length)];
      if (!to) continue;
      undo = momentOf(world);
      await world.session.rewind(to, each.scope);
      const then = moments.get(to.kind === 'turn' ? to.turnId : to.chapterId)!;
      const now = momentOf(world);
      const { files, reviews } = each.scope === 'conversation' ? undo : then;
      expect(now.files).toEqual(files);
      expect(hunksOf(now)).toEqual(hunksOf({ reviews }));
      if (each.scope === 'files') expect(now.prompts).toBe(undo.prompts);
      else if (to.kind === 'turn') expect(now.prompts).toBe(then.prompts - 1);
    } else if (undo) {
      await world.session.undoRewind();
      const now = momentOf(world);
      expect({ ...now, reviews: hunksOf(now) }).toEqual({ ...undo, reviews: hunksOf(undo) });
      undo = undefined;
    }
    expect(await world.readFold()).toEqual(world.session.state);
    for (const { calls, items } of world.session.state.chapters) {
      expect(calls).toBe(
        [...iterate(items)].filter(item => item.type === 'call' && countsAsCall(item)).length,
      );
    }
  }
  await world.turn('last');
  expect(historyFaults(world.model.requests.at(-1)!.messages)).toEqual([]);
}

function callFor(one: Edit, serial: number): ScriptedCall {
  switch (one.kind) {
    case 'write':
      return write(`f${one.file}.txt`, one.lines.map(line => `line ${line}\n`).join(''));
    case 'replace':
      return [
        'replace',
        {
          file_path: `f${one.file}.txt`,
          instruction: 'i',
          old_string: `line ${one.line}\n`,
          new_string: `line ${one.line} of ${serial}\n`,
          allow_multiple: true,
        },
      ];
    case 'remove':
      return shell(`rm -f f${one.file}.txt`);
    case 'topic':
      return topic(`Topic ${serial}`);
  }
}

type Typing =
  | { readonly kind: 'agent'; readonly times: number }
  | { readonly kind: 'person' }
  | { readonly kind: 'rewind'; readonly place: number }
  | { readonly kind: 'undo' };

const typing: fc.Arbitrary<Typing> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('agent' as const), times: fc.integer({ min: 1, max: 2 }) }),
  },
  { weight: 4, arbitrary: fc.constant({ kind: 'person' as const }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rewind' as const), place: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'undo' as const }) },
);

/** The agent changes lines above a fence, the user lines below it; no line ever stands there twice. */
async function playTyping(world: DiskWorld, steps: readonly Typing[]): Promise<void> {
  const path = join(world.workspace, 'f.txt');
  let [agent, user] = ['agent 0\n', 'person 0\n'];
  const text = () => `top\n${agent}fence\nsecond fence\n${user}`;
  await writeFile(path, text());
  const then = new Map<string, string>();
  let undo: string | undefined;
  let serial = 0;
  for (const step of steps) {
    if (step.kind === 'agent') {
      const calls: ScriptedCall[] = [];
      const before = agent;
      const typed: string[] = [];
      for (let i = 0; i < step.times; i++) {
        agent = `agent ${++serial}\nmore ${serial}\n`;
        // What the user typed since is read first, or nothing would be written.
        calls.push(['read_file', { file_path: 'f.txt' }], write('f.txt', text()));
        user += `user ${++serial}, while the agent works\n`;
        typed.push(text());
      }
      let ended = 0;
      const working = world.session.onEvent(event => {
        if (event.type === 'call.ended' && ++ended % 2 === 0) writeFileSync(path, typed.shift()!);
      });
      await world.turn('go', ...calls);
      working.dispose();
      const place = promptsOf(world.session.state).at(-1)!;
      then.set(place.turnId, before);
      undo = undefined;
    } else if (step.kind === 'person') {
      user += `user ${++serial}\n`;
      await writeFile(path, text());
    } else if (step.kind === 'rewind') {
      const places = promptsOf(world.session.state);
      const to = places[step.place % Math.max(1, places.length)];
      if (!to) continue;
      undo = agent;
      await world.session.rewind(to, 'both');
      agent = then.get(to.turnId)!;
    } else if (undo) {
      await world.session.undoRewind();
      agent = undo;
      undo = undefined;
    }
    expect(await readFile(path, 'utf8')).toBe(text());
  }
}

function momentOf({ session, workspace }: DiskWorld): Moment {
  const names = readdirSync(workspace).sort();
  const files = Object.fromEntries(names.map(name => [name, readFileSync(join(workspace, name), 'utf8')]));
  return { files, prompts: promptsOf(session.state).length, reviews: session.state.reviews };
}

/** Ids continue counting, and the order of files tells nothing. */
function hunksOf({ reviews }: Pick<Moment, 'reviews'>): unknown {
  return Object.fromEntries(
    reviews.map(({ path, base, present, hunks }) => [
      path,
      { base, present, hunks: hunks.map(({ id: _id, chapterIds: _chapters, ...hunk }) => hunk) },
    ]),
  );
}

function promptsOf(state: SessionState): readonly Extract<RewindTarget, { kind: 'turn' }>[] {
  const items = state.chapters.flatMap(chapter => [...iterate(chapter.items)]);
  return items.flatMap(item => (item.type === 'prompt' ? [{ kind: 'turn', turnId: item.id } as const] : []));
}

function placesOf(state: SessionState): readonly Exclude<RewindTarget, { kind: 'call' }>[] {
  return state.chapters.flatMap(chapter => [
    ...(chapter.number > 0 ? [{ kind: 'chapter', chapterId: chapter.id } as const] : []),
    ...promptsOf({ ...state, chapters: [chapter] }),
  ]);
}

function textsOf(chapters: SessionState['chapters']): unknown {
  return chapters.map(({ title, items }) => ({ title, items: [...iterate(items)] }));
}
