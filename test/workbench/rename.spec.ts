import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { renameSample } from '../support/renameSample.ts';
import { runSize } from '../support/runSize.ts';
import { ask, asked, expectPlayed, lastAsked, lens, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

test('a name that many files use is changed in all of them by one call, saved, and reviewed by places', {
  tags: ['journey'],
}, async ({ openOwn, makeFolder, startGemini }) => {
  // More than go through editors.
  const count = runSize({ test: 60, prove: 200 });
  const files = renameSample(count);
  const folder = await makeFolder(files);
  const gemini = await startGemini();
  const settings = { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'autoEdit' };
  const window = await openOwn({ folder, settings });
  const panel = await window.openPanel();
  await window.evaluate('openFile', join(folder, 'sums.ts'));
  await until('TypeScript answers', () => window.evaluate('settleLanguages'));
  // On a slow machine its first answer to Folio comes after the first prompt.
  await until('its tools are offered', async () => {
    const reply = `Reply ${asked(gemini).length}.`;
    gemini.script([text(reply)]);
    await ask(panel, 'Hi.');
    await panel.getByText(reply, { exact: true }).waitFor();
    return JSON.stringify(lastAsked(gemini)).includes('"find_symbol"');
  });
  const before = asked(gemini).length;
  // TypeScript's first answer about a project takes the project's loading along.
  gemini.script([call('find_symbol', { name: 'computeSum', find: 'references' })], [text('Many use it.')]);
  await ask(panel, 'Who uses it?');
  await panel.getByText('Many use it.', { exact: true }).waitFor();
  expect(lastResults(lastAsked(gemini))[0]?.output).toContain(`in ${count} files`);

  let begun = 0;
  gemini.script(
    () => {
      begun = performance.now();
      return [call('rename_symbol', { name: 'computeSum', new_name: 'addUp' })];
    },
    () => [text(`Renamed after ${Math.round(performance.now() - begun)} ms.`)],
  );
  await ask(panel, 'Call it addUp.');
  const said = await panel.getByText(/^Renamed after \d+ ms\.$/).innerText();
  console.log(`${count} files: ${said}`);
  const places = 3 * (count - 1) + 1;
  expect(lastResults(lastAsked(gemini))[0]?.output).toContain(
    `Renamed computeSum to addUp in ${places} places in ${count} files`,
  );
  for (const [path, content] of Object.entries(files))
    expect(await readFile(join(folder, path), 'utf8')).toBe(content.replaceAll('computeSum', 'addUp'));
  await lens(window.page, 'Accept').first().waitFor();
  expect(asked(gemini).length - before).toBe(4);
  expectPlayed(gemini);
});
