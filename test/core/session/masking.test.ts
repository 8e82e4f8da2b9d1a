/* Real tools on a real disk, sixty steps with large results: what the model is sent. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { Message, Part } from '../../../src/protocol/events.ts';
import { historyFaults } from '../../support/checkHistory.ts';
import { makeDiskWorld, type ScriptedCall } from '../../support/diskWorld.ts';
import { eachTest } from '../../support/eachTest.ts';

const steps = 60;

const world = eachTest(() => makeDiskWorld());

beforeEach(async () => {
  for (let at = 0; at < steps; at++) await writeFile(join(world.workspace, `${at}.txt`), fileText(at));
});

/** About 9,000 tokens. */
function fileText(at: number): string {
  return Array.from({ length: 500 }, (_, line) => `file ${at} line ${line} ${'.'.repeat(55)}\n`).join('');
}

const reads = Array.from(
  { length: steps },
  (_, at): ScriptedCall => ['read_file', { file_path: `${at}.txt` }],
);

function sizeOf(messages: readonly Message[]): number {
  return JSON.stringify(messages).length;
}

function results(messages: readonly Message[]): readonly Extract<Part, { kind: 'result' }>[] {
  return messages.flatMap(({ parts }) => parts.filter(part => part.kind === 'result'));
}

it('sixty steps with large results keep the request bounded, also after a resume', async () => {
  await world.turn('Read all', ...reads);
  const requests = world.model.requests.map(({ messages }) => messages);
  expect(requests).toHaveLength(steps + 1);
  for (const messages of requests) expect(historyFaults(messages)).toEqual([]);
  const whole = fileText(0).length;
  const sizes = requests.map(sizeOf);
  // Fifty thousand tokens protected, up to thirty gathering, one result not read yet, and sixty previews.
  expect(Math.max(...sizes)).toBeLessThan(4 * (50_000 + 30_000 + 2 * 10_000) + steps * 1_500);
  expect(sizes.at(-1)!).toBeLessThan((steps * whole) / 4);

  const last = results(requests.at(-1)!);
  const isWhole = last.map(({ text }, at) => text.includes(`file ${at} line 250 `));
  const firstWhole = isWhole.indexOf(true);
  expect(isWhole).toEqual(last.map((_, at) => at >= firstWhole));
  expect(steps - firstWhole).toBeGreaterThanOrEqual(6);

  await world.reopen();
  await world.turn('And now?');
  const resumed = world.model.requests.at(-1)!.messages;
  expect(resumed.slice(0, requests.at(-1)!.length)).toEqual(requests.at(-1));
});

it('the same results are whole before the limit and previews after it, and can be read again', async () => {
  await world.turn('Read some', ...reads.slice(0, 11));
  const requests = world.model.requests.map(({ messages }) => results(messages));
  const step = requests.findIndex(sent => sent[0]?.text.startsWith('<masked_output>'));
  const [before, after] = [requests[step - 1]!, requests[step]!];
  expect(before[0]!.text).toContain(fileText(0).trimEnd());
  expect(after[0]!.text).toContain('file 0 line 0 ');
  expect(after[0]!.text).toContain('file 0 line 499 ');
  expect(after[0]!.text).not.toContain('file 0 line 250 ');
  expect(after.at(-2)!.text).toEqual(before.at(-1)!.text);

  const path = /The whole is in (.*): read parts/.exec(after[0]!.text)![1]!;
  expect(await readFile(path, 'utf8')).toBe(before[0]!.text);
  await world.turn('Once more', ['read_file', { file_path: path, start_line: 240, end_line: 260 }]);
  const read = results(world.model.requests.at(-1)!.messages).at(-1)!;
  expect(read).toMatchObject({ ok: true });
  expect(read.text).toContain('file 0 line 250 ');
});

it('the journal keeps what the request leaves out', async () => {
  await world.turn('Read some', ...reads.slice(0, 11));
  const added = world.events.flatMap(event => (event.type === 'message.added' ? [event.message] : []));
  expect(results(added)).toHaveLength(11);
  results(added).forEach(({ text }, at) => {
    expect(text).toContain(fileText(at).trimEnd());
  });
});
