import { expect } from 'vitest';
import { overwrite, text } from '../support/geminiAnswers.ts';
import { expectPlayed } from './support/panelActions.ts';
import { test } from './support/suite.ts';

test('a Chinese window has Chinese commands and a Chinese panel, and the model reads English', {
  tags: ['journey'],
}, async ({ openOwn, makeFolder, startGemini }) => {
  const folder = await makeFolder({ 'sheep.txt': 'one\n' });
  const gemini = await startGemini();
  gemini.script([...overwrite('sheep.txt', 'one\ntwo\n')], [text('Two sheep.')]);
  const window = await openOwn({ folder, language: 'zh-cn', settings: { 'folio.baseUrl': gemini.baseUrl } });
  await window.runCommand('Folio: 聚焦面板');
  const panel = window.panel();
  const field = panel.getByRole('textbox', { name: '询问 Folio' });
  await field.fill('Count the sheep.');
  await field.press('Enter');
  await panel.getByRole('button', { name: '接受', exact: true }).click();
  await panel.getByText('Two sheep.').waitFor();
  expect(await panel.locator('html').getAttribute('lang')).toBe('zh-cn');
  expect(JSON.stringify(gemini.requests.map(({ body }) => body))).toContain('1 line added');
  expect(window.cspProblems).toEqual([]);
  await window.screenshot('chinese');
  expectPlayed(gemini);
});
