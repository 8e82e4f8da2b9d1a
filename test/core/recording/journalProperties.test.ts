/*
 * Whatever a session lives through, its journal tells all of it again: but for live output, which comes whole with the
 * call's end, and the places where a text was cut into pieces, which the journal chooses by lines.
 */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { History } from '../../../src/extension/core/history/history.ts';
import { type RestoredSession, restoreSession } from '../../../src/extension/core/recording/restore.ts';
import { NodeSessionStore } from '../../../src/extension/node/sessions/nodeSessionStore.ts';
import type { SessionEvent } from '../../../src/protocol/events.ts';
import { reduce } from '../../../src/protocol/fold/reduce.ts';
import { iterate } from '../../../src/protocol/pagedList.ts';
import type { SessionState } from '../../../src/protocol/state.ts';
import { callFaults, historyFaults } from '../../support/checkHistory.ts';
import type { World } from '../../support/conversation.ts';
import { fc } from '../../support/properties.ts';
import { happenings, liveThrough } from '../../support/randomSession.ts';
import { runSize } from '../../support/runSize.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'folio-journal-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the journal of a session in which anything may happen', () => {
  test('tells the state, the history and the calls again as they were live', async () => {
    await fc.assert(
      fc.asyncProperty(happenings, async list => {
        const world = await liveThrough(list);
        await world.session.dispose();
        const restored = restoreSession(linesOf(world));
        expect(restored).toMatchObject({ unreadable: 0, closing: [] });
        expect(comparable(restored.state)).toEqual(comparable(world.session.state));
        expect(messagesOf(restored.events)).toEqual(messagesOf(world.events));
        expect(historyFaults(requestOf(restored.events))).toEqual([]);
        expect(callFaults(world.events)).toEqual([]);
      }),
      { numRuns: runSize({ test: 12, prove: 2000 }) },
    );
  });

  test('tells it to the next run of the host, which continues', async () => {
    await fc.assert(
      fc.asyncProperty(happenings, happenings, async (list, more) => {
        const world = await liveThrough(list);
        const before = comparable(world.session.state);
        await world.session.dispose();
        const again = await world.agent.openSession(world.session.id);
        const after = comparable(again.state);
        // A permission for everything is not inherited from the disk.
        expect({ ...after, mode: before.mode, seq: before.seq }).toEqual(before);
        world.model.answers.splice(0, Infinity, { parts: [{ kind: 'text', text: 'Here.' }] });
        expect((await again.send(`And ${more.length}?`)).kind).toBe('rested');
        expect(historyFaults(world.model.requests.at(-1)!.messages)).toEqual([]);
        await again.dispose();
      }),
      { numRuns: runSize({ test: 8, prove: 1000 }) },
    );
  });

  test('may end at any byte: what stands before is there, and the history is one to continue with', async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(
        happenings,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 }),
        async (list, cuts) => {
          const lines = linesOf(await ended(list));
          const bytes = Buffer.from(lines.map(line => `${line}\n`).join(''));
          for (const cut of cuts) {
            const length = Math.floor(cut * bytes.length);
            const read = await readThroughStore(`cut${runs++}`, bytes.subarray(0, length));
            const whole = bytes.toString('utf8', 0, length).split('\n').length - 1;
            expect(read).toEqual(lines.slice(0, whole));
            expectToGoOn(restoreSession(read));
          }
        },
      ),
      { numRuns: runSize({ test: 6, prove: 1000 }) },
    );
  });
});

/** `spoils`: how many lines, from the damaged one on, may be lost with it. */
interface Damage {
  readonly by: string;
  readonly spoils: number;
  readonly damage: (lines: string[], at: number, byte: number) => void;
}

const damages: readonly Damage[] = [
  {
    by: 'a flipped bit',
    spoils: 1,
    damage: (lines, at, byte) => lines.splice(at, 1, flipBit(lines[at]!, byte)),
  },
  {
    by: 'a line cut short',
    spoils: 1,
    damage: (lines, at, byte) => lines.splice(at, 1, lines[at]!.slice(0, byte % lines[at]!.length)),
  },
  { by: 'a line that stands there twice', spoils: 0, damage: (lines, at) => lines.splice(at, 0, lines[at]!) },
  {
    by: 'a line that stands there again at the end',
    spoils: 0,
    damage: (lines, at) => lines.push(lines[at]!),
  },
  {
    by: 'two lines in the place of each other',
    spoils: 2,
    damage: (lines, at) => lines.splice(at, 2, ...lines.slice(at, at + 2).reverse()),
  },
  { by: 'a line that is missing', spoils: 1, damage: (lines, at) => lines.splice(at, 1) },
  {
    by: 'zeros of a disk that lost its power',
    spoils: 0,
    damage: (lines, at) => lines.splice(at, 0, '\0'.repeat(500)),
  },
  {
    by: 'the JSON of somebody else',
    spoils: 0,
    damage: (lines, at, byte) => lines.splice(at, 0, foreign[byte % foreign.length]!),
  },
  {
    by: 'an event without its members',
    spoils: 1,
    damage: (lines, at) => lines.splice(at, 1, bare(lines[at]!)),
  },
  {
    by: 'two lines that became one',
    spoils: 2,
    damage: (lines, at) => lines.splice(at, 2, lines.slice(at, at + 2).join('')),
  },
];

const foreign = [
  'null',
  '[]',
  '7',
  '"words"',
  '{}',
  '{"seq":1}',
  '{"type":"turn.started"}',
  '[{"seq":3,"at":1,"type":"x"}]',
  '{"seq":1e9,"at":1,"type":"something.later","text":"from a version to come"}',
  '{"seq":-1,"at":1,"type":"turn.started"}',
  '{"seq":7.5,"at":1,"type":"message.added","message":{"role":"nobody","parts":[]}}',
];

describe('a journal that was damaged', () => {
  test.for(damages)('by $by loses no more than that, and continues', async ({ spoils, damage }) => {
    await fc.assert(
      fc.asyncProperty(happenings, fc.nat(), fc.nat(), async (list, where, byte) => {
        const world = await ended(list);
        const lines = linesOf(world);
        const at = where % lines.length;
        const damaged = [...lines];
        damage(damaged, at, byte);
        const restored = restoreSession(damaged);
        expectToGoOn(restored);
        const kept = restored.events.map(({ seq }) => seq);
        expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b));
        const lost = lines.flatMap((line, index) => (kept.includes(seqOf(line)) ? [] : [index]));
        // A number that a bit turned into that of the line before may push that one out in its place.
        const first = spoils === 1 ? at - 1 : at;
        expect(lost.filter(index => index < first || index >= at + spoils)).toEqual([]);
        expect(lost.length).toBeLessThanOrEqual(spoils);
        await expectToOpen(world, damaged);
      }),
      { numRuns: runSize({ test: 4, prove: 600 }) },
    );
  });

  test('in many places at once still opens and continues', async () => {
    const place = fc.tuple(fc.nat(damages.length - 1), fc.nat(), fc.nat());
    await fc.assert(
      fc.asyncProperty(happenings, fc.array(place, { minLength: 2, maxLength: 12 }), async (list, many) => {
        const world = await ended(list);
        const lines = [...linesOf(world)];
        for (const [which, where, byte] of many) {
          if (lines.length > 0) damages[which]!.damage(lines, where % lines.length, byte);
        }
        expectToGoOn(restoreSession(lines));
        await expectToOpen(world, lines);
      }),
      { numRuns: runSize({ test: 8, prove: 2000 }) },
    );
  });
});

/** The next run of the host opens it, and a prompt gets its answer. */
async function expectToOpen({ agent, store, model }: World, lines: readonly string[]): Promise<void> {
  store.journals.set('damaged', [...lines]);
  const session = await agent.openSession('damaged');
  model.answers.splice(0, Infinity, { parts: [{ kind: 'text', text: 'Here.' }] });
  expect(await session.send('Continue.')).toEqual({ kind: 'rested' });
  expect(historyFaults(model.requests.at(-1)!.messages)).toEqual([]);
  await session.dispose();
}

async function ended(list: Parameters<typeof liveThrough>[0]): Promise<World> {
  const world = await liveThrough(list);
  await world.session.dispose();
  return world;
}

function linesOf({ session, store }: World): readonly string[] {
  return store.journals.get(session.id)!;
}

async function readThroughStore(sessionId: string, bytes: Uint8Array): Promise<readonly string[]> {
  await mkdir(join(folder, sessionId));
  await writeFile(join(folder, sessionId, 'journal.jsonl'), bytes);
  return new NodeSessionStore(folder).readJournal(sessionId);
}

/** Closed as a resume closes it, it rests, every call has its end, and the next prompt makes a valid request. */
function expectToGoOn({ state, events, closing }: RestoredSession): void {
  let seq = state.seq;
  const added = closing.map(body => ({ ...body, seq: ++seq, at: 1 }) satisfies SessionEvent);
  const closed = added.reduce(reduce, state);
  expect(closed.activity.status).toBe('resting');
  const open = closed.chapters
    .flatMap(({ items }) => [...iterate(items)])
    .filter(item => item.type === 'call' && item.status.kind !== 'ended');
  expect(open).toEqual([]);
  const prompt = { role: 'user', parts: [{ kind: 'text', text: 'Continue.' }] } as const;
  const next: SessionEvent = { type: 'message.added', seq: ++seq, at: 1, message: prompt };
  expect(historyFaults(requestOf([...events, ...added, next]))).toEqual([]);
}

function requestOf(events: readonly SessionEvent[]) {
  const history = new History();
  for (const event of events) history.fold(event);
  return history.forRequest();
}

function messagesOf(events: readonly SessionEvent[]) {
  const history = new History();
  for (const event of events) history.fold(event);
  return history.whole;
}

/** As data; a text is named after its first piece, and the journal has other pieces. */
function comparable(state: SessionState): SessionState {
  return JSON.parse(
    JSON.stringify(state, (key, value) =>
      key === 'id' && /^(text|thought)\d+$/.test(value) ? 'piece' : value,
    ),
  );
}

function flipBit(line: string, byte: number): string {
  const bytes = Buffer.from(line);
  bytes[byte % bytes.length]! ^= 1 << (byte % 7);
  return bytes.toString('utf8').replaceAll('\n', ' ');
}

/** That of no event where the line was damaged before. */
function seqOf(line: string): number {
  return JSON.parse(line).seq;
}

function bare(line: string): string {
  const [number] = /\d+/.exec(line) ?? [];
  const [, type = ''] = /"type":"([a-z.]+)"/.exec(line) ?? [];
  return JSON.stringify({ seq: Number(number), at: 1, type });
}
