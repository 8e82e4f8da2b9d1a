/* What can be known of sessions afterwards: statistics, traces for a collector, the audit log. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { expect } from 'vitest';
import { Collector } from '../support/collector.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { runHeadless } from '../support/headlessRun.ts';
import { ask, button, expectPlayed, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';
import type { Workbench } from './support/workbench.ts';

const run = (command: string) => [call('run_shell_command', { command, description: 'Does it' })];

test('what sessions took and asked is in the statistics, with the collector and in the audit log', {
  tags: ['journey'],
}, async ({ openOwn, makeFolder, startGemini }) => {
  await using owned = new AsyncDisposableStack();
  const collector = await Collector.start();
  owned.defer(() => collector.dispose());
  const gemini = await startGemini();
  const folder = await makeFolder({ 'a.txt': 'sand\n' });
  const audit = await makeFolder({});
  const window = await openOwn({ folder, settings: { 'folio.baseUrl': gemini.baseUrl } });
  const panel = await window.openPanel();

  // Without the settings nothing is sent or kept.
  gemini.script([text('Nobody hears this.')]);
  await ask(panel, 'Say it');
  await panel.getByText('Nobody hears this.').waitFor();
  await window.page.getByRole('button', { name: 'Folio is idle' }).waitFor();
  expect(await readdir(audit)).toEqual([]);

  await window.evaluate('writeSetting', 'folio.audit.path', audit);
  await window.evaluate('writeSetting', 'folio.telemetry.endpoint', collector.url);
  await window.runCommand('Folio: New Session');
  gemini.script(
    [call('read_file', { file_path: 'a.txt' })],
    run('touch one.txt'),
    run('touch two.txt'),
    run('mkdir three'),
    [text('All is done.')],
  );
  await ask(panel, 'Work on it');
  await button(panel, 'Always run touch *').click();
  await button(panel, 'Always run mkdir *').waitFor();
  await button(panel, 'Deny…').click();
  const reason = panel.getByRole('textbox', { name: 'Reason, optional' });
  await reason.fill('Two are enough');
  await reason.press('Enter');
  await panel.getByText('All is done.').waitFor();
  expectPlayed(gemini);

  await until('the collector has the turn', () => collector.named('invoke_agent folio').length > 0);
  expect(collector.refused).toEqual([]);
  const [turn, ...others] = collector.named('invoke_agent folio');
  expect(others).toEqual([]);
  expect(turn!.attributes).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.provider.name': 'gcp.gemini',
    'folio.turn.end': 'rested',
  });
  const below = collector.spans.filter(({ parentId }) => parentId === turn!.id);
  expect(below.map(({ name }) => name.replace(/^chat .+/, 'chat'))).toEqual([
    'chat',
    'execute_tool read_file',
    ...Array(3).fill(['chat', 'execute_tool run_shell_command']).flat(),
    'chat',
  ]);
  expect(below[0]!.attributes).toMatchObject({ 'gen_ai.operation.name': 'chat' });
  expect(below[1]!.attributes).toMatchObject({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'read_file',
  });
  expect(collector.requests.map(({ text: sent }) => sent).join()).not.toContain('All is done.');

  await showStatistics(window, panel);

  const [log] = (await readdir(audit)).filter(each => each.endsWith('.jsonl'));
  const path = join(audit, log!);
  const entries = (await readFile(path, 'utf8')).trimEnd().split('\n');
  const events = entries.map(line => JSON.parse(line) as Record<string, unknown>);
  const decided = events.filter(({ event }) => event === 'call.decided');
  expect(decided.map(({ decision }) => decision)).toEqual(['always', 'deny']);
  expect(events.filter(({ event }) => event === 'call.asked')).toHaveLength(2);
  const { code, out } = await runHeadless({ args: ['--verify-audit', path] });
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('is as it was written') });
});

async function showStatistics(window: Workbench, panel: FrameLocator): Promise<void> {
  const { page } = window;
  await window.runCommand('Folio: Show Statistics');
  await panel.getByRole('heading', { name: 'Statistics' }).waitFor();
  const totals = panel.locator('.statistics-totals');
  await totals.getByText('2 prompts').waitFor();
  await totals.getByText('1 allowed, 1 denied').waitFor();
  await panel.getByRole('region', { name: 'By tool' }).getByText('run_shell_command').waitFor();
  await window.screenshot('statistics');

  // By keys alone: the time, the table, the file.
  const time = panel.getByRole('combobox', { name: 'Time' });
  await time.focus();
  for (const key of ['Enter', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
  await until('the time is another', async () => (await time.inputValue()) === '7');
  await totals.getByText('2 prompts').waitFor();
  const summary = panel.getByText('The same as a table');
  await summary.focus();
  await page.keyboard.press('Enter');
  await panel.locator('.statistics details table').waitFor();
  await button(panel, 'Save as CSV…').focus();
  await page.keyboard.press('Enter');
  const name = page.locator('.quick-input-widget input').first();
  await until('VS Code asks for the file', async () => (await name.inputValue()).endsWith('.csv'));
  const file = await name.inputValue();
  await page.keyboard.press('Enter');
  const csv = () => readFile(file, 'utf8').catch(() => '');
  await until('the file is written', async () => (await csv()).includes('run_shell_command'));
  expect(await csv()).toMatch(/^day,project,/);
  await page.keyboard.press('Escape');
}
