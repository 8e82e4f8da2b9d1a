import { join } from 'node:path';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { chanceFrom, runSize, seed } from '../support/runSize.ts';
import { ask, asked, expectPlayed, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

test('problems that come late, each file in its own time, are told of the newest text or not at all', async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  const runs = runSize({ test: 6, prove: 100 });
  const folder = await makeWorkspace({ 'main.txt': 'number 1000\n', 'user.txt': 'user\n' });
  const gemini = await startGemini();
  const settings = { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'autoEdit' };
  const window = await open({ settings });
  const panel = await window.openPanel();
  await window.evaluate('findProblemsLate', seed, 300 + chanceFrom()() * 1_500);
  await window.evaluate('openFile', join(folder, 'main.txt'));
  await until('the first problem is known', async () => {
    const found = await window.evaluate('readDiagnostics', join(folder, 'user.txt'));
    return found.length > 0;
  });
  const replace = (from: number) =>
    call('replace', {
      file_path: 'main.txt',
      instruction: 'Count.',
      old_string: `number ${from}`,
      new_string: `number ${from + 1}`,
    });
  let reported = 0;
  for (let first = 0; first < runs; first += 10) {
    const turn = Array.from({ length: Math.min(10, runs - first) }, (_, at) => 1000 + first + at);
    gemini.script(...turn.map(from => [replace(from)]), [text(`Counted to ${first}.`)]);
    const before = asked(gemini).length;
    await ask(panel, 'Count on.');
    await panel.getByText(`Counted to ${first}.`, { exact: true }).waitFor();
    const results = asked(gemini).slice(before + 1);
    for (const [at, from] of turn.entries()) {
      const output = `${lastResults(results[at]!)[0]?.output}`;
      const seen = [...output.matchAll(/(\w+\.txt) sees (\d+)/g)].map(
        ([, name, number]) => `${name} ${number}`,
      );
      if (seen.length > 0) reported++;
      expect(seen, `seed ${seed}, edit to ${from + 1}: ${output}`).toEqual(
        seen.length === 0 ? [] : [`main.txt ${from + 1}`, `user.txt ${from + 1}`],
      );
    }
  }
  console.log(`${reported} of ${runs} edits were told of their problems, none of older ones (seed ${seed}).`);
  expect(reported).toBeGreaterThan(0);
  expectPlayed(gemini);
});

test('errors of syntax are told of a language for which no tool is installed', async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  await makeWorkspace({});
  const gemini = await startGemini();
  const settings = { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'autoEdit' };
  const window = await open({ settings });
  const panel = await window.openPanel();
  const write = (content: string) => call('write_file', { file_path: 'a.py', content });
  gemini.script(
    [write('def f(a:\n    return a\n')],
    [write('def f(a):\n    return a\n')],
    [text('Written.')],
  );
  await ask(panel, 'Write it.');
  await panel.getByText('Written.', { exact: true }).waitFor();
  const [wrong, right] = asked(gemini)
    .slice(-2)
    .map(request => `${lastResults(request)[0]?.output}`);
  expect(wrong).toMatch(/The edit brought \d new problems?:\nline 1: error: /);
  expect(right).not.toContain('new problem');
});
