import { expect, it } from 'vitest';
import { AcpAgents } from '../../src/extension/acp/acpAgents.ts';
import type { ExternalClient } from '../../src/extension/core/external/externalAgent.ts';
import { NodeServerProcesses } from '../../src/extension/node/processes/serverProcesses.ts';
import { SystemClock } from '../../src/extension/node/systemClock.ts';
import type { Clock } from '../../src/extension/platform/clock.ts';
import type { Log } from '../../src/extension/platform/log.ts';
import { isAlive } from '../support/isAlive.ts';
import { ManualClock } from '../support/manualClock.ts';

const log: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const refuse = async () => {
  throw new Error('Nothing is asked in this test.');
};
const client: ExternalClient = {
  update: () => {},
  readFile: refuse,
  writeFile: refuse,
  ask: refuse,
  run: refuse,
};

/** A program that speaks no protocol, and the ids of the processes that were started for it. */
function silentAgents(clock: Clock) {
  const started: number[] = [];
  const agents = new AcpAgents({
    commands: () => ({
      silent: {
        command: process.execPath,
        args: ['-e', 'console.log(process.pid); setInterval(() => {}, 1e6)'],
      },
    }),
    trusted: () => true,
    processes: async () => {
      const processes = new NodeServerProcesses();
      return {
        start: program => {
          const made = processes.start(program);
          if (made.pid !== undefined) started.push(made.pid);
          return made;
        },
        dispose: () => processes.dispose(),
      };
    },
    clock,
    log,
  });
  return { agents, started };
}

const place = { folders: [import.meta.dirname], servers: [] };

it('an agent that never answers fails in time, says what to check, and is ended', async () => {
  const { agents, started } = silentAgents(new ManualClock());
  const opening = agents.open('silent', place, client, new AbortController().signal);
  await expect(opening).rejects.toMatchObject({
    kind: 'start',
    message: expect.stringMatching(/^silent did not answer within 5 minutes\. Check in a terminal/),
  });
  expect(started).toHaveLength(1);
  expect(started.some(isAlive)).toBe(false);
});

it('a stop ends an agent that never answers', async () => {
  const { agents, started } = silentAgents(new SystemClock());
  const stop = new AbortController();
  const opening = agents.open('silent', place, client, stop.signal);
  stop.abort(new DOMException('Stopped', 'AbortError'));
  await expect(opening).rejects.toThrow('Stopped');
  expect(started.some(isAlive)).toBe(false);
});
