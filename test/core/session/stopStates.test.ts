import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ModelError } from '../../../src/extension/core/model.ts';
import type { Session } from '../../../src/extension/core/session/session.ts';
import { listTree } from '../../../src/extension/node/processes/processTable.ts';
import type { SessionEvent } from '../../../src/protocol/events.ts';
import { callFaults } from '../../support/checkHistory.ts';
import { makeWorld, type World, type WorldOptions } from '../../support/conversation.ts';
import { type DiskWorld, makeDiskWorld } from '../../support/diskWorld.ts';
import type { ScriptedAnswer } from '../../support/scriptedModel.ts';
import { treeCommand, treeFiles } from '../../support/stubbornTree.ts';

function world(answers: readonly ScriptedAnswer[], options: Partial<WorldOptions> = {}): World {
  const made = makeWorld({ answers, ...options });
  onTestFinished(() => made.session.dispose());
  return made;
}

/** Resolves with the first event of this kind. */
function first(session: Session, type: SessionEvent['type']): Promise<void> {
  return new Promise(resolve => session.onEvent(event => event.type === type && resolve()));
}

/** Whatever it waits for, a stop ends it; what a user sees afterwards is an agent that rests. */
async function stopAt({ session, events }: World, type: SessionEvent['type']): Promise<void> {
  const reached = first(session, type);
  const end = session.send('go');
  await reached;
  await new Promise(resolve => setImmediate(resolve));
  await session.stop();
  expect(await end).toEqual({ kind: 'stopped' });
  expect(session.state.activity.status).toBe('resting');
  expect(callFaults(events)).toEqual([]);
}

const write: ScriptedAnswer = {
  parts: [{ kind: 'call', id: 'w', name: 'write_file', args: { file_path: 'a', content: 'b' } }],
};

describe('a stop ends the turn', () => {
  it('while a call waits for the user', () => stopAt(world([write]), 'call.asked'));

  it('while an answer comes', () => stopAt(world([{ hang: true, partial: 'So far' }]), 'text.appended'));

  it('before the first word of an answer', () => stopAt(world([{ hang: true }]), 'step.started'));

  it('while it waits before another attempt', async () => {
    const error = new ModelError('overloaded', () => 'The model is busy.', { retryable: true });
    const retrying = world([{ error }]);
    retrying.clock.sleep = (_ms, signal) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    await stopAt(retrying, 'step.retried');
  });

  it('while what the prompt names is read', async () => {
    const reading = world([], {
      readMentions: (_text, _attachments, signal) =>
        new Promise(resolve => signal.addEventListener('abort', () => resolve({ parts: [], mentions: [] }))),
    });
    await stopAt(reading, 'turn.started');
  });

  it('while a call runs that heeds nothing', async () => {
    const { defineReadTool } = await import('../../../src/extension/core/tool.ts');
    const { object } = await import('zod');
    const deaf = defineReadTool({
      name: 'deaf',
      description: 'Never ends.',
      input: () => object({}),
      title: () => 'Deaf',
      run: () => new Promise<never>(() => {}),
    });
    const call: ScriptedAnswer = { parts: [{ kind: 'call', id: 'd', name: 'deaf', args: {} }] };
    const running = world([call], { tools: [deaf] });
    await stopAt(running, 'call.started');
    // It was given time to end automatically, and no more than two seconds of it.
    expect(running.clock.slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(2000);
  });

  it('while the context is compressed', async () => {
    const text = 'word '.repeat(4000);
    const compressing = world([{ parts: [{ kind: 'text', text }] }, { parts: [{ kind: 'text', text }] }]);
    await compressing.session.send(text);
    await compressing.session.send(text);
    compressing.model.answers.push({ hang: true });
    const started = first(compressing.session, 'compression.started');
    const proposing = compressing.session.compressions.propose();
    await started;
    await compressing.session.stop();
    await proposing;
    expect(compressing.session.state.compression).toBeUndefined();
  });
});

describe.skipIf(process.platform === 'win32')('a stop while a command runs', () => {
  async function pids(disk: DiskWorld): Promise<readonly number[]> {
    const read = (name: string) => readFile(join(disk.workspace, name), 'utf8').catch(() => '');
    while (true) {
      const texts = await Promise.all(treeFiles.map(read));
      if (texts.every(text => text.endsWith('\n'))) return texts.map(Number);
      await sleep(10);
    }
  }

  it.each(['stop', 'stopAndSend'] as const)(
    'ends its whole tree, with grandchildren that left the group and heed no request to end (%s)',
    async how => {
      const disk = await makeDiskWorld();
      onTestFinished(() => disk.dispose());
      disk.model.script(['run_shell_command', { command: treeCommand }]);
      const end = disk.session.send('go');
      const found = await pids(disk);
      expect(await listTree(new Set(found))).not.toEqual([]);
      if (how === 'stop') await disk.session.stop();
      else expect(await disk.session.submitPrompt('and now', [], 'stopAndSend')).toEqual({ kind: 'rested' });
      expect(await end).toEqual({ kind: 'stopped' });
      expect(await listTree(new Set(found))).toEqual([]);
    },
  );
});
