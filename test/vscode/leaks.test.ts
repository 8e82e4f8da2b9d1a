import { expect, test } from 'vitest';
import { Emitter } from '../../src/extension/base/emitter.ts';
import { Session } from '../../src/extension/core/session/session.ts';
import { ActiveSession } from '../../src/extension/vscode/activeSession.ts';
import { PanelFeed } from '../../src/extension/vscode/panel/panelFeed.ts';
import { ShownSession } from '../../src/extension/vscode/panel/shownSession.ts';
import { type DiskWorld, makeDiskWorld, type ScriptedCall } from '../support/diskWorld.ts';
import { countTimers, type Holdings, readHoldings } from '../support/liveObjects.ts';
import { runSize } from '../support/runSize.ts';

const preview = { folders: ['/project'], model: 'bench', mode: 'yolo' as const };
const log = { debug() {}, info() {}, warn() {}, error() {} };

/** More than stay in memory beside the shown one. */
const warmUpSessions = 8;
const turnsOfSession = 4;
const sessions = runSize({ test: 10, prove: 750 });

/**
 * What a closed session has done is on the disk. Code that is compiled meanwhile counts too, some 12,000 bytes a turn in
 * so short a run; a session that stayed would take several times as much.
 */
const bytesOfTurn = 16_000;

/** What a turn does: an edit, a new file, a command, a read, or only an answer. */
function callsOf(turn: number): readonly ScriptedCall[] {
  const file_path = `file${turn % turnsOfSession}.txt`;
  const write: ScriptedCall = ['write_file', { file_path, content: `Turn ${turn}\n`.repeat(20) }];
  const read: ScriptedCall = ['read_file', { file_path }];
  const command = `echo ${turn} >> file${turn % turnsOfSession}.txt`;
  const run: ScriptedCall = ['run_shell_command', { command, description: 'Adds a line' }];
  return [[write], [write, read], [run], [read, run], []][turn % 5]!;
}

test('turns with edits and commands in many sessions leave nothing behind', async () => {
  const world = await makeDiskWorld();
  const active = openWindow(world);
  const warnings: string[] = [];
  const onWarning = ({ name, message }: Error) => warnings.push(`${name}: ${message}`);
  process.on('warning', onWarning);
  try {
    let turn = 0;
    const use = async (count: number) => {
      for (let session = 0; session < count; session++) {
        await active.startNew();
        for (let index = 0; index < turnsOfSession; index++) await play(world, active, turn++);
        await goBack(active);
      }
      return await settle(world, active);
    };
    const before = await use(warmUpSessions);
    const after = await use(sessions);
    // What ends late is waited for; what stays is a leak. To count takes long.
    let newest = after;
    const findLeaks = async () => {
      const leaks = exceeding(newest, before);
      if (leaks.length > 0) newest = await settle(world, active);
      return leaks;
    };
    await expect.poll(findLeaks, { timeout: 500_000, interval: 1000 }).toEqual([]);
    const grown = (after.heap - before.heap) / (sessions * turnsOfSession);
    expect(grown).toBeLessThan(bytesOfTurn);
    // https://github.com/anthropics/claude-code/issues/35968: listeners of the process's exit, more with each session.
    expect(warnings.filter(warning => warning.includes('MaxListeners'))).toEqual([]);
  } finally {
    process.off('warning', onWarning);
    await active.close();
    await world.dispose();
  }
});

/** All but the heap, which is never twice the same. */
function exceeding(after: Holdings, before: Holdings): readonly string[] {
  const flat = ({ resources, handles, processListeners, counts }: Holdings): Record<string, number> => ({
    ...resources,
    ...counts,
    handles,
    processListeners,
  });
  const known = flat(before);
  return Object.entries(flat(after))
    .filter(([name, count]) => count > (known[name] ?? 0))
    .map(([name, count]) => `${name}: ${known[name] ?? 0}, then ${count}`);
}

/** The host's part of a window with its panel open. */
function openWindow({ agent }: DiskWorld): ActiveSession {
  let last: string | undefined;
  const active = new ActiveSession(
    async () => agent,
    {
      read: () => last,
      write: id => {
        last = id;
      },
    },
    () => preview,
    () => {},
    log,
  );
  const feed = new PanelFeed(
    () => {},
    () => active.state,
  );
  active.onEvent(() => feed.changed());
  active.onDidSwitch(() => feed.update());
  feed.attach(state => new ShownSession(state));
  return active;
}

async function play({ model }: DiskWorld, active: ActiveSession, turn: number): Promise<void> {
  model.script(...callsOf(turn));
  const end = await active.send(`Turn ${turn}`, []);
  if (end?.kind !== 'rested') throw new Error(`The turn did not rest: ${JSON.stringify(end)}`);
}

/** To another open session and back. */
async function goBack(active: ActiveSession): Promise<void> {
  const { present } = active;
  const other = active.opened.asked.find(each => each !== present);
  if (!other || !present) return;
  await active.switchTo(other.id);
  await active.switchTo(present.id);
}

/** What is held once all that was under way has ended: no timer runs but the beats of the locks of open sessions. */
async function settle({ model }: DiskWorld, active: ActiveSession): Promise<Holdings> {
  model.requests.length = 0;
  await active.opened.trim(active.present);
  const polls = countTimers('timer._repeat > 0 && timer._repeat < 10_000');
  // Each count goes through the whole heap, so the others wait for this one.
  const isIdle = async () => (await readHoldings({ polls })).counts.polls === 0;
  await expect.poll(isIdle, { timeout: 240_000, interval: 250 }).toBe(true);
  return await readHoldings({
    listeners: {
      prototype: Emitter.prototype,
      measure: 'all.reduce((sum, { listeners }) => sum + (listeners?.size ?? 0), 0)',
    },
    sessions: { prototype: Session.prototype, measure: 'all.length' },
    emitters: { prototype: Emitter.prototype, measure: 'all.length' },
    beats: countTimers('timer._repeat >= 10_000'),
    polls,
  });
}
