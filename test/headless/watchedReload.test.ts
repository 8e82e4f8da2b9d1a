import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { BackgroundWorld, until } from '../support/backgroundWorld.ts';
import { eachTest } from '../support/eachTest.ts';
import { hang, text } from '../support/geminiAnswers.ts';
import { WatchingWindow } from '../support/watchingWindow.ts';

describe('a window that showed a session of the background host is reloaded', () => {
  const world = eachTest(() => BackgroundWorld.make());
  const memory: { last?: string | undefined } = {};

  beforeEach(() => {
    memory.last = undefined;
    // A host that the window starts is that of this user.
    vi.stubEnv('HOME', world.home);
    onTestFinished(() => void vi.unstubAllEnvs());
  });

  async function openWindow(): Promise<WatchingWindow> {
    return await WatchingWindow.open(world, memory);
  }

  /** A session at work that the side bar of a window shows, which is closed then. */
  async function beginWatched(): Promise<string> {
    world.server.script([text('Some words.'), hang]);
    const id = await world.begin('Work');
    await until(async () => world.server.requests.length === 1);
    const window = await openWindow();
    await window.show(id);
    expect(window.isWatching).toBe(true);
    await window.close();
    return id;
  }

  it('and shows it live again, as often as it is reloaded', async () => {
    const id = await beginWatched();
    for (let reload = 0; reload < 2; reload++) {
      const window = await openWindow();
      await window.session.restore();
      expect(window.isWatching).toBe(true);
      expect(window.shown.sessionId).toBe(id);
      await window.send(`Prompt ${reload}`);
      await until(async () => window.shown.queue.length === reload + 1);
      await window.close();
    }
    expect(await world.list()).toContain('Work');
  });

  it('and a tab shows it again, too, while the side bar has another', async () => {
    const id = await beginWatched();
    memory.last = undefined;
    const window = await openWindow();
    await window.session.restore();
    expect(await window.restoreTab(id)).toBe(true);
    expect(window.tabState()?.sessionId).toBe(id);
    expect(window.isWatching).toBe(false);
    expect(memory.last).toBeUndefined();
    await window.close();
  });

  it('and shows it in the next host when its host was killed meanwhile', async () => {
    const id = await beginWatched();
    await world.kill();
    world.server.script([text('Went on.'), hang]);
    const window = await openWindow();
    await window.session.restore();
    expect(window.isWatching).toBe(true);
    expect(window.shown.sessionId).toBe(id);
    await until(async () => JSON.stringify(window.shown).includes('Went on.'));
    await window.close();
  });

  it('and opens it from its journal when its work ended meanwhile', async () => {
    const id = await beginWatched();
    await world.run('--stop', id);
    await world.whenHostEnded();
    const window = await openWindow();
    await window.session.restore();
    expect(window.isWatching).toBe(false);
    expect(window.session.present?.id).toBe(id);
    expect(memory.last).toBe(id);
    await window.close();
  });

  it('and shows a new session when the user had left it, or when it is gone', async () => {
    const id = await beginWatched();
    const leaving = await openWindow();
    await leaving.session.restore();
    await leaving.startNew();
    expect(memory.last).toBeUndefined();
    await leaving.close();
    memory.last = 'neverThere';
    const window = await openWindow();
    await window.session.restore();
    expect(window.shown.title).toBe('');
    expect(memory.last).toBeUndefined();
    await window.show(id);
    expect(memory.last).toBe(id);
    await window.close();
  });
});
