/* Which calls of one answer run at the same time: real commands that wait at named pipes. */

import { execFileSync } from 'node:child_process';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SessionEvent } from '../../src/protocol/events.ts';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { eventsOf } from '../support/headlessProgram.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

const world = eachTest(() => HeadlessWorld.make());
const pipes: FileHandle[] = [];

beforeEach(async () => {
  for (const name of ['one', 'two']) execFileSync('mkfifo', [join(world.workspace, name)]);
});

afterEach(async () => {
  await letGo();
});

/** Resolves once a command reads the pipe; it continues reading until it is let go. */
async function hold(name: string): Promise<void> {
  const path = join(world.workspace, name);
  await expect
    .poll(async () => {
      // Fails while nobody reads.
      const pipe = await open(path, constants.O_WRONLY | constants.O_NONBLOCK).catch(() => undefined);
      if (pipe) pipes.push(pipe);
      return pipe !== undefined;
    })
    .toBe(true);
}

async function letGo(): Promise<void> {
  await Promise.all(pipes.splice(0).map(pipe => pipe.close()));
}

const shell = (command: string) => call('run_shell_command', { command });
const args = ['--prompt', 'go', '--approval-mode', 'yolo', '--output-format', 'stream-json'];

const order = (events: readonly SessionEvent[]) =>
  events.flatMap(({ type }) => (type === 'call.started' || type === 'call.ended' ? type : []));

it('commands that only read run together, beside other readers', async () => {
  world.server.script([shell('cat one'), call('list_directory', { dir_path: '.' }), shell('cat two | head')]);
  world.server.script([text('Done.')]);
  const run = world.run(args);
  await hold('one');
  await hold('two');
  await letGo();
  const { code, out } = await run;
  expect(code).toBe(0);
  expect(order(eventsOf(out)).slice(0, 3)).toEqual(Array(3).fill('call.started'));
});

it('a command that may change something waits for those before it, and those behind it wait for it', async () => {
  world.server.script([shell('cat one'), shell('cat two > three'), shell('cat three')]);
  world.server.script([text('Done.')]);
  const run = world.run(args);
  await hold('one');
  await letGo();
  await hold('two');
  await letGo();
  const { code, out } = await run;
  expect(code).toBe(0);
  expect(order(eventsOf(out))).toEqual(Array(3).fill(['call.started', 'call.ended']).flat());
});
