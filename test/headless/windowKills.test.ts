import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import type { SessionEvent } from '../../src/protocol/events.ts';
import { BackgroundWorld, until } from '../support/backgroundWorld.ts';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { environment, eventsOf, headlessEntry } from '../support/headlessProgram.ts';
import { chanceFrom, runSize, seed } from '../support/runSize.ts';

const kills = runSize({ test: 2, prove: 200 });
const program = fileURLToPath(new URL('../support/handoverWindow.ts', import.meta.url));

const world = eachTest(() => BackgroundWorld.make());

it(
  `a session that goes to the background and back loses and doubles nothing, however often its window is killed (seed ${seed})`,
  async () => {
    const chance = chanceFrom();
    const settings = join(world.home, 'settings.json');
    await writeFile(settings, JSON.stringify({ folio: { loopDetection: false, maxSteps: 10_000 } }));
    world.server.afterScript([
      text('One more look.'),
      { kind: 'pause', ms: 30 },
      call('list_directory', { dir_path: '.' }),
    ]);
    const id = await world.begin('Look around', '--settings', settings);
    const shown = new Map<number, SessionEvent>();
    for (let kill = 0; kill < kills; kill++) {
      const window = startWindow([id, ...world.places, '--settings', settings], world.home);
      await until(async () => window.out() !== '' || window.child.exitCode !== null);
      expect(window.child.exitCode).toBeNull();
      await sleep(chance() * 3000);
      window.child.kill('SIGKILL');
      await once(window.child, 'close');
      // The last line may be half.
      const whole = window.out().slice(0, window.out().lastIndexOf('\n') + 1);
      for (const event of eventsOf(whole)) shown.set(event.seq, event);
    }
    world.server.afterScript([text('Finished.')]);
    if ((await world.findHost()) === undefined)
      await world.run('--background', '--resume', id, '--settings', settings);
    await world.whenHostEnded();
    const journal = eventsOf(await world.journal(id));
    const recorded = new Map(journal.map(event => [event.seq, event]));
    expect(journal.map(({ seq }) => seq)).toEqual([...recorded.keys()].toSorted((a, b) => a - b));
    for (const event of shown.values())
      if (!event.type.endsWith('.appended')) expect(recorded.get(event.seq)).toEqual(event);
    // Each side goes on after it has got the session.
    expect(journal.filter(({ type }) => type === 'turn.retried').length).toBeGreaterThanOrEqual(kills);
    expect(journal.filter(({ type }) => type === 'session.started')).toHaveLength(1);
    expect(journal.filter(event => event.type === 'turn.started')).toHaveLength(1);
    expect(JSON.stringify(journal.slice(-10))).toContain('Finished.');
    expect(await world.list()).toBe('');
  },
  kills * 60_000,
);

function startWindow(
  args: readonly string[],
  home: string,
): { readonly child: ChildProcessByStdio<null, Readable, null>; readonly out: () => string } {
  const env = environment(home, { GEMINI_API_KEY: 'test' });
  const child = spawn(process.execPath, [program, headlessEntry, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  }) as ChildProcessByStdio<null, Readable, null>;
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  child.stdout.setEncoding('utf8').on('data', piece => (out += piece));
  return { child, out: () => out };
}
