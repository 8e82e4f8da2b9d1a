import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { makeWorld, type WorldOptions } from '../../support/conversation.ts';
import { eachTest } from '../../support/eachTest.ts';
import { makeHookFolder, oneHook, runsIn } from '../../support/hookWorld.ts';

const answers: WorldOptions['answers'] = [
  { parts: [{ kind: 'call', id: 'c', name: 'write_file', args: { file_path: 'a.txt', content: 'b' } }] },
  { parts: [{ kind: 'text', text: 'Done.' }] },
];

const ofTurn = [
  'SessionStart',
  'BeforeAgent',
  'BeforeModel',
  'BeforeToolSelection',
  'AfterModel',
  'BeforeTool',
  'AfterTool',
  'AfterAgent',
];

describe.skipIf(process.platform === 'win32')('a hook that never ends and heeds no request', () => {
  const folder = eachTest(() => makeHookFolder());

  async function hanging(event: string, mode: 'yolo' | 'default' = 'yolo') {
    const file = join(folder.folder, 'pids');
    const child = "(trap '' TERM; while :; do sleep 1; done)";
    await folder.ofUser(
      oneHook(event, `trap '' TERM; ${child} & echo "$$ $!" > '${file}'; while :; do sleep 1; done`),
    );
    const { hooks, workspace } = folder;
    return makeWorld({ answers, hooks, folder: workspace, files: { 'a.txt': 'alpha' }, mode });
  }

  async function pids(): Promise<readonly number[]> {
    for (;;) {
      const text = await readFile(join(folder.folder, 'pids'), 'utf8').catch(() => '');
      if (text.includes('\n')) return text.trim().split(' ').map(Number);
      await sleep(10);
    }
  }

  for (const event of ofTurn) {
    it(`at ${event} ends with the turn that the user stops`, async () => {
      const { session } = await hanging(event);
      const end = session.send('go');
      const running = await pids();
      await session.stop();
      expect(await end).toEqual({ kind: 'stopped' });
      expect(session.busy).toBe(false);
      await untilGone(running);
      await session.dispose();
    });
  }

  it('at Notification ends when the session is left', async () => {
    const { session } = await hanging('Notification', 'default');
    const end = session.send('go');
    const running = await pids();
    await session.dispose();
    expect(await end).toEqual({ kind: 'stopped' });
    await untilGone(running);
  });

  it('at SessionEnd is not waited for as long as others are, and everything else is kept before', async () => {
    const { session, events } = await hanging('SessionEnd');
    await session.send('go');
    const left = session.dispose();
    const running = await pids();
    folder.clock.pass(3000);
    await left;
    await untilGone(running);
    expect(runsIn(events)).toMatchObject([
      { outcome: 'timedOut', summary: expect.stringContaining('3 seconds') },
    ]);
  });
});

/** A process that has ended and that nobody has asked about yet is none that runs. */
async function untilGone(pids: readonly number[]): Promise<void> {
  const list = promisify(execFile);
  for (;;) {
    const { stdout } = await list('ps', ['-A', '-o', 'pid=,stat=']);
    const rows = stdout.split('\n').map(row => row.trim().split(/\s+/));
    if (!rows.some(([pid, state]) => pids.includes(Number(pid)) && !state?.startsWith('Z'))) return;
    await sleep(20);
  }
}
