import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { History } from '../../src/extension/core/history/history.ts';
import { restoreSession } from '../../src/extension/core/recording/restore.ts';
import { callFaults, historyFaults } from '../support/checkHistory.ts';
import { eventsOf } from '../support/headlessProgram.ts';
import { fileNames, finished, KillWorld, original, versions } from '../support/killWorld.ts';
import { chanceFrom, runSize, seed } from '../support/runSize.ts';
import { type ServedWire, servedWires } from '../support/talkingServers.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

/** Each costs two seconds of processor time. What a kill leaves is in the journal, which is the same for all wires. */
const kills = runSize({ test: 6, prove: 200 });
const wires = servedWires.slice(0, runSize({ test: 1, prove: servedWires.length }));

let folder: string;

beforeEach(async () => {
  folder = await temporaryFolder('folio-kill-');
});

interface Outcomes {
  early: number;
  inTurn: number;
  inCall: number;
  afterwards: number;
  conflicts: number;
}

interface Moment {
  readonly number: number;
  /** Bytes of output after which it comes. */
  readonly bytes: number;
  /** And then this much later, in milliseconds. */
  readonly later: number;
}

describe.for(wires)(`over $provider, killed at moments of a session (seed ${seed})`, wire => {
  it('it continues each time to the end, and nothing is lost, halved, left running or claimed wrongly', async () => {
    const outcomes: Outcomes = { early: 0, inTurn: 0, inCall: 0, afterwards: 0, conflicts: 0 };
    const whole = await runWhole(wire);
    const chance = chanceFrom();
    // Spread over all that is printed, from before the first byte to behind the last, with a little chance within.
    const moments = Array.from({ length: kills }, (_, number) => ({
      number,
      bytes: Math.floor(((number + chance()) / kills) * 1.02 * whole - 0.01 * whole),
      later: chance() < 0.3 ? 0 : chance() * 15,
    }));
    // Two side by side, so that a waiting one costs nothing; when one fails the other still ends in good order.
    const sides = [0, 1].map(side =>
      runSide(
        wire,
        moments.filter(({ number }) => number % 2 === side),
        outcomes,
      ),
    );
    for (const end of await Promise.allSettled(sides)) if (end.status === 'rejected') throw end.reason;
    // A slow machine hears of a byte late, and a few kills have little to say about chance.
    expect(outcomes.inTurn, JSON.stringify(outcomes)).toBeGreaterThan(kills / 4);
    expect(outcomes.inCall, JSON.stringify(outcomes)).toBeGreaterThanOrEqual(Math.floor(kills / 20));
  });
});

/** The session without a kill: how much it prints, and that all that is checked later holds then. */
async function runWhole(wire: ServedWire): Promise<number> {
  const world = await KillWorld.make(wire, join(folder, 'whole'));
  const { code, out, error } = await world.work();
  expect({ code, error }).toEqual({ code: 0, error: '' });
  await expectFinished(world, 'without a kill');
  await world.dispose();
  return Buffer.byteLength(out);
}

async function runSide(wire: ServedWire, moments: readonly Moment[], outcomes: Outcomes): Promise<void> {
  for (const moment of moments) {
    const world = await KillWorld.make(wire, join(folder, `${moment.number}`));
    try {
      await killAndGoOn(world, moment, outcomes);
    } finally {
      await world.dispose();
    }
  }
}

async function killAndGoOn(world: KillWorld, moment: Moment, outcomes: Outcomes): Promise<void> {
  const where = `kill ${moment.number} of seed ${seed}, after ${moment.bytes} bytes and ${moment.later} ms`;
  await world.work(child => {
    let printed = 0;
    let waits = moment.bytes > 0;
    const kill = async () => {
      await setTimeout(moment.later);
      child.kill('SIGKILL');
    };
    if (!waits) void kill();
    child.stdout.on('data', (text: string) => {
      printed += Buffer.byteLength(text);
      if (!waits || printed < moment.bytes) return;
      waits = false;
      void kill();
    });
  });
  await expect.poll(() => world.readProcesses(), { message: where }).toEqual([]);
  expect(brokenOf(await world.readFiles()), where).toEqual([]);
  const lines = await world.readLines();
  const killed = eventsOf(lines.join('\n'));
  const asked = killed.some(event => event.type === 'turn.started');
  outcomes[describeMoment(killed.at(-1)?.type, asked)]++;
  // Beside the end of the turn there is a call to be closed.
  if (asked && restoreSession(lines).closing.length > 2) outcomes.inCall++;
  const resumed = await (asked ? world.goOn() : world.work());
  expect({ code: resumed.code, error: resumed.error }, where).toEqual({ code: 0, error: '' });
  if (asked) expect((await world.readLines()).slice(0, lines.length), where).toEqual(lines);
  await expectFinished(world, where);
  if (moment.number % 10 === 0) outcomes.conflicts += await rewindAll(world, where);
}

function describeMoment(last: string | undefined, asked: boolean): 'early' | 'afterwards' | 'inTurn' {
  if (!asked) return 'early';
  return last === 'turn.ended' ? 'afterwards' : 'inTurn';
}

function brokenOf(files: Readonly<Record<string, string | undefined>>): readonly string[] {
  return fileNames.filter(name => files[name] !== undefined && !versions.has(files[name]));
}

/** The script is done, and journal, history, ledger, kept bytes and disk agree about it. */
async function expectFinished(world: KillWorld, where: string): Promise<void> {
  const files = await world.readFiles();
  const short = Object.fromEntries(fileNames.map(name => [name, files[name]?.split('\n', 1)[0]]));
  expect(files[fileNames[0]] !== undefined && short, where).toEqual(
    Object.fromEntries(fileNames.map(name => [name, finished[name]?.split('\n', 1)[0]])),
  );
  expect(brokenOf(files), where).toEqual([]);
  expect(await world.readProcesses(), where).toEqual([]);
  const { state, events, closing, unreadable } = restoreSession(await world.readLines());
  expect({ closing, unreadable }, where).toEqual({ closing: [], unreadable: 0 });
  expect(callFaults(events), where).toEqual([]);
  const history = new History();
  for (const event of events) history.fold(event);
  expect(historyFaults(history.forRequest()), where).toEqual([]);
  expect(world.server.faults(), where).toEqual([]);
  const { whole, wrong } = await world.readBlobs();
  expect(wrong, where).toEqual([]);
  for (const event of events) {
    if (event.type === 'checkpoint.taken' && event.before) expect(whole.has(event.before), where).toBe(true);
  }
  expect(state.reviews.map(({ shown }) => shown).sort(), where).toEqual([...fileNames]);
  for (const { shown, base, present } of state.reviews) {
    expect(whole.get(present) === files[shown], `${where}: the ledger of ${shown}`).toBe(true);
    expect(
      versions.has(whole.get(base) ?? 'lost') || whole.get(base) === '',
      `${where}: the base of ${shown}`,
    ).toBe(true);
  }
}

/** Every file is as it was before the session, or is said to be left and is left: their number. */
async function rewindAll(world: KillWorld, where: string): Promise<number> {
  const before = await world.readFiles();
  const how = ['--resume', 'latest', '--rewind', '1', '--rewind-scope', 'files'];
  const { code, out } = await world.run(how);
  expect(code, where).toBe(0);
  const rewound = eventsOf(out).findLast(event => event.type === 'session.rewound')!;
  const left = rewound.files.filter(file => file.result === 'conflict').map(file => file.path);
  const after = await world.readFiles();
  for (const name of fileNames) {
    const wanted = left.includes(name) ? before[name] : name === 'f0.txt' ? original : undefined;
    expect(after[name] === wanted, `${where}: ${name}, left ${left.join()}`).toBe(true);
  }
  return left.length;
}
