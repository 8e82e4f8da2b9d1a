/* The composer: what waits to be sent, what is offered while typing, and what it is sent to. */

import type { SessionEventBody } from '../../../src/protocol/events.ts';
import type { CompletionChoice } from '../../../src/protocol/mentions.ts';
import { pictureOfPage } from '../browserScenes.ts';
import { oneWaits, stoppedTurn, waiting } from '../controlScenes.ts';
import type { PanelPage } from '../panelPage.ts';
import { rested } from '../scenario.ts';
import type { Scene } from './scene.ts';

const found: readonly CompletionChoice[] = [
  { kind: 'file', label: 'invoice.ts', insert: '@src/invoice.ts ', detail: 'src' },
  { kind: 'folder', label: 'src', insert: '@src/', detail: '' },
  {
    kind: 'file',
    label: 'aVeryLongNameOfAnInvoiceSpecificationThatGoesOn.test.ts',
    insert: '@x ',
    detail: 'packages/accounting/src/invoices/specifications',
  },
  { kind: 'file', label: 'package.json', insert: '@x ', detail: '.github/workflows/packages/accounting/src' },
  { kind: 'file', label: 'invoice.map', insert: '@dist/invoice.map ', detail: 'dist', ignored: true },
  { kind: 'symbol', label: 'roundInvoice', insert: '@#roundInvoice ', detail: 'src/invoice.ts' },
  {
    kind: 'problems',
    label: 'problems',
    insert: '@problems ',
    detail: 'Errors and warnings of the workspace',
  },
  { kind: 'terminal', label: 'terminal', insert: '@terminal ', detail: "The last command's output" },
  { kind: 'diff', label: 'diff', insert: '@diff ', detail: 'What is not committed' },
  {
    kind: 'url',
    label: 'https://example.com/docs',
    insert: '@https://example.com/docs ',
    detail: 'Web page',
  },
];

const commands: readonly CompletionChoice[] = [
  { kind: 'command', label: '/compress', insert: '/compress ', detail: 'Summarise the oldest part' },
  { kind: 'command', label: '/help', insert: '/help ', detail: 'Show what can be asked for' },
  {
    kind: 'command',
    label: '/openspec:proposal',
    insert: '/openspec:proposal ',
    detail: 'Propose',
    hint: 'arguments',
    source: 'workspace',
  },
];

/** A picture of a page, and a PDF with a long name. */
const looking = {
  events: rested,
  options: {
    memory: {
      sessionId: 'session-1',
      attachments: [
        { kind: 'image', name: 'Screenshot 2026-11-30 at 10.12.44.svg', blob: pictureOfPage },
        {
          kind: 'image',
          name: 'a-specification-with-a-name-that-goes-on-and-on.pdf',
          blob: { mimeType: 'application/pdf', data: 'JVBERi0=' },
        },
      ],
    },
  },
} as const satisfies Partial<Scene>;

/** @param presses 1: the picture is seen whole; 2: a part of it is picked */
async function openLook({ page }: PanelPage, presses: 1 | 2): Promise<void> {
  await page.locator('.composer .chip-text').first().click();
  await page.locator('.look-picture').waitFor();
  if (presses === 2) await page.locator('.look-actions vscode-button').nth(1).click();
}

const driven: readonly SessionEventBody[] = [
  { type: 'agent.chosen', name: 'Gemini CLI', session: 's' },
  {
    type: 'agent.offered',
    options: [
      {
        id: 'mode',
        name: 'Mode',
        kind: 'mode',
        value: 'edit',
        values: [
          { value: 'ask', label: 'Careful' },
          { value: 'edit', label: 'Auto Edit', hint: 'Auto-approves edit tools' },
        ],
      },
      {
        id: 'model',
        name: 'Model',
        kind: 'model',
        value: 'pro',
        values: [
          { value: 'auto', label: 'Whichever fits' },
          { value: 'pro', label: 'gemini-3.1-pro-preview' },
        ],
      },
      {
        id: 'fast',
        name: 'Fast',
        kind: 'other',
        value: 'false',
        values: [
          { value: 'true', label: 'Fast: on' },
          { value: 'false', label: 'Fast: off' },
        ],
      },
    ],
  },
];

async function complete(
  { page, intention, send }: PanelPage,
  typed: string,
  choices: readonly CompletionChoice[],
): Promise<void> {
  await page.getByRole('textbox', { name: 'Ask Folio' }).focus();
  await page.keyboard.insertText(typed);
  const { number } = await intention('completion.ask');
  await send({ type: 'completion.told', number, choices, limited: true });
  await page
    .getByRole('listbox')
    .getByRole('option')
    .nth(choices.length - 1)
    .waitFor();
  await page.keyboard.press('ArrowDown');
}

export const composerScenes: readonly Scene[] = [
  {
    name: 'pageAdds',
    events: rested,
    actAnywhere: async ({ page, send }) => {
      const text = (of: string) =>
        `Ticket ${of} is chosen.\nIts title: an invoice that nobody can find again.`;
      const additions = ['7', '8'].map(each => ({ app: each, server: 'board', text: text(each) }));
      await send({ type: 'app.adds', additions });
      await page.locator('.app-addition summary').first().click();
    },
  },
  {
    name: 'completion',
    events: rested,
    act: panel => complete(panel, 'compare @inv', found),
  },
  { name: 'completion-commands', events: rested, act: panel => complete(panel, '/', commands) },
  {
    name: 'pickers',
    events: rested,
    act: async ({ page }) => page.getByRole('combobox', { name: 'Model' }).click(),
  },
  {
    name: 'selection',
    options: { environment: { selectedLines: { startLine: 4, endLine: 9 } } },
    act: ({ page }) => page.getByRole('button', { name: 'Add context' }).click(),
  },
  {
    name: 'selection-omitted',
    options: { environment: { selectedLines: { startLine: 4, endLine: 9 }, isSelectionOmitted: true } },
  },
  {
    name: 'effort',
    events: rested,
    options: {
      environment: {
        models: [
          {
            id: 'gemini-2.5-pro',
            label: 'Gemini 2.5 Pro',
            contextLimit: 1_048_576,
            efforts: ['low', 'medium', 'high', 'max'],
          },
        ],
        efforts: { 'gemini-2.5-pro': 'medium', '*': 'low' },
      },
    },
    act: async ({ page }) => page.getByRole('combobox', { name: 'Effort' }).click(),
  },
  {
    name: 'queue',
    events: waiting,
    act: async ({ page }) => {
      await page.getByRole('textbox', { name: 'Ask Folio' }).fill('And then');
      await page.getByRole('button', { name: 'Ways to send' }).click();
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'queue-changing',
    events: waiting,
    act: async ({ page }) => {
      await page.locator('.queue-text').nth(1).click();
      await page.getByRole('textbox', { name: 'Waiting prompt' }).waitFor();
    },
  },
  { name: 'driver', events: [...rested, ...driven] },
  { ...looking, name: 'picture-look', actAnywhere: panel => openLook(panel, 1) },
  { ...looking, name: 'picture-crop', actAnywhere: panel => openLook(panel, 2) },
  { name: 'queue-stopped', events: [...waiting, stoppedTurn] },
  { name: 'queue-rested', events: oneWaits },
];
