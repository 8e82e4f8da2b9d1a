/* Models of Anthropic and OpenAI over their own wires, against servers that refuse what the services refuse. */

import type { FrameLocator } from 'playwright-core';
import { expect } from 'vitest';
import * as claude from '../support/anthropicAnswers.ts';
import { startAnthropicServer } from '../support/anthropicServer.ts';
import { call, text, unavailable } from '../support/geminiAnswers.ts';
import * as gpt from '../support/responsesAnswers.ts';
import { startResponsesServer } from '../support/responsesServer.ts';
import { ask, expectPlayed, lastAsked, typeKey, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';
import type { Workbench } from './support/workbench.ts';

test('a Claude model is chosen, thinks as hard as wanted, costs what is told, and another provider takes over and gives back', {
  tags: ['journey'],
}, async ({ openOwn, makeFolder, startGemini }) => {
  const folder = await makeFolder({ 'note.txt': 'seven sheep' });
  const gemini = await startGemini();
  const anthropic = await startAnthropicServer({ apiKey: 'right' });
  await using _ = { [Symbol.asyncDispose]: () => anthropic.dispose() };
  const settings = { 'folio.baseUrl': gemini.baseUrl, 'folio.anthropic.baseUrl': anthropic.baseUrl };
  const env = { GEMINI_API_KEY: undefined, ANTHROPIC_API_KEY: undefined };
  const window = await openOwn({ folder, settings, env });
  const panel = await window.openPanel();

  await panel.getByRole('button', { name: /^Anthropic API key/ }).click();
  await typeKey(window, 'wrong');
  await window.page.locator('.quick-input-widget').getByText('Anthropic rejected this API key.').waitFor();
  await typeKey(window, 'right');
  await panel.getByText('Describe a task.', { exact: false }).waitFor();
  await pick(panel, 'Model', /Sonnet 4.6|claude-sonnet-4-6/);
  await pick(panel, 'Effort', 'High');
  await until('the effort is kept for the model', async () => {
    const { 'folio.effort': effort } = await window.readSettings();
    return JSON.stringify(effort) === '{"claude-sonnet-4-6":"high"}';
  });

  anthropic.script(
    [claude.thought('I look first.'), claude.call('read_file', { file_path: 'note.txt' })],
    [
      claude.text('There are seven sheep.'),
      claude.finish('end_turn', { input_tokens: 2000, cache_read_input_tokens: 8000, output_tokens: 400 }),
    ],
  );
  await ask(panel, 'How many sheep are there?');
  await panel.getByText('There are seven sheep.').waitFor();
  expect(anthropic.requests.map(({ body }) => body.output_config)).toEqual([
    { effort: 'high' },
    { effort: 'high' },
  ]);
  expect(anthropic.requests.at(-1)!.headers['x-api-key']).toBe('right');
  const facts = panel.locator('.turn-facts');
  await facts.getByText(/^\$0\.\d+/).waitFor();
  expect(await facts.innerText()).toMatch(/2 steps/);
  await window.screenshot('claude-answered');

  // The account has nothing left: the user lets Gemini continue with the same session.
  const spent = claude.refusal(400, 'invalid_request_error', 'Your credit balance is too low.');
  anthropic.afterScript(spent);
  await ask(panel, 'And how many goats?');
  await panel
    .getByText(/quota is used up \(Your credit balance is too low\)/)
    .first()
    .waitFor();
  await window.screenshot('claude-spent');
  await connect(window, panel, /^Gemini API key/, 'a-key');
  gemini.script([text('No goats are in the note.')]);
  await ask(panel, 'Continue.');
  await panel.getByText('No goats are in the note.').waitFor();
  const reported = JSON.stringify(lastAsked(gemini).body.contents);
  expect(reported).toContain('There are seven sheep.');
  expect(reported).toContain('seven sheep');
  expect(reported).not.toContain(claude.signatureOf('I look first.'));
  await window.screenshot('gemini-took-over');

  await panel.getByRole('combobox', { name: 'Effort' }).waitFor();
  await connect(window, panel, /^Anthropic API key/);
  await pick(panel, 'Model', /Sonnet 4.6|claude-sonnet-4-6/);
  anthropic.script([claude.text('I am back.')]);
  await ask(panel, 'Are you there again?');
  await panel.getByText('I am back.').waitFor();
  const { body, fault } = anthropic.requests.at(-1)!;
  expect([fault, body.model, body.output_config]).toEqual([
    undefined,
    'claude-sonnet-4-6',
    { effort: 'high' },
  ]);
  expect(JSON.stringify(body.messages)).toContain('No goats are in the note.');
  expect(anthropic.requests.flatMap(each => each.fault ?? [])).toEqual([]);
  await window.screenshot('claude-back');
  expectPlayed(gemini);
});

test('a Claude model continues where Gemini is busy, as the user chose in advance, and Gemini has the next prompt', {
  tags: ['journey'],
}, async ({ openOwn, makeFolder, startGemini }) => {
  const folder = await makeFolder({ 'note.txt': 'seven sheep' });
  const gemini = await startGemini();
  const anthropic = await startAnthropicServer({ apiKey: 'claudes' });
  await using _ = { [Symbol.asyncDispose]: () => anthropic.dispose() };
  const settings = { 'folio.baseUrl': gemini.baseUrl, 'folio.anthropic.baseUrl': anthropic.baseUrl };
  const window = await openOwn({ folder, settings, env: { ANTHROPIC_API_KEY: 'claudes' } });
  const panel = await window.openPanel();

  await window.runCommand('Folio: Select Fallback Model');
  const rows = window.page.locator('.quick-input-list [role="option"]');
  await rows.filter({ hasText: 'anthropic:claude-sonnet-4-6' }).first().waitFor();
  await window.screenshot('fallback-picker');
  await window.page.keyboard.type('claude-sonnet-4-6');
  await until('the model is the row that Enter takes', async () =>
    /claude-sonnet-4-6/.test((await window.page.locator('.quick-input-list .focused').textContent()) ?? ''),
  );
  await window.page.keyboard.press('Enter');
  await until('the choice is kept', async () => {
    const { 'folio.fallbackModel': kept } = await window.readSettings();
    return kept === 'anthropic:claude-sonnet-4-6';
  });

  gemini.script([call('read_file', { file_path: 'note.txt' })], unavailable, unavailable, unavailable);
  anthropic.script([
    claude.text('There are seven sheep.'),
    claude.finish('end_turn', { input_tokens: 2000, output_tokens: 400 }),
  ]);
  await ask(panel, 'How many sheep are there?');
  await panel.getByText('There are seven sheep.').waitFor();
  await panel.getByText('anthropic:claude-sonnet-4-6 took over. gemini-2.5-pro is busy.').waitFor();
  expect(anthropic.requests.flatMap(({ fault }) => fault ?? [])).toEqual([]);
  expect(JSON.stringify(anthropic.requests.at(-1)!.body.messages)).toContain('seven sheep');
  await window.screenshot('fallback-took-over');

  gemini.script([text('I am back.')]);
  await ask(panel, 'Are you there again?');
  await panel.getByText('I am back.').waitFor();
  expect(JSON.stringify(lastAsked(gemini).body.contents)).toContain('There are seven sheep.');
  await window.screenshot('fallback-gave-back');
  expectPlayed(gemini);
});

test("OpenAI's key is tried where it is typed, and a GPT model thinks, calls and answers", {
  tags: ['journey'],
}, async ({ openOwn, makeFolder }) => {
  const folder = await makeFolder({ 'note.txt': 'seven sheep' });
  const openai = await startResponsesServer({ apiKey: 'right' });
  await using _ = { [Symbol.asyncDispose]: () => openai.dispose() };
  const settings = { 'folio.openaiResponses.baseUrl': openai.baseUrl };
  const window = await openOwn({
    folder,
    settings,
    env: { GEMINI_API_KEY: undefined, OPENAI_API_KEY: undefined },
  });
  const panel = await window.openPanel();
  await panel.getByRole('button', { name: /^OpenAI API key/ }).click();
  await typeKey(window, `sk-ant-api03-${'a1'.repeat(20)}`, 'typed');
  await window.page.locator('.quick-input-widget').getByText('This is an Anthropic key').waitFor();
  await window.screenshot('openai-foreign-key');
  await typeKey(window, 'right');
  await panel.getByText('Describe a task.', { exact: false }).waitFor();
  await pick(panel, 'Effort', 'Low');

  openai.script(
    [gpt.thought('I look first.'), gpt.call('read_file', { file_path: 'note.txt' })],
    [gpt.thought('Seven, then.'), gpt.text('There are seven sheep.')],
  );
  await ask(panel, 'How many sheep are there?');
  await panel.getByText('There are seven sheep.').waitFor();
  expect(openai.requests.map(({ fault }) => fault)).toEqual([undefined, undefined]);
  const [first, second] = openai.requests.map(({ body }) => body);
  expect(first).toMatchObject({ model: 'gpt-5.1', store: false, reasoning: { effort: 'low' } });
  expect(second!.input!.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['reasoning', 'function_call_output']),
  );
  await window.screenshot('openai-answered');
});

async function pick(panel: FrameLocator, label: string, choice: RegExp | string): Promise<void> {
  const picker = panel.getByRole('combobox', { name: label });
  await picker.click();
  await picker.getByRole('option', { name: choice, exact: true }).first().click();
  // The closed picker shows what the host took over.
  await picker.locator('button').getByText(choice).first().waitFor();
}

/** Connects by the card. @param key absent: one is stored already */
async function connect(window: Workbench, panel: FrameLocator, way: RegExp, key?: string): Promise<void> {
  await window.runCommand('Folio: Connect a Model');
  await panel.getByRole('button', { name: way }).click();
  if (key !== undefined) await typeKey(window, key);
  await panel.getByRole('textbox', { name: 'Ask Folio' }).waitFor();
}
