import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { text } from '../support/geminiAnswers.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import type { WorldCase } from './report.ts';

interface JournalCase extends WorldCase {
  readonly damage: (lines: string[]) => void;
  /** Lines of which the user reads that they are lost. */
  readonly lost: number;
  /** Does not reach the model after it; absent: nothing is missing. */
  readonly missing?: string;
}

const answerOf = (lines: readonly string[]) =>
  lines.findIndex(line => line.startsWith('{"type":"message.added"') && line.includes('Second answer'));
const torn = (line: string) => line.slice(0, line.length / 2);

const cases: readonly JournalCase[] = [
  {
    title: 'a line that was torn before another, without a break between them',
    source: 'report',
    damage: lines => {
      const at = answerOf(lines);
      lines[at] = torn(lines[at - 1]!) + lines[at]!;
    },
    lost: 0,
  },
  {
    title: 'zero bytes before a line',
    source: 'report',
    damage: lines => {
      const at = answerOf(lines);
      lines[at] = '\0'.repeat(400) + lines[at]!;
    },
    lost: 0,
  },
  {
    title: 'a line of zero bytes',
    source: 'report',
    damage: lines => void lines.splice(answerOf(lines), 0, '\0'.repeat(400)),
    lost: 1,
  },
  {
    title: 'empty lines',
    source: 'report',
    damage: lines => void lines.splice(0, lines.length, ...lines.flatMap(line => ['', line, ' '])),
    lost: 0,
  },
  {
    title: 'a line that is torn',
    source: 'report',
    damage: lines => {
      const at = answerOf(lines);
      lines[at] = torn(lines[at]!);
    },
    lost: 1,
    missing: 'Second answer',
  },
  {
    title: 'separators of lines that JSON takes as they are',
    source: 'report',
    damage: lines => {
      const at = answerOf(lines);
      lines[at] = lines[at]!.replace('Second answer', 'Second answer\u2028\u2029\u0085');
    },
    lost: 0,
  },
  {
    title: 'times of a clock that went back',
    source: 'report',
    damage: lines => {
      for (const [at, line] of lines.entries())
        lines[at] = line.replace(/"at":(\d+)/, (_all, time) => `"at":${Number(time) - at * 86_400_000}`);
    },
    lost: 0,
  },
];

describe('a session whose journal has', () => {
  const world = eachTest(() => HeadlessWorld.make());

  it.each(cases)('$title continues with all the rest', async ({ damage, lost, missing }) => {
    const said = ['First prompt', 'First answer', 'Second prompt', 'Second answer'];
    world.server.script([text(said[1]!)], [text(said[3]!)], [text('Third.')]);
    await world.run(['--prompt', said[0]!]);
    await world.run(['--resume', 'latest', '--prompt', said[2]!]);
    const [name] = (await readdir(join(world.folder, 'sessions'))).filter(each => !each.startsWith('.'));
    const path = join(world.folder, 'sessions', name!, 'journal.jsonl');
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    damage(lines);
    await writeFile(path, `${lines.join('\n')}\n`);
    const { code, error } = await world.run(['--resume', 'latest', '--prompt', 'Third prompt']);
    expect(code, error).toBe(0);
    expect(/^\d+/.exec(error)?.[0] ?? '0').toBe(String(lost));
    const sent = JSON.stringify(world.server.requests.at(-1)!.body.contents);
    for (const each of said) expect(sent.includes(each), each).toBe(each !== missing);
  });
});
