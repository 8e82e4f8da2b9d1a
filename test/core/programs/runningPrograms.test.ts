import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeDiskWorld } from '../../support/diskWorld.ts';
import { eachTest } from '../../support/eachTest.ts';
import { isAlive } from '../../support/isAlive.ts';

/** Says where it can be reached, then prints what the file `say` holds whenever that changes, until `stop` is there. */
const server = `echo "Local: http://localhost:5173/"; old=; while [ -d "$PWD" ] && [ ! -e stop ]; do new=$(cat say 2>/dev/null); [ "$new" = "$old" ] || echo "$new"; old=$new; sleep 0.02; done; echo bye; exit 3`;

describe.skipIf(process.platform === 'win32')('a program that a command left running', () => {
  const world = eachTest(() => makeDiskWorld());
  beforeEach(async () => {
    world.session.setMode('yolo');
    await world.turn('Serve it.', [
      'run_shell_command',
      { command: server, is_background: true, delay_ms: 0 },
    ]);
  });
  afterEach(async () => {
    await world.session.programs.stop('call1');
  });

  const program = () => world.session.state.programs?.find(({ id }) => id === 'call1');
  const eventually = (look: () => unknown) => expect.poll(look, { timeout: 60_000 });
  const say = (text: string) => writeFile(join(world.workspace, 'say'), text);
  const said = () =>
    world.model.requests
      .at(-1)!
      .messages.flatMap(({ parts }) => parts.flatMap(part => (part.kind === 'text' ? [part.text] : [])))
      .filter(text => text.startsWith('[New of programs'));

  test('is listed with its address', async () => {
    await eventually(() => program()?.address).toBe('http://localhost:5173/');
    expect(program()).toMatchObject({ command: server, status: 'running', errors: 0 });
  });

  test('has its new errors told to the model once, at its next step', async () => {
    await say('Error: no such table: users');
    await eventually(() => program()?.errors).toBe(1);
    await world.turn('Go on.');
    expect(said()).toEqual([expect.stringContaining('Error: no such table: users')]);
    await world.turn('And on.');
    expect(said()).toHaveLength(1);
  });

  test('has its end told to the model, with its last words', async () => {
    await writeFile(join(world.workspace, 'stop'), '');
    await eventually(() => program()?.status).toBe('ended');
    expect(program()?.exit).toBe('3');
    await world.turn('Go on.');
    expect(said()).toEqual([expect.stringMatching(/It ended: 3\. Its last output:\n[\s\S]*bye/)]);
    world.session.programs.forget('call1');
    expect(program()).toBeUndefined();
  });

  test('is ended and started again by the user, and the model knows', async () => {
    const { pid } = program()!;
    await world.session.programs.restart('call1');
    expect(program()?.status).toBe('running');
    expect(program()?.pid).not.toBe(pid);
    expect(isAlive(pid!)).toBe(false);
    await world.session.programs.stop('call1');
    await eventually(() => program()?.status).toBe('ended');
    await world.turn('Go on.');
    expect(said()).toEqual([expect.stringMatching(/The user restarted it[\s\S]*The user stopped it/)]);
    expect(await readFile(world.session.programs.outputFile('call1')!, 'utf8')).toMatch(/5173[\s\S]*5173/);
  });

  test('is not listed by one who forgets it while it runs', () => {
    world.session.programs.forget('call1');
    expect(program()).toBeDefined();
  });

  test('is listed again in a session that is opened again', async () => {
    await eventually(() => program()?.address).toBeDefined();
    await world.reopen();
    await eventually(() => program()?.status).toBe('running');
  });
});
