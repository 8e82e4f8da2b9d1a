import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { SessionState } from '../../src/protocol/state.ts';
import { attacks, floods } from './attackCorpus.ts';
import { fold, journal, prompt, started, step, stepEnd, text } from './journal.ts';
import { test } from './suite.ts';

/** Each text in an answer of its own, so that what one leaves open cannot hide another. */
function answers(texts: readonly string[], from: number): SessionState {
  const said = texts.flatMap((answer, index) => [
    step(`s${from + index}`, index + 1),
    text(`s${from + index}`, `${answer}\n\nEnd of ${from + index}.`),
    stepEnd(`s${from + index}`, 100),
  ]);
  // Sessions of their own: within one, an answer only grows.
  return { ...fold([started, prompt('t1', 'Hello'), ...said]), sessionId: `session-${from}` };
}

/** Elements and attributes that nothing in an answer may have. */
function findForbidden(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const elements = [
      'a',
      'b',
      'blockquote',
      'br',
      'button',
      'code',
      'dd',
      'del',
      'details',
      'div',
      'dl',
      'dt',
      'em',
    ];
    const more = [
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
      'hr',
      'i',
      'input',
      'kbd',
      'li',
      'ol',
      'p',
      'pre',
      's',
      'span',
    ];
    const rest = ['strong', 'sub', 'summary', 'sup', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul'];
    const names = new Set([...elements, ...more, ...rest]);
    const plain = [
      'href',
      'title',
      'class',
      'dir',
      'align',
      'start',
      'type',
      'checked',
      'disabled',
      'open',
      'tabindex',
    ];
    const attributes = new Set([...plain, 'aria-label', 'aria-hidden', 'data-language', 'data-cut']);
    const found: string[] = [];
    for (const element of document.querySelectorAll('.answer *')) {
      const name = element.tagName.toLowerCase();
      if (!names.has(name)) found.push(element.outerHTML.slice(0, 200));
      if (name === 'input' && element.getAttribute('type') !== 'checkbox') found.push(element.outerHTML);
      const isOurs = ['code-copy', 'table-sort'].includes(element.className);
      if (name === 'button' && !isOurs) found.push(element.outerHTML);
      if (element.namespaceURI !== 'http://www.w3.org/1999/xhtml')
        found.push(`${name} of ${element.namespaceURI}`);
      // The page itself says how text runs; an answer has no say in it.
      if (!['auto', 'ltr', null].includes(element.getAttribute('dir'))) found.push(`${name} dir`);
      const ownIcon = element.matches('.code-copy > .codicon') ? 'data-icon' : undefined;
      for (const attribute of element.getAttributeNames())
        if (!attributes.has(attribute) && attribute !== ownIcon) found.push(`${name} ${attribute}`);
    }
    return found;
  });
}

test('of two hundred attacks none runs, loads, styles, names or covers anything', async ({ open }) => {
  expect(new Set(attacks).size).toBeGreaterThanOrEqual(200);
  const panel = await open({ state: null });
  const { page } = panel;
  const asked: string[] = [];
  page.on('request', request => asked.push(request.url()));
  const home = new URL(page.url()).origin;
  const perPage = 20;
  for (let from = 0; from < attacks.length; from += perPage) {
    const shown = attacks.slice(from, from + perPage);
    await panel.show(answers(shown, from));
    await expect.poll(() => page.locator('.answer-block').count()).toBeGreaterThan(shown.length);
    await page.locator('.answer', { hasText: `End of ${from + shown.length - 1}.` }).waitFor();
    expect(await findForbidden(page), shown.join('\n')).toEqual([]);
    await touchEverything(page);
    expect(await page.evaluate(() => Reflect.get(window, 'hacked')), shown.join('\n')).toBeUndefined();
  }
  expect(new URL(page.url()).origin).toBe(home);
  expect(await page.evaluate(() => document.querySelectorAll('#root').length)).toBe(1);
  expect(asked.filter(address => new URL(address).origin !== home)).toEqual([]);
  expect(await panel.problems()).toEqual([]);
  for (const intention of await panel.intentions()) {
    expect(['panel.ready', 'panel.inbox', 'link.open', 'file.open', 'text.copy']).toContain(intention.type);
    if (intention.type === 'link.open') expect(intention.url).toMatch(/^(https?|mailto):/i);
  }
});

/** A press on, and a pointer over, all that an answer holds; without the waits of a real pointer. */
async function touchEverything(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const element of document.querySelectorAll<HTMLElement>('.answer *')) {
      for (const type of ['pointerenter', 'mouseover', 'focus', 'error', 'load', 'toggle'])
        element.dispatchEvent(new Event(type, { bubbles: true }));
      element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
    }
  });
}

for (const [name, flood] of Object.entries(floods)) {
  test(`a flood of ${name} leaves the page usable`, async ({ open }) => {
    const panel = await open({ state: fold([started, prompt('t1', 'Hello'), step('s1', 1)]) });
    const { page } = panel;
    await panel.play(journal([text('s1', flood), text('s1', '\n\nAnd then the end.\n')], 3));
    const box = page.getByRole('textbox', { name: 'Ask Folio' });
    await box.fill('still here');
    expect(await box.inputValue()).toBe('still here');
    await expect
      .poll(() => page.locator('.answer').evaluate(each => each.textContent.includes('And then the end.')))
      .toBe(true);
    expect(await findForbidden(page)).toEqual([]);
    expect(await panel.problems()).toEqual([]);
  });
}
