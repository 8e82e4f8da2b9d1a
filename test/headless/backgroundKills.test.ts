import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { SessionEvent } from '../../src/protocol/events.ts';
import { BackgroundWorld, until } from '../support/backgroundWorld.ts';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { eventsOf } from '../support/headlessProgram.ts';
import { chanceFrom, runSize, seed } from '../support/runSize.ts';

const kills = runSize({ test: 2, prove: 200 });

const world = eachTest(() => BackgroundWorld.make());

it(
  `a session loses nothing that was shown and goes on, however often its host is killed (seed ${seed})`,
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
    const resume = () => world.run('--background', '--resume', id, '--settings', settings);
    const shown = new Map<number, SessionEvent>();
    for (let kill = 0; kill < kills; kill++) {
      const view = world.follow(id);
      await until(async () => view.out() !== '');
      await sleep(chance() * 800);
      expect(await world.findHost()).toBeDefined();
      await world.kill();
      await view.exit;
      for (const event of eventsOf(view.out())) shown.set(event.seq, event);
      expect(await world.list()).toContain(`${id}  interrupted  `);
      const resuming = resume();
      if (chance() < 0.5) {
        // Killed once more while it takes the session over.
        await until(async () => (await world.findHost()) !== undefined);
        await sleep(chance() * 1200);
        await world.kill();
      }
      const { code } = await resuming;
      if (code !== 0 || (await world.findHost()) === undefined)
        expect(await resume()).toMatchObject({ code: 0 });
    }
    world.server.afterScript([text('Finished.')]);
    await world.whenHostEnded();
    const journal = eventsOf(await world.journal(id));
    const recorded = new Map(journal.map(event => [event.seq, event]));
    expect(journal.map(({ seq }) => seq)).toEqual([...recorded.keys()].toSorted((a, b) => a - b));
    expect(shown.size).toBeGreaterThan(0);
    // Pieces of an answer are recorded by lines: the last one may be lost, of which no message came.
    for (const event of shown.values())
      if (!event.type.endsWith('.appended')) expect(recorded.get(event.seq)).toEqual(event);
    expect(JSON.stringify(journal.slice(-10))).toContain('Finished.');
    expect(await world.list()).toBe('');
  },
  kills * 60_000,
);
