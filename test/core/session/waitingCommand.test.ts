import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listTree } from '../../../src/extension/node/processes/processTable.ts';
import { SystemClock } from '../../../src/extension/node/systemClock.ts';
import type { RunningProcess } from '../../../src/extension/platform/processes.ts';
import { iterate } from '../../../src/protocol/pagedList.ts';
import { type DiskWorld, makeDiskWorld, type ScriptedCall } from '../../support/diskWorld.ts';

/** The model is told of a prompt after half a second in place of 15. */
class HurriedClock extends SystemClock {
  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return super.sleep(ms === 1_000 ? 33 : ms, signal);
  }
}

const command = 'echo $$ > pid; read -p "Colour? " colour; echo "It is $colour." > answer';
const asks: ScriptedCall = ['run_shell_command', { command, interactive: true }];

describe.skipIf(process.platform === 'win32')('a command that waits for input', () => {
  let world: DiskWorld;
  let running: RunningProcess;

  beforeEach(async () => {
    const clock = new HurriedClock();
    world = await makeDiskWorld(undefined, { interactive: true, hasWindow: true, clock });
    world.processes.onDidStart(started => {
      running = started;
    });
    world.session.setMode('yolo');
    await world.turn('Paint it.', asks);
    expect(resultText()).toContain('Waits for input. Process id:');
    expect(await isRunning()).toBe(true);
  });

  afterEach(async () => {
    await world.dispose();
    expect(await isRunning()).toBe(false);
  });

  /** By its process id, as the system knows it. */
  const isRunning = async () => (await listTree(new Set([running.pid!]))).length > 0;
  const send = (text: string): ScriptedCall => ['send_input', { id: running.pid, text }];

  /** What the model read last of a call. */
  function resultText(): string {
    const parts = world.model.requests.flatMap(({ messages }) => messages.flatMap(message => message.parts));
    return parts.flatMap(part => (part.kind === 'result' ? [part.text] : [])).at(-1) ?? '';
  }

  async function answered(colour: string, process = running) {
    await process.exit;
    expect((await world.readFiles()).answer).toBe(`It is ${colour}.\n`);
  }

  /** The calls whose cards have a button that leads to the terminal. */
  const cards = (state = world.session.state) =>
    state.chapters
      .flatMap(({ items }) => [...iterate(items)])
      .flatMap(item =>
        item.type === 'call' && 'waits' in item.status && item.status.waits
          ? [{ id: item.id, kind: item.status.kind, startedBy: item.status.startedBy }]
          : [],
      );

  test('outlives its turn: the model answers it in a later one', async () => {
    expect(cards()).toEqual([{ id: 'call1', kind: 'ended', startedBy: undefined }]);
    await world.turn('Blue.', send('blue'));
    await expect.poll(() => cards()).toEqual([]);
    expect(resultText()).toMatch(/^Exit code: 0/);
    await answered('blue');
  });

  test('outlives its turn: the user answers it in its terminal, and the model reads how it ended', async () => {
    running.keyboard?.write('red\r');
    await answered('red');
    expect(cards()).toEqual([]);
    await world.turn('And?', ['send_input', { id: running.pid }]);
    expect(resultText()).toMatch(/^Exit code: 0/);
  });

  test('outlives the stop of a later turn that does something else', async () => {
    world.model.script(['run_shell_command', { command: 'echo on; sleep 300' }]);
    const turn = world.session.send('Wait.');
    const waiting = running;
    await expect.poll(() => running !== waiting).toBe(true);
    await world.session.stop();
    expect((await turn).kind).toBe('stopped');
    expect(await isRunning()).toBe(false);
    running = waiting;
    expect(await isRunning()).toBe(true);
    // The rest of the script that was stopped.
    await world.session.send('Continue.');
    await world.turn('Blue.', send('blue'));
    await answered('blue');
  });

  test('ends with the stop of a turn in which the model follows it', async () => {
    world.model.script(['send_input', { id: running.pid }]);
    const turn = world.session.send('Look.');
    const follows = () => world.events.filter(({ type }) => type === 'call.waited').length > 1;
    await expect.poll(follows).toBe(true);
    await world.session.stop();
    expect((await turn).kind).toBe('stopped');
    expect(await isRunning()).toBe(false);
  });

  test('outlives a rewind of files and conversation, and can be answered afterwards', async () => {
    const began = world.events.find(event => event.type === 'turn.started');
    await world.session.rewind({ kind: 'turn', turnId: began?.turnId ?? '' }, 'both');
    expect(await isRunning()).toBe(true);
    await world.turn('Green.', send('green'));
    await answered('green');
  });

  test('outlives its session being closed, as deleting one does: opened again, it finds its command', async () => {
    await world.reopen();
    world.session.setMode('yolo');
    expect(await isRunning()).toBe(true);
    expect(cards()).toMatchObject([{ id: 'call1' }]);
    expect(cards(await world.readFold())).toMatchObject([{ id: 'call1' }]);
    await world.turn('Blue.', send('blue'));
    expect(resultText()).toMatch(/^Exit code: 0/);
    await answered('blue');
  });

  test('that ended while its session was closed has no button there', async () => {
    await world.session.dispose();
    await running.stop();
    expect(cards(await world.readFold())).toMatchObject([{ id: 'call1' }]);
    await world.reopen();
    expect(cards()).toEqual([]);
  });

  test('has its button on the newest of the cards that are about it, while others have theirs', async () => {
    const first = running;
    const again = command.replaceAll(/pid|answer/g, 'other');
    await world.turn('Another.', ['run_shell_command', { command: again, interactive: true }]);
    const second = running;
    expect(second.pid).not.toBe(first.pid);
    expect(cards().map(({ id }) => id)).toEqual(['call1', 'call2']);
    await world.turn('Look.', ['send_input', { id: first.pid }]);
    expect(cards()).toEqual([
      { id: 'call2', kind: 'ended', startedBy: undefined },
      { id: 'call3', kind: 'ended', startedBy: 'call1' },
    ]);
    first.keyboard?.write('blue\r');
    await answered('blue', first);
    expect(cards().map(({ id }) => id)).toEqual(['call2']);
  });

  test('is out of reach for the model of another session', async () => {
    const { id } = world.session;
    await world.agent.newSession().dispose();
    const other = world.agent.newSession();
    other.setMode('yolo');
    world.model.script(send('blue'));
    await other.send('Answer it.');
    expect(resultText()).toMatch(/belongs to another session|no tool/i);
    expect(other.id).not.toBe(id);
    expect(await isRunning()).toBe(true);
    expect(await world.readFiles()).not.toHaveProperty('answer');
    await other.dispose();
  });

  test('ends when the window closes', async () => {
    await world.session.dispose();
    expect(await isRunning()).toBe(true);
    await world.processes.dispose();
    expect(await isRunning()).toBe(false);
    expect(await world.readFiles()).not.toHaveProperty('answer');
  });
});
