/*
 * A window without VS Code, in a process that a test kills: it has one session go to the background host and back, over
 * and over, and prints the events that it shows. Arguments: entry of the host, session, arguments of a run.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { parseArguments } from '../../src/extension/headless/arguments.ts';
import { HostClient } from '../../src/extension/headless/client/hostClient.ts';
import { openHeadlessAgent } from '../../src/extension/headless/headlessAgent.ts';
import type { Log } from '../../src/extension/platform/log.ts';
import { ActiveSession } from '../../src/extension/vscode/activeSession.ts';
import { HostHandover } from '../../src/extension/vscode/features/sessions/hostHandover.ts';
import { isUnfinished } from '../../src/protocol/fold/unfinished.ts';
import { emptySession } from '../../src/protocol/state.ts';

const [entry = '', sessionId = '', ...args] = process.argv.slice(2);
const parsed = parseArguments(['--background', '--resume', sessionId, ...args]);
if (parsed === 'help') throw new Error('These are no arguments of a run.');
const say = (sentence: string) => process.stderr.write(`${sentence}\n`);
const log: Log = { debug() {}, info: say, warn: say, error: (what, error) => say(`${what}: ${error}`) };

const made = await openHeadlessAgent(parsed, { interactive: true, notify: say, env: process.env });
await made.servers.start(new AbortController().signal);
const last = { read: () => undefined, write() {} };
const preview = () => ({ folders: [], model: emptySession.model, mode: emptySession.mode });
const session = new ActiveSession(async () => made.agent, last, preview, say, log);
const host = new HostClient(process.env.HOME ?? '', entry);
const handover = new HostHandover(host, session, log);
session.opened.takeBack = id => handover.take(id, taken => void taken.retry());
session.onEvent(event => process.stdout.write(`${JSON.stringify(event)}\n`));

const order = { args: ['--background', '--resume', sessionId, ...args], cwd: process.cwd() };
const env = Object.fromEntries(Object.entries(process.env).filter(each => each[1] !== undefined)) as Record<
  string,
  string
>;
for (;;) {
  await attempt(() => session.switchTo(sessionId));
  const { present } = session;
  // What a kill left open goes on, as when the user presses Continue.
  if (present && !present.busy && isUnfinished(present.state)) void present.retry();
  await sleep(Math.random() * 400);
  if (present?.busy) await attempt(() => handover.give(sessionId, { type: 'run', ...order, env }));
  await sleep(Math.random() * 400);
}

/** The other side may have just ended: the next attempt finds it so. */
async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    say(String(error));
    await sleep(50);
  }
}
