import { describe, expect, it } from 'vitest';
import { HostClient } from '../../src/extension/headless/client/hostClient.ts';
import { WatchedSession } from '../../src/extension/vscode/features/sessions/watchedSession.ts';
import { iterate } from '../../src/protocol/pagedList.ts';
import type { CallItem, SessionState } from '../../src/protocol/state.ts';
import { BackgroundWorld, until } from '../support/backgroundWorld.ts';
import { eachTest } from '../support/eachTest.ts';
import { call, hang, text } from '../support/geminiAnswers.ts';

describe('a window that shows a session of the background host', () => {
  const world = eachTest(() => BackgroundWorld.make());

  /** Follows it as a window does. */
  async function watch(sessionId: string) {
    const connection = await new HostClient(world.home, 'none').connect({ type: 'attach', sessionId });
    const watched = new WatchedSession(sessionId, { warn() {} });
    const returned: string[] = [];
    watched.onDidReturn(({ prompt, reason = 'gone' }) => returned.push(`${prompt.text}: ${reason}`));
    let end: Promise<string> | undefined;
    await new Promise<void>(resolve => {
      end = watched.follow(connection!, resolve);
    });
    return { watched, returned, end: end! };
  }

  const prompt = (words: string, how = 'next') => ({
    type: 'prompt.send',
    text: words,
    attachments: [],
    how,
  });

  it('sees all that was missed, and two decide at once: the first answer counts, the other sees it', async () => {
    const command = 'echo made >> made.txt';
    world.server.script([call('run_shell_command', { command })], [text('Made.')]);
    const id = await world.begin('Make it');
    await until(async () => (await world.list()).includes('waiting'));
    const [one, two] = [await watch(id), await watch(id)];
    expect(one.watched.state).toEqual(two.watched.state);
    const [asking] = callsOf(one.watched.state);
    if (asking?.status.kind !== 'asking') throw new Error('It does not ask.');
    const decide = (kind: string) => ({
      type: 'call.decide',
      callId: asking.id,
      askId: asking.status.kind === 'asking' ? asking.status.ask.id : '',
      decision: { kind },
    });
    one.watched.send(decide('once'));
    two.watched.send(decide('deny'));
    expect(await Promise.all([one.end, two.end])).toEqual(['left', 'left']);
    expect(one.watched.state).toEqual(two.watched.state);
    expect(callsOf(two.watched.state)[0]?.status).toMatchObject({ kind: 'ended' });
    expect(two.watched.hasLeft).toBe(true);
    expect([...one.returned, ...two.returned]).toEqual([]);
  });

  it('sends prompts, which wait, are changed and go first, and stops the turn', async () => {
    world.server.script([hang], [hang], [text('Third.')], [text('Second.')]);
    const id = await world.begin('First');
    const { watched, returned, end } = await watch(id);
    await until(async () => world.server.requests.length === 1);
    watched.send(prompt('Second'));
    watched.send(prompt('Third'));
    await until(async () => watched.state.queue.length === 2);
    const [second, third] = watched.state.queue;
    watched.send({ type: 'queue.change', prompt: { ...second!, text: 'Second, changed' } });
    watched.send({ type: 'queue.sendNow', id: third!.id });
    await until(async () => world.server.requests.length === 2);
    watched.send({ type: 'queue.remove', id: second!.id });
    await until(async () => watched.state.queue.length === 0);
    watched.send(prompt('Instead', 'stopAndSend'));
    expect(await end).toBe('left');
    expect(returned).toEqual([]);
    expect(await world.journal(id)).toContain('Second, changed');
  });

  it('gets a prompt back that a killed host did not take', async () => {
    world.server.script([text('Some words.\nAnd '), hang]);
    const id = await world.begin('Work');
    const first = await watch(id);
    await until(async () => JSON.stringify(first.watched.state).includes('And '));
    process.kill((await world.findHost())!, 'SIGSTOP');
    expect(first.watched.send(prompt('Also this'))).toBe(true);
    await world.kill();
    expect(await first.end).toBe('gone');
    expect(first.returned).toEqual(['Also this: gone']);
    expect(first.watched.send(prompt('And this'))).toBe(false);
    world.server.script([text('Went on.')], [text('Also that.')]);
    await world.run('--background', '--resume', id);
    await world.whenHostEnded();
    expect(await world.journal(id)).not.toContain('Also this');
  });

  it('numbers refused lines for each client alone', async () => {
    world.server.script([hang]);
    const id = await world.begin('Work');
    const [one, two] = [await watch(id), await watch(id)];
    one.watched.send({ type: 'nonsense' });
    one.watched.send(prompt('/nothing'));
    await until(async () => one.returned.length > 0);
    expect(one.returned[0]).toContain('/nothing: ');
    expect(two.returned).toEqual([]);
  });
});

function callsOf({ chapters }: SessionState): readonly CallItem[] {
  return chapters.flatMap(({ items }) =>
    [...iterate(items)].flatMap(item => (item.type === 'call' ? [item] : [])),
  );
}
