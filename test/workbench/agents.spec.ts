import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { expect } from 'vitest';
import { type Answer, call, finish, hang, text, thought, waitFor } from '../support/geminiAnswers.ts';
import { lastResults, type RecordedRequest, toolNames } from '../support/geminiServer.ts';
import { ask, asked, button, lastAsked } from './support/panelActions.ts';
import { test } from './support/suite.ts';

const usage = { promptTokenCount: 10_000, candidatesTokenCount: 1_000 };

test('agents work side by side on their cards, one asks, one is stopped, and their reports reach the model', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({ 'sheep.txt': 'one sheep\n', 'cows.txt': 'two cows\n' });
  const gemini = await startGemini();
  let scan = () => {};
  const checked = new Promise<void>(resolve => {
    scan = resolve;
  });
  gemini.afterScript(request => {
    if (!toolNames(request).includes('complete_task')) return answerOfSession(request);
    return answerOfAgent(request, checked);
  });
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  let panel = await window.openPanel();
  await ask(panel, 'Find out about the animals.');
  const sheep = agent(panel, 'codebase_investigator: Where are the sheep');
  const cows = agent(panel, 'codebase_investigator: Where are the cows');
  await sheep.getByText('Read sheep.txt', { exact: false }).waitFor();
  await cows.getByText('Read cows.txt', { exact: false }).waitFor();
  await window.screenshot('agents-at-work');
  await sheep.locator('[data-toggle]').first().click();
  await sheep.locator('.agent-task').waitFor();
  await window.screenshot('agent-unfolded');
  await sheep.locator('[data-toggle]').first().click();

  // One is stopped, the other continues.
  await cows.getByRole('button', { name: 'Stop codebase_investigator' }).click();
  await panel
    .getByRole('group', { name: /^Agent codebase_investigator: Where are the cows.*(failed|stopped)/i })
    .waitFor();
  await cows.getByText('You stopped it.').waitFor();
  await window.screenshot('agent-stopped');
  scan();
  await panel.getByText('Both are back.').waitFor();
  const [first, second] = lastResults(lastAsked(gemini));
  expect(first?.output).toContain('The sheep stand in sheep.txt');
  expect(second?.error).toContain('The user stopped it');

  await ask(panel, 'Make a file.');
  const command = panel.getByRole('group', { name: /touch made\.txt/ });
  await command.getByRole('button', { name: 'Run', exact: true }).waitFor();
  await window.screenshot('agent-asks');
  expect(existsSync(join(folder, 'made.txt'))).toBe(false);
  await command.getByRole('button', { name: 'Run', exact: true }).click();
  await panel.getByText('It is made.', { exact: true }).waitFor();
  expect(existsSync(join(folder, 'made.txt'))).toBe(true);
  expect(lastResults(lastAsked(gemini))[0]?.output).toBe(
    '<untrusted_output>\nThe file is there.\n</untrusted_output>',
  );
  // Nobody can send out an agent but the session.
  for (const request of asked(gemini).filter(each => toolNames(each).includes('complete_task')))
    expect(toolNames(request)).not.toContain('invoke_agent');

  // What agents take is added to what their prompt takes.
  await panel
    .locator('.prompt', { hasText: 'Find out about' })
    .getByText('55k tokens', { exact: false })
    .waitFor();
  await panel
    .locator('.prompt', { hasText: 'Make a file.' })
    .getByText('44k tokens', { exact: false })
    .waitFor();
  const before = await panel.locator('.transcript, [role=log]').first().innerText();
  await window.screenshot('agents-ended');

  await window.crashHost();
  panel = await window.openPanel();
  await panel.getByText('It is made.', { exact: true }).waitFor();
  await agent(panel, 'codebase_investigator: Where are the sheep').waitFor();
  expect(await panel.getByRole('button', { name: /^Stop codebase/ }).count()).toBe(0);
  expect(await panel.locator('.transcript, [role=log]').first().innerText()).toBe(before);
  await agent(panel, 'codebase_investigator: Where are the sheep').locator('[data-toggle]').first().click();
  await panel.getByText('Relevant locations', { exact: true }).waitFor();
  await panel.locator('.agent-place').getByRole('button', { name: 'sheep.txt' }).waitFor();
  await window.screenshot('agents-restored');
  await button(panel, 'Stop').waitFor({ state: 'detached' });
  expect(gemini.requests.map(({ fault }) => fault).filter(Boolean)).toEqual([]);
});

function answerOfSession(request: RecordedRequest): Answer {
  const prompt = JSON.stringify(request.body.contents);
  const results = lastResults(request).map(({ name }) => name);
  if (prompt.includes('Make a file.')) {
    if (results.includes('invoke_agent')) return [text('It is made.'), finish('STOP', usage)];
    return [
      call('invoke_agent', { agent_name: 'generalist', prompt: 'Make made.txt' }),
      finish('STOP', usage),
    ];
  }
  if (results.includes('invoke_agent')) return [text('Both are back.'), finish('STOP', usage)];
  const send = (prompt: string) => call('invoke_agent', { agent_name: 'codebase_investigator', prompt });
  return [send('Where are the sheep?'), send('Where are the cows?'), finish('STOP', usage)];
}

function answerOfAgent(request: RecordedRequest, checked: Promise<void>): Answer {
  const reported = JSON.stringify(request.body.contents?.[0]);
  const results = lastResults(request);
  const done = finish('STOP', usage);
  if (reported.includes('made.txt')) {
    if (results.length > 0) return [call('complete_task', { result: 'The file is there.' }), done];
    return [call('run_shell_command', { command: 'touch made.txt', description: 'Makes the file' }), done];
  }
  const animal = reported.includes('Where are the sheep') ? 'sheep' : 'cows';
  if (results.length === 0) return [call('read_file', { file_path: `${animal}.txt` }), done];
  if (animal === 'cows') return [thought('**Counting cows**\n\nThere are many.'), hang];
  const report = {
    SummaryOfFindings: 'The sheep stand in sheep.txt',
    ExplorationTrace: ['Read sheep.txt'],
    RelevantLocations: [{ FilePath: 'sheep.txt', Reasoning: 'It holds them', KeySymbols: ['sheep'] }],
  };
  return [thought('**Counting sheep**\n\nOne.'), waitFor(checked), call('complete_task', report), done];
}

function agent(panel: FrameLocator, name: string) {
  return panel.getByRole('group', { name: `Agent ${name}` });
}
