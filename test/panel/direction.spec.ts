import { expect } from 'vitest';
import { rightToLeft } from './directionScenes.ts';
import { fold } from './journal.ts';
import { test } from './suite.ts';

test('text runs as its letters do, in answers, prompts and the field, and code runs from left to right', async ({
  open,
}) => {
  const { page } = await open({ state: fold(rightToLeft) });
  await page.locator('.answer-table').waitFor();
  const directionOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate(element => getComputedStyle(element).direction);
  expect(await directionOf('.prompt-text')).toBe('rtl');
  expect(await directionOf('.answer h2')).toBe('rtl');
  expect(await directionOf('.answer ul li ul li')).toBe('rtl');
  expect(await directionOf('.answer ol li')).toBe('ltr');
  expect(await directionOf('.answer blockquote')).toBe('rtl');
  expect(await directionOf('.answer th:nth-child(1)')).toBe('rtl');
  expect(await directionOf('.answer th:nth-child(2)')).toBe('ltr');
  expect(await directionOf('.answer pre')).toBe('ltr');
  expect(await directionOf('.answer p code')).toBe('ltr');
  const paragraphs = page.locator('.answer p').filter({ hasNot: page.locator('xpath=ancestor::blockquote') });
  const directions = await paragraphs.evaluateAll(all => all.map(each => getComputedStyle(each).direction));
  // The second begins with code, and its words decide.
  expect(directions.slice(0, 3)).toEqual(['rtl', 'rtl', 'ltr']);

  const field = page.getByRole('textbox', { name: 'Ask Folio' });
  await field.fill('שלום עולם');
  expect(await directionOf('.prompt-field')).toBe('rtl');
  await field.fill('Hello');
  expect(await directionOf('.prompt-field')).toBe('ltr');
});
