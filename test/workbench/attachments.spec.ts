import { expect } from 'vitest';
import { readPictureFacts } from '../../src/extension/models/media/readPictureFacts.ts';
import { text } from '../support/geminiAnswers.ts';
import { png } from '../support/pictures.ts';
import { record } from '../support/recording.ts';
import { expectPlayed, lastAsked, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

test('a picture is cropped before it goes out, and a recording and a PDF go along', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  await makeWorkspace({});
  const gemini = await startGemini();
  gemini.script([text('Seen.')]);
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const { page } = window;
  const panel = await window.openPanel();
  const choose = async (name: string, mimeType: string, buffer: Buffer) => {
    const chooser = page.waitForEvent('filechooser');
    await panel.getByRole('button', { name: 'Add context' }).click();
    await panel.getByRole('menuitem', { name: 'Picture, recording or PDF…' }).click();
    await (await chooser).setFiles({ name, mimeType, buffer });
  };

  await choose('shot.png', 'image/png', png({ width: 400, height: 200 }));
  await panel.getByRole('button', { name: 'shot.png', exact: true }).click();
  const look = panel.getByRole('dialog', { name: 'shot.png' });
  await look.getByText('400 × 200 pixels').waitFor();
  await look.getByRole('button', { name: 'Crop…' }).click();
  await look.getByText('320 × 160 pixels').waitFor();
  await window.savePicture('picture-crop');
  await look.getByRole('button', { name: 'Crop', exact: true }).click();
  await look.getByRole('button', { name: 'Done' }).click();

  await choose('run.webm', 'video/webm', await record(page));
  await panel.getByText(/The model gets \d pictures of run\.webm\./).waitFor();
  await choose('spec.pdf', 'application/pdf', Buffer.from('%PDF-1.7\n'));
  await panel.locator('.composer .chip').getByText('spec.pdf').waitFor();

  // The cursor waits where the next word is typed.
  await until('the prompt has the focus', () =>
    panel.getByRole('textbox', { name: 'Ask Folio' }).evaluate(field => field === document.activeElement),
  );
  await page.keyboard.type('Look');
  await page.keyboard.press('Enter');
  await panel.getByText('Seen.').waitFor();
  const sent = (lastAsked(gemini).body.contents ?? [])
    .flatMap(({ parts = [] }) => parts)
    .flatMap(({ inlineData }) => inlineData ?? []);
  const [shot, ...others] = sent.map(({ mimeType = '', data = '' }) => ({
    mimeType,
    facts: readPictureFacts(Buffer.from(data, 'base64'), mimeType),
  }));
  expect(shot?.facts).toMatchObject({ kind: 'whole', width: 320, height: 160 });
  expect(others.at(-1)?.mimeType).toBe('application/pdf');
  const frames = others.slice(0, -1);
  expect(frames.length).toBeGreaterThanOrEqual(2);
  for (const { facts } of frames)
    expect(facts).toMatchObject({ mimeType: 'image/jpeg', width: 320, height: 240 });
  expectPlayed(gemini);
});
