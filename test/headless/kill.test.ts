import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { History } from '../../src/extension/core/history/history.ts';
import type { SessionEvent } from '../../src/protocol/events.ts';
import { callFaults, historyFaults } from '../support/checkHistory.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { type GeminiServer, startGeminiServer } from '../support/geminiServer.ts';
import { eventsOf, type HeadlessOptions, runHeadless } from '../support/headlessRun.ts';

const runs = 30;
const steps = 12;
/** Large enough for a write to be seen half done. */
const filling = 'x'.repeat(60_000);
const original = 'as it was\n';

let server: GeminiServer;
let folder: string;
let step: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'folio-kill-'));
  server = await startGeminiServer();
  step = 0;
  server.afterScript(() => nextAnswer());
});

afterEach(async () => {
  await server.dispose();
  await rm(folder, { recursive: true, force: true });
});

function content(number: number): string {
  return `${number}\n${filling}\n${number}\n`;
}

function nextAnswer() {
  step++;
  if (step > steps) return [text('Done.')];
  const file_path = `f${step % 3}.txt`;
  if (step % 4 === 3) return [call('create_new_topic', { title: `Step ${step}`, summary: 's' })];
  if (step % 4 !== 0) return [call('write_file', { file_path, content: content(step) })];
  // A command that is killed half way must not be the reason for half a file.
  const command = `printf '%s\\n' ${step} ${filling} ${step} > .part && mv .part ${file_path}`;
  return [call('run_shell_command', { command })];
}

function run(place: string, args: readonly string[], onStart?: HeadlessOptions['onStart']) {
  const where = ['--workspace', join(place, 'workspace'), '--session-dir', join(place, 'sessions')];
  const how = ['--base-url', server.baseUrl, '--output-format', 'stream-json'];
  return runHeadless({
    args: [...where, ...how, ...args],
    env: { GEMINI_API_KEY: 'test' },
    onStart,
  });
}

it(`killed at ${runs} moments of a session, it goes on each time, and nothing is lost, halved or claimed wrongly`, async () => {
  const outcomes = { early: 0, inTurn: 0, conflicts: 0 };
  for (let i = 0; i < runs; i++) {
    const place = join(folder, `${i}`);
    await mkdir(join(place, 'workspace'), { recursive: true });
    await writeFile(join(place, 'workspace', 'f0.txt'), original);
    step = 0;
    // Moments are spread over the events of the session, with a little chance within each.
    const lines = 1 + Math.floor(((i + Math.random()) * 110) / runs);
    await run(place, ['--prompt', 'work', '--approval-mode', 'yolo'], child => {
      let seen = 0;
      child.stdout.on('data', (printed: string) => {
        seen += printed.split('\n').length - 1;
        if (seen >= lines) setTimeout(() => child.kill('SIGKILL'), Math.random() * 12);
      });
    });
    const killed = await readJournal(place);
    if (!killed.some(event => event.type === 'turn.started')) {
      outcomes.early++;
      continue;
    }
    if (killed.at(-1)!.type !== 'turn.ended') outcomes.inTurn++;
    await expectWholeFiles(place, i);
    step = steps;
    const { code, error } = await run(place, ['--resume', 'latest', '--prompt', 'go on']);
    expect({ code, error }, `run ${i}`).toEqual({ code: 0, error: '' });
    await expectSound(place, killed, i);
    outcomes.conflicts += await rewindAll(place, i);
  }
  expect(server.requests.filter(request => request.fault)).toEqual([]);
  expect(outcomes.inTurn, JSON.stringify(outcomes)).toBeGreaterThan(runs / 2);
}, 600_000);

async function readJournal(place: string): Promise<readonly SessionEvent[]> {
  const sessions = join(place, 'sessions');
  const names = await readdir(sessions).catch(() => []);
  const session = names.find(name => name !== 'blobs');
  if (!session) return [];
  const journal = await readFile(join(sessions, session, 'journal.jsonl'), 'utf8').catch(() => '');
  return eventsOf(journal.slice(0, journal.lastIndexOf('\n') + 1));
}

async function expectWholeFiles(place: string, i: number): Promise<void> {
  const known = new Set([original, ...Array.from({ length: steps }, (_, at) => content(at + 1))]);
  const workspace = join(place, 'workspace');
  const names = (await readdir(workspace)).filter(name => /^f\d/.test(name));
  for (const name of names) {
    const found = await readFile(join(workspace, name), 'utf8');
    expect(known.has(found), `run ${i}: ${name} holds ${found.length} characters`).toBe(true);
  }
}

/** The journal is whole, holds all that it held, and what comes of it is valid; kept bytes are what their names say. */
async function expectSound(place: string, killed: readonly SessionEvent[], i: number): Promise<void> {
  const events = await readJournal(place);
  expect(events.slice(0, killed.length), `run ${i}`).toEqual(killed);
  expect(events.map(event => event.seq)).toEqual(events.map((_, index) => events[0]!.seq + index));
  expect(callFaults(events), `run ${i}`).toEqual([]);
  const history = new History();
  for (const event of events) history.fold(event);
  expect(historyFaults(history.forRequest()), `run ${i}`).toEqual([]);
  await expectWholeFiles(place, i);
  const blobs = join(place, 'sessions', 'blobs');
  // Killed before the first edit, there is nothing to keep.
  const stored = existsSync(blobs) ? await readdir(blobs, { recursive: true }) : [];
  const kept = stored.filter(name => /[0-9a-f]{64}$/.test(name));
  for (const name of kept) {
    const hash = createHash('sha256')
      .update(await readFile(join(blobs, name)))
      .digest('hex');
    expect(name.endsWith(hash), `run ${i}: ${name}`).toBe(true);
  }
  const needed = events.flatMap(event => (event.type === 'checkpoint.taken' ? (event.before ?? []) : []));
  for (const id of needed)
    expect(
      kept.some(name => name.endsWith(id)),
      `run ${i}`,
    ).toBe(true);
}

/** Every file is as it was before the session, or is said to be left and is left. */
async function rewindAll(place: string, i: number): Promise<number> {
  const workspace = join(place, 'workspace');
  const read = (name: string) => readFile(join(workspace, name), 'utf8').catch(() => undefined);
  const names = ['f0.txt', 'f1.txt', 'f2.txt'];
  const before = await Promise.all(names.map(read));
  const { code, out } = await run(place, ['--resume', 'latest', '--rewind', '1', '--rewind-scope', 'files']);
  expect(code, `run ${i}`).toBe(0);
  const rewound = eventsOf(out).findLast(event => event.type === 'session.rewound')!;
  const left = rewound.files.filter(file => file.result === 'conflict').map(file => file.path);
  for (const [index, name] of names.entries()) {
    const wanted = left.includes(name) ? before[index] : name === 'f0.txt' ? original : undefined;
    expect(await read(name), `run ${i}: ${name}, left ${left.join()}`).toBe(wanted);
  }
  return left.length;
}
