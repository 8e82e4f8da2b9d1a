import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Environment } from '../../src/protocol/panel/messages.ts';
import { reported, steps } from './connectScenes.ts';
import { fold } from './journal.ts';
import { environment } from './panelPage.ts';
import { rested } from './scenario.ts';
import { test } from './suite.ts';

const none = { environment: { connection: 'none' } } as const;

const way = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) });

test('without a model one card offers what a user may have, and only a press asks for anything', async ({
  open,
}) => {
  const { page, intention, intentions, send } = await open(none);
  await intention('connect.open');
  expect(await page.locator('.way-title').allTextContents()).toEqual([
    'Gemini API key',
    'Anthropic API key',
    'OpenAI API key',
    'Rehearsal',
    'Azure OpenAI',
    'Models in VS Code',
    'Model server',
    'Vertex AI',
    'Amazon Bedrock',
  ]);
  await send(reported());
  await way(page, 'Models in VS Code Other extensions offer 3 models').waitFor();
  await way(page, 'Vertex AI Project invoices-prod, Google credentials found').waitFor();
  expect((await intentions()).map(each => each.type)).not.toContain('connect.start');
  await way(page, 'Rehearsal').click();
  expect(await intention('connect.start')).toEqual({ type: 'connect.start', way: 'rehearsal' });
});

test('without a connection the composer names no model, and leads to the ways to one', async ({ open }) => {
  const { page } = await open({ ...none, state: fold(rested) });
  const bar = page.locator('.composer-bar');
  await bar.getByRole('button', { name: 'Connect…' }).waitFor();
  expect(await bar.getByRole('combobox', { name: 'Model' }).count()).toBe(0);
  expect(await bar.getByRole('combobox', { name: 'Effort' }).count()).toBe(0);
  await bar.getByRole('button', { name: 'Connect…' }).click();
  await page.getByRole('heading', { name: 'Connect a model' }).waitFor();
});

test('a stored key that does not work is said above the prompt, and another one is set from there', async ({
  open,
}) => {
  const keyProblem = 'Gemini rejected this API key. Copy the full key, and try again.';
  const { page, send, intention } = await open({ width: 280, environment: { keyProblem } });
  const strip = page.locator('.strip').filter({ hasText: keyProblem });
  await strip.getByRole('button', { name: 'Set API key' }).click();
  await intention('key.set');
  await send({ type: 'environment.changed', environment });
  await expect.poll(() => strip.count()).toBe(0);
});

test('what this machine has for Vertex AI, Amazon Bedrock and VS Code is said in words', async ({ open }) => {
  const { page, send } = await open(none);
  await send(reported(undefined, { vscodeModels: 0, vertexProject: '', hasGoogleCredentials: false }));
  await page.getByText('None available yet').waitFor();
  await page.getByText('Needs a project and Google credentials').waitFor();
  await send(reported(undefined, { vertexProject: '', hasGoogleCredentials: true }));
  await page.getByText('Google credentials found, no project named yet').waitFor();
  await page.getByText('Models from other extensions').waitFor();
  await send(reported(undefined, { vertexProject: 'p', hasGoogleCredentials: false }));
  await page.getByText('Project p, no Google credentials yet').waitFor();
  await page.getByText('Claude models in your AWS account').waitFor();
  await send(reported(undefined, { awsRegion: '', hasAwsCredentials: false }));
  await page.getByText('Needs a region and AWS credentials').waitFor();
  await send(reported(undefined, { awsRegion: '', hasAwsCredentials: true }));
  await page.getByText('AWS credentials found, no region named yet').waitFor();
  await send(reported(undefined, { awsRegion: 'eu-central-1', hasAwsCredentials: true }));
  await page.getByText('Region eu-central-1, AWS credentials found').waitFor();
});

test('a key row says what happens to the key, and leads to the page that has one', async ({ open }) => {
  const { page, intention, send } = await open({ ...none, height: 584 });
  await send(reported());
  for (const name of ['Gemini API key', 'Anthropic API key', 'OpenAI API key'])
    await expect
      .poll(() => way(page, name).textContent())
      .toContain('ecked immediately, stored securely by VS Code');
  await page.getByRole('button', { name: 'Get a key: Anthropic API key' }).click();
  expect(await intention('link.open')).toMatchObject({ url: 'https://platform.claude.com/settings/keys' });
  const seen = await way(page, 'Rehearsal').boundingBox();
  const log = await page.getByRole('log').boundingBox();
  expect(seen!.y + seen!.height).toBeLessThanOrEqual(log!.y + log!.height);
});

test('the page marks what is connected now', async ({ open }) => {
  const connected = async (environment: Partial<Environment>, host = '') => {
    const { page, send, close } = await open({ environment, state: fold(rested) });
    await send({ type: 'view.shown', view: 'connect' });
    await send(reported(undefined, { azureHost: host }));
    const marked = await page.locator('.way-row[aria-current=true] .way-title').allTextContents();
    await close();
    return marked;
  };
  expect(await connected({ connection: 'key' })).toEqual(['Gemini API key']);
  expect(await connected({ connection: 'rehearsal', provider: 'openai' })).toEqual(['Rehearsal']);
  expect(await connected({ connection: 'key', provider: 'openai' })).toEqual(['Model server']);
  expect(await connected({ connection: 'key', provider: 'openai-responses' }, 'a.openai.azure.com')).toEqual([
    'Azure OpenAI',
  ]);
});

test('a way that may be gone in several manners says which, and each is a press', async ({ open }) => {
  const { page, send, intention } = await open(none);
  await send(reported(undefined, { azureHost: 'invoices.openai.azure.com' }));
  await way(page, 'Azure OpenAI Your resource invoices.openai.azure.com').waitFor();
  await send(reported(steps.azure));
  expect(await page.locator('.connect [role=status]').textContent()).toBe(steps.azure.what);
  expect(await page.locator('.way-step vscode-button').allTextContents()).toEqual([
    'Type the key…',
    'Use my Microsoft account',
    'Name the deployment…',
    'Type an address…',
  ]);
  await page.getByText('Use my Microsoft account').click();
  expect(await intention('connect.act')).toEqual({ type: 'connect.act', action: 'account' });
});

test('what a press leads to stands below it and is said automatically, and can be stopped', async ({
  open,
}) => {
  const { page, send, intention } = await open(none);
  const row = way(page, 'Model server');
  expect(await row.getAttribute('aria-expanded')).toBe('false');
  await send(reported(steps.scanning));
  await expect.poll(() => row.getAttribute('aria-expanded')).toBe('true');
  expect(await page.locator('.connect [role=status]').textContent()).toBe(steps.scanning.doing);
  await page.getByRole('button', { name: 'Stop' }).click();
  await intention('connect.stop');
  await send(reported(steps.nothing));
  await page.locator('.way-problem').getByText('No model server found').waitFor();
  await page.getByText('Type an address…').click();
  expect(await intention('connect.act')).toEqual({ type: 'connect.act', action: 'address' });
  await send(reported());
  await page.locator('.way-step').waitFor({ state: 'detached' });
});

test('a model is chosen by key, and why it cannot be used stands below it', async ({ open }) => {
  const { page, send, intention } = await open(none);
  await send(reported(steps.choosing));
  await way(page, 'Model server').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await intention('connect.choose')).toEqual({ type: 'connect.choose', id: 'o gemma' });
  await send(reported(steps.trying));
  await page.getByText('A model that is not loaded yet may take a minute').waitFor();
  await send(reported(steps.refused));
  const refused = page.locator('.offers li', { hasText: 'gemma3:4b' });
  await refused.getByText('cannot call tools').waitFor();
  // The focus is where it was: the next press is on the next model.
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await intention('connect.choose')).id).toBe('o qwen3');
});

test('a button that goes with its own press hands the focus back to its way', async ({ open }) => {
  const { page, send } = await open(none);
  await send(reported(steps.nothing));
  await page.getByRole('button', { name: 'Search again' }).focus();
  await page.keyboard.press('Enter');
  await send(reported(steps.scanning));
  const isWay = () => page.evaluate(() => document.activeElement?.classList.contains('way-row'));
  await expect.poll(isWay).toBe(true);
});

test('many models are filtered by what is typed', async ({ open }) => {
  const { page, send } = await open(none);
  await send(reported(steps.many));
  await page.getByRole('textbox', { name: 'Filter models' }).fill('VENDOR-3/model-1');
  await expect.poll(() => page.locator('.offer').count()).toBe(2);
  await page.getByRole('textbox', { name: 'Filter models' }).fill('nothing');
  await page.getByText('No model matches “nothing”.').waitFor();
});

test('in the middle of a session the way to a model is a page, and back', async ({ open }) => {
  const { page, intention, send } = await open({ ...none, state: fold(rested) });
  await page.getByText('No model is connected yet.').waitFor();
  await page.getByRole('button', { name: 'Connect a model' }).click();
  await page.getByRole('heading', { name: 'Connect a model', level: 1 }).waitFor();
  // The first way has the focus.
  await page.keyboard.press('Enter');
  expect(await intention('connect.start')).toEqual({ type: 'connect.start', way: 'gemini' });
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', { name: 'Ask Folio' }).waitFor();
  // Connected: the host puts the cursor where the user continues.
  await page.getByRole('button', { name: 'Connect a model' }).click();
  await page.getByRole('heading', { name: 'Connect a model', level: 1 }).waitFor();
  await send({ type: 'composer.focused' });
  await page.getByRole('textbox', { name: 'Ask Folio' }).waitFor();
});

test('the rehearsal says that it is one and how to leave it', async ({ open }) => {
  const { page } = await open({ environment: { connection: 'rehearsal' } });
  await page.getByText('Rehearsal: scripted answers, no model connected.').waitFor();
  await page.getByRole('button', { name: 'Connect a model' }).click();
  await page.getByRole('heading', { name: 'Connect a model', level: 1 }).waitFor();
});

test('what was sent without a model stands in the field again, with the reason', async ({ open }) => {
  const { page, intention, send } = await open(none);
  const box = page.getByRole('textbox', { name: 'Ask Folio' });
  await box.fill('Hello');
  await box.press('Enter');
  const { text, attachments } = await intention('prompt.send');
  const hint = 'Connect a model before you send a prompt.';
  await send({ type: 'composer.filled', text, attachments, hint });
  await page.getByRole('status').filter({ hasText: hint }).waitFor();
  expect(await box.inputValue()).toBe('Hello');
});

test('a key that is pasted into the prompt is neither sent nor kept', async ({ open }) => {
  for (const key of [`AIza${'Sy'.repeat(18)}x`, `sk-proj-${'a1'.repeat(20)}`]) {
    const { page, intentions, memory, close } = await open();
    const box = page.getByRole('textbox', { name: 'Ask Folio' });
    await box.fill(key);
    await box.press('Enter');
    await page.getByText('Looks like an API key, so Folio did not send it.', { exact: false }).waitFor();
    expect(await box.inputValue()).toBe('');
    expect((await intentions()).map(each => each.type)).not.toContain('prompt.send');
    await expect.poll(async () => JSON.stringify(await memory())).not.toContain(key);
    await close();
  }
});

test('what stands in an empty transcript is read from its top, and what was pressed stays in sight', async ({
  open,
}) => {
  const { page, send } = await open({ ...none, height: 520 });
  const top = () => page.getByRole('log').evaluate(log => log.scrollTop);
  await send(reported(steps.wrongKey));
  await page.locator('.way-problem').waitFor();
  expect(await top()).toBe(0);
  await send(reported(steps.noCredentials));
  const row = page.locator('.way', { hasText: 'Vertex AI' });
  await expect
    .poll(async () => {
      const log = await page.getByRole('log').boundingBox();
      const box = await row.boundingBox();
      return log && box ? box.y >= log.y - 1 && box.y + box.height <= log.y + log.height + 1 : false;
    })
    .toBe(true);
});
