import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import type { ScriptedAnswer } from '../support/geminiServer.ts';
import { git, initRepository } from '../support/gitRepository.ts';
import { ask, until, untilHolds } from './support/panelActions.ts';
import { test } from './support/suite.ts';

const before = 'export const add = (a, b) => a - b;\n';
const proof = `import assert from 'node:assert';
import { test } from 'node:test';
import { add } from './add.js';
test('adds', () => assert.equal(add(1, 2), 3));
`;

/** Each model edits in its own way, whatever the order in which their requests come. */
const answer: ScriptedAnswer = ({ model, body }) => {
  const isStrong = model.includes('pro');
  const edit = { file_path: 'add.js', instruction: 'Edit.', old_string: 'a - b' };
  if ((body.contents?.at(-1)?.parts ?? []).some(part => part.functionResponse))
    return [text(isStrong ? 'It adds now.' : 'Perhaps so.')];
  return [call('replace', { ...edit, new_string: isStrong ? 'a + b' : 'b - a' })];
};

test('two models do one task in worktrees, their tests decide, and one is taken', {
  tags: ['journey'],
}, async ({ openOwn, makeFolder, startGemini }) => {
  const folder = await makeFolder({});
  await initRepository(folder, {
    'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }),
    'add.js': before,
    'add.test.js': proof,
  });
  const gemini = await startGemini();
  gemini.afterScript(answer);
  const window = await openOwn({
    folder,
    settings: { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'autoEdit' },
  });
  const panel = await window.openPanel();
  await ask(panel, '/compare --models gemini-2.5-pro,gemini-2.5-flash Let add.js add.');
  const attempts = panel.locator('.attempt');
  await until('both rest', async () => (await attempts.getByText('Done').count()) === 2);
  expect(await readFile(join(folder, 'add.js'), 'utf8')).toBe(before);

  await panel.locator('vscode-button', { hasText: 'Run Tests in All' }).click();
  await attempts.nth(0).getByText('1 passed').waitFor();
  await attempts.nth(1).getByText('1 failed').waitFor();
  await window.savePicture('comparison');

  await attempts.nth(0).locator('vscode-button', { hasText: 'Take' }).click();
  await untilHolds(join(folder, 'add.js'), before.replace('a - b', 'a + b'));

  await window.runCommand('Folio: Show Comparison');
  await attempts.nth(0).getByText('Taken').waitFor();
  await attempts.nth(1).focus();
  await window.page.keyboard.press('Delete');
  await window.page.getByRole('button', { name: 'Discard', exact: true }).click();
  await until('one attempt is left', async () => (await attempts.count()) === 1);
  expect((await git(folder, 'worktree', 'list')).trim().split('\n')).toHaveLength(2);

  // It is there again after a reload.
  await window.reload();
  await window.openPanel();
  await window.runCommand('Folio: Show Comparison');
  await attempts.nth(0).getByText('1 passed').waitFor();
});
