import { beforeEach, describe, expect, test } from 'vitest';
import { listTree } from '../../../src/extension/node/processes/processTable.ts';
import type { RunningProcess } from '../../../src/extension/platform/processes.ts';
import { makeDiskWorld } from '../../support/diskWorld.ts';
import { eachTest } from '../../support/eachTest.ts';

describe.skipIf(process.platform === 'win32')('a command that the user wants to answer', () => {
  const world = eachTest(() =>
    makeDiskWorld(undefined, { mode: 'default', interactive: true, hasWindow: true }),
  );
  let started: RunningProcess[];
  /** Typed when a command waits for it. */
  let word: string;

  beforeEach(async () => {
    word = 'blue';
    started = [];
    world.processes.onDidStart(running => {
      started.push(running);
      running.keyboard?.onDidChangeWaiting(waits => {
        if (waits) running.keyboard?.write(`${word}\r`);
      });
    });
  });

  const command = 'echo begun >> log; read -p "Colour? " colour; echo "It is ${colour:-nothing}, at $(tty)."';
  const last = <T>(list: readonly T[]) => list.at(-1);
  const findAsk = () => last(world.events.flatMap(each => (each.type === 'call.asked' ? [each] : [])));
  const reported = () => world.events.flatMap(({ type }) => (/^call\.(de|st|e)/.test(type) ? [type] : []));

  /** Sends the prompt and waits for the question about the command. */
  async function askAbout(line: string, args: object = {}) {
    const turn = world.turn('Paint it.', ['run_shell_command', { command: line, ...args }]);
    turn.catch(() => {
      // The test awaits it, but may fail before.
    });
    await expect.poll(findAsk).toBeDefined();
    return { turn, asked: findAsk()! };
  }

  /** The result as the model read it. */
  function resultText(): string {
    const messages = world.model.requests.flatMap(each => each.messages);
    const parts = messages.flatMap(message => message.parts);
    return last(parts.flatMap(part => (part.kind === 'result' ? [part.text] : []))) ?? '';
  }

  test('at the ask: it gets a terminal, its program is answered, and the model is told who does', async () => {
    const { turn, asked } = await askAbout(command);
    expect(asked.ask.subject).toMatchObject({ kind: 'command', terminal: 'offered' });
    expect(world.session.decide(asked.callId, { kind: 'interactive', askId: asked.ask.id })).toBe(true);
    await turn;
    expect(resultText()).toMatch(
      /^The user has it run in a terminal, where they answer[^\n]*\nExit code: 0\n[\s\S]*It is blue, at \/dev\//,
    );
    const decided = world.events.find(each => each.type === 'call.decided');
    expect(decided).toMatchObject({ decision: 'interactive' });
    const runs = world.events.find(each => each.type === 'call.started');
    expect(runs).not.toHaveProperty('canRestart', true);
    expect(world.session.restartCommand(asked.callId)).toBe(false);
  });

  test('without that choice it reads the end of its input, as before', async () => {
    const { turn, asked } = await askAbout(command);
    world.session.decide(asked.callId, { kind: 'once', askId: asked.ask.id });
    await turn;
    expect(resultText()).toMatch(/It is nothing, at not a tty/);
    expect(started[0]?.keyboard).toBeUndefined();
  });

  test('as it runs: it is stopped whole and starts again in a terminal', async () => {
    const { turn, asked } = await askAbout(`${command}; [ -t 0 ] || sleep 300`);
    world.session.decide(asked.callId, { kind: 'once', askId: asked.ask.id });
    const first = () => world.events.find(each => each.type === 'call.output');
    await expect.poll(first).toBeDefined();
    expect(world.events.find(each => each.type === 'call.started')).toMatchObject({ canRestart: true });
    expect(world.session.restartCommand(asked.callId)).toBe(true);
    expect(world.session.restartCommand(asked.callId)).toBe(false);
    await turn;
    expect(resultText()).toMatch(
      /^The user stopped it and ran it again\.\nThe user has it run in a terminal/,
    );
    expect(resultText()).toMatch(/It is blue, at \/dev\//);
    expect(resultText()).not.toContain('It is nothing');
    expect((await world.readFiles()).log).toBe('begun\nbegun\n');
    expect(reported()).toEqual(['call.decided', 'call.started', 'call.started', 'call.ended']);
    expect(await listTree(new Set(started.map(({ pid }) => pid!)))).toEqual([]);
  });

  test('a stop while it starts again ends the call and leaves nothing running', async () => {
    word = '';
    const line = 'touch begun; [ -t 0 ] || echo first; sleep 300';
    world.model.script(['run_shell_command', { command: line }]);
    const turn = world.session.send('Wait.');
    await expect.poll(findAsk).toBeDefined();
    const { callId, ask } = findAsk()!;
    world.session.decide(callId, { kind: 'once', askId: ask.id });
    await expect.poll(() => world.events.find(each => each.type === 'call.output')).toBeDefined();
    world.session.restartCommand(callId);
    await expect.poll(() => started.length).toBe(2);
    await world.session.stop();
    expect((await turn).kind).toBe('stopped');
    expect(world.events.filter(each => each.type === 'call.ended')).toHaveLength(1);
    expect(await listTree(new Set(started.map(({ pid }) => pid!)))).toEqual([]);
  });

  test('nothing is offered for one in the background, and one that the model wants answered says so', async () => {
    const background = await askAbout('touch begun', { is_background: true });
    expect(background.asked.ask.subject).not.toHaveProperty('terminal', 'offered');
    world.session.decide(background.asked.callId, { kind: 'deny', askId: background.asked.ask.id });
    await background.turn;
    const before = world.events.length;
    const turn = world.turn('Again.', ['run_shell_command', { command, interactive: true }]);
    await expect.poll(() => world.events.slice(before).some(each => each.type === 'call.asked')).toBe(true);
    const { callId, ask } = findAsk()!;
    expect(ask.subject).toMatchObject({ terminal: 'wanted' });
    world.session.decide(callId, { kind: 'once', askId: ask.id });
    await turn;
    expect(resultText()).toMatch(/^Exit code: 0/);
  });
});
