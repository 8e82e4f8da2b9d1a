import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { iterate } from '../../../src/protocol/pagedList.ts';
import type { CallItem, SessionState } from '../../../src/protocol/state.ts';
import { historyFaults } from '../../support/checkHistory.ts';
import { type DiskWorld, makeDiskWorld } from '../../support/diskWorld.ts';

async function newWorld(mode: 'default' | 'plan' | 'yolo' = 'default'): Promise<DiskWorld> {
  const world = await makeDiskWorld({ open: [] }, { mode });
  onTestFinished(() => world.dispose());
  return world;
}

function cardsOf({ chapters }: SessionState): readonly CallItem[] {
  const items = chapters.flatMap(chapter => [...iterate(chapter.items)]);
  return items.filter(item => item.type === 'call');
}

/** The words of the newest request. */
function sent({ model }: DiskWorld): string {
  return JSON.stringify(model.requests.at(-1)?.messages);
}

async function untilRunning(world: DiskWorld): Promise<void> {
  await expect.poll(() => cardsOf(world.session.state).at(-1)?.status.kind).toBe('running');
}

describe('a command of the user', () => {
  it('runs without a model and without an ask, and the next prompt brings its output along', async () => {
    const world = await newWorld();
    expect(await world.session.runCommand('echo out; echo err >&2; exit 3', 'next')).toEqual({
      kind: 'rested',
    });
    expect(world.model.requests).toHaveLength(0);
    expect(world.events.map(({ type }) => type)).not.toContain('call.asked');
    expect(cardsOf(world.session.state)).toMatchObject([
      {
        tool: 'user_command',
        effect: 'run',
        title: 'Run echo out; echo err >&2; exit 3',
        status: { kind: 'ended', outcome: 'ok', display: { detail: { exitCode: 3 } } },
      },
    ]);
    await world.turn('why?');
    expect(sent(world)).toMatch(/command of their own.*exit 3.*Exit code: 3.*out.*err.*why\?/);
    const { messages } = world.model.requests.at(-1)!;
    expect(historyFaults(messages)).toEqual([]);
  });

  it('is the same after a resume, and gone after going back to before it', async () => {
    const world = await newWorld();
    await world.turn('first');
    await world.session.runCommand('echo later', 'next');
    await world.reopen();
    expect(world.session.state).toEqual(await world.readFold());
    const prompt = [...iterate(world.session.state.chapters.at(-1)!.items)].findLast(
      item => item.type === 'prompt',
    );
    expect(prompt).toMatchObject({ text: '!echo later' });
    expect(prompt).not.toHaveProperty('spent');
    await world.turn('second');
    expect(sent(world)).toContain('later');
    await world.session.rewind({ kind: 'turn', turnId: prompt!.id }, 'both');
    await world.turn('third');
    expect(sent(world)).not.toContain('later');
  });

  it('changes files as the user: nothing of it waits for review or goes back', async () => {
    const world = await newWorld();
    await world.turn('first');
    await world.session.runCommand('echo mine > mine.txt', 'next');
    expect(world.session.state.reviews).toEqual([]);
    expect(world.session.state.chapters.map(({ files, calls }) => ({ files, calls }))).toEqual([
      { files: [], calls: 0 },
    ]);
    const first = [...iterate(world.session.state.chapters[0]!.items)].find(item => item.type === 'prompt')!;
    await world.session.rewind({ kind: 'turn', turnId: first.id }, 'both');
    expect(await readFile(join(world.workspace, 'mine.txt'), 'utf8')).toBe('mine\n');
  });

  it('runs in Plan mode, too: that holds the agent', async () => {
    const world = await newWorld('plan');
    await world.session.runCommand('echo x > x.txt', 'next');
    expect(await world.readFiles()).toEqual({ 'x.txt': 'x\n' });
  });

  it('is stopped like a turn, and what it had printed stays', async () => {
    const world = await newWorld();
    const end = world.session.runCommand('echo begun; sleep 600', 'next');
    await expect.poll(() => JSON.stringify(cardsOf(world.session.state))).toContain('begun\\n');
    await world.session.stop();
    expect(await end).toEqual({ kind: 'rested' });
    expect(cardsOf(world.session.state).at(-1)?.status).toMatchObject({ outcome: 'cancelled' });
    await world.turn('and?');
    expect(sent(world)).toMatch(/stopped.*begun/);
  });

  it('waits while another runs, and one that waits can be edited into a prompt', async () => {
    const world = await newWorld();
    const first = world.session.runCommand('sleep 600', 'next');
    await untilRunning(world);
    expect(await world.session.runCommand('echo second', 'steer')).toBeUndefined();
    expect(await world.session.runCommand('echo third', 'next')).toBeUndefined();
    const { queue } = world.session.state;
    expect(queue.map(({ text, when, command }) => ({ text, when, command }))).toEqual([
      { text: '!echo second', when: 'next', command: true },
      { text: '!echo third', when: 'next', command: true },
    ]);
    world.session.queue.change({ ...queue[1]!, text: 'explain it' });
    await world.session.stop();
    await first;
    world.model.script();
    await world.session.sendQueuedNow(queue[0]!.id);
    await expect.poll(() => sent(world)).toMatch(/echo second.*explain it/);
    expect(cardsOf(world.session.state)).toHaveLength(2);
    await expect.poll(() => world.session.busy).toBe(false);
  });

  it('that Folio did not outlive has an unknown end', async () => {
    const world = await newWorld();
    await world.turn('first');
    await world.session.runCommand('echo lost', 'next');
    await world.cutJournal(lines => {
      const at = lines.findLastIndex(line => line.includes('"call.started"'));
      return lines.slice(0, at + 1);
    });
    expect(cardsOf(world.session.state).at(-1)?.status).toMatchObject({ outcome: 'cancelled' });
    await world.turn('and?');
    expect(sent(world)).toMatch(/own.*echo lost.*is not known/);
    expect(historyFaults(world.model.requests.at(-1)!.messages)).toEqual([]);
  });
});
