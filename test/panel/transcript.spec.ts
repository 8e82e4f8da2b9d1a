import { expect } from 'vitest';
import type { SessionEventBody } from '../../src/protocol/events.ts';
import { done, fold, journal, prompt, request, started, step, text } from './journal.ts';
import type { PanelPage } from './panelPage.ts';
import { failed, opening, rested, running } from './scenario.ts';
import { test } from './suite.ts';

const headings = (panel: PanelPage) => panel.page.locator('[data-chapter-heading]');

test('a finished chapter folds when the next one starts, and keeps its prompt, summary and cost', async ({
  open,
}) => {
  const panel = await open({ state: fold(opening) });
  const [first, second, third] = await headings(panel).all();
  expect(await first!.getAttribute('aria-expanded')).toBe('false');
  expect(await second!.getAttribute('aria-expanded')).toBe('false');
  expect(await third!.getAttribute('aria-expanded')).toBe('true');
  const { page } = panel;
  await expect.poll(() => page.getByText('The total of an invoice is off by one cent').count()).toBe(1);
  await expect.poll(() => page.getByText('One of 7 tests fails: expected 120.00').count()).toBe(1);
  await expect.poll(() => page.getByText(/1 call · 15k tokens/).count()).toBe(1);
});

test('a notice wraps a path that is longer than the panel', async ({ open }) => {
  const text = `From /home/ann/${'a_long_name_'.repeat(12)}.jsonl.`;
  const panel = await open({ state: fold([started, { type: 'notice.shown', level: 'info', text }]) });
  const notice = panel.page.locator('.notice');
  await expect.poll(() => notice.count()).toBe(1);
  expect(await notice.evaluate(each => each.scrollWidth - each.clientWidth)).toBe(0);
});

test('what the user folded or unfolded by hand stays as it is', async ({ open }) => {
  const panel = await open({ state: fold(opening) });
  await headings(panel).nth(0).click();
  await headings(panel).nth(2).click();
  await panel.play(
    journal([{ type: 'chapter.started', chapterId: 'c4', title: 'Running the tests' }], opening.length),
  );
  await expect.poll(() => headings(panel).count()).toBe(4);
  const expanded = await headings(panel).evaluateAll(all => all.map(each => each.ariaExpanded));
  expect(expanded).toEqual(['true', 'false', 'false', 'true']);
});

test('a chapter that is being read does not fold away when the next one starts', async ({ open }) => {
  const lines = Array.from({ length: 80 }, (_, index) => `Paragraph ${index} of a long answer.\n\n`).join('');
  const long: SessionEventBody[] = [...opening, text('s3', lines)];
  const panel = await open({ state: fold(long) });
  const log = panel.page.getByRole('log');
  await expect.poll(() => log.evaluate(element => element.scrollTop)).toBeGreaterThan(200);
  await log.evaluate(element => {
    element.scrollTop -= 400;
  });
  await expect.poll(() => panel.memory()).toMatchObject({ scroll: expect.any(Number) });
  const before = await log.evaluate(element => element.scrollTop);
  await panel.play(
    journal(
      [{ type: 'chapter.started', chapterId: 'c4', title: 'Running the tests' }, text('s4', lines)],
      long.length,
    ),
  );
  await panel.page.getByText('New below').waitFor();
  expect(await headings(panel).nth(2).getAttribute('aria-expanded')).toBe('true');
  expect(await log.evaluate(element => element.scrollTop)).toBe(before);

  await panel.page.getByText('New below').click();
  await expect
    .poll(() => log.evaluate(each => each.scrollHeight - each.scrollTop - each.clientHeight))
    .toBeLessThan(2);
});

test('who has only begun to scroll up is not undone by what comes', async ({ open }) => {
  const lines = Array.from({ length: 80 }, (_, index) => `Paragraph ${index} of a long answer.\n\n`).join('');
  const long: SessionEventBody[] = [...opening, text('s3', lines)];
  const panel = await open({ state: fold(long) });
  const log = panel.page.getByRole('log');
  const below = () => log.evaluate(each => each.scrollHeight - each.scrollTop - each.clientHeight);
  await expect.poll(below).toBeLessThan(2);
  await log.evaluate(element => {
    element.scrollTop -= 10;
  });
  await expect.poll(() => panel.memory()).toMatchObject({ scroll: expect.any(Number) });
  await panel.play(journal([text('s4', lines)], long.length));
  await panel.page.getByText('New below').waitFor();
  expect(await below()).toBeGreaterThan(400);
});

test('a session without titled chapters shows no heading and does not fold', async ({ open }) => {
  const panel = await open({ state: fold(rested) });
  expect(await headings(panel).count()).toBe(0);
  await expect.poll(() => panel.page.getByText('Read src/invoice.ts').count()).toBe(1);
});

test('the outline jumps to a chapter, opens it and gives it the focus', async ({ open }) => {
  const panel = await open({ state: fold(opening) });
  await panel.send({ type: 'view.shown', view: 'outline' });
  const { page } = panel;
  await page.getByRole('navigation', { name: 'Outline' }).waitFor();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByRole('navigation').count()).toBe(0);
  expect(await headings(panel).nth(0).getAttribute('aria-expanded')).toBe('true');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toMatch(/Reading the invoice code/);
});

test('the heading of the chapter that is read stays at the edge and opens the outline', async ({ open }) => {
  const lines = Array.from({ length: 80 }, (_, index) => `Paragraph ${index}.\n\n`).join('');
  const panel = await open({ state: fold([...opening, text('s3', lines)]) });
  await panel.page.getByRole('button', { name: /^3 ?Fixing.*show the outline/ }).click();
  await panel.page.getByRole('navigation', { name: 'Outline' }).waitFor();
});

test('Alt with the arrows walks chapters, J and K walk cards, Enter unfolds', async ({ open }) => {
  const panel = await open({ state: fold(running) });
  const { page } = panel;
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  await page.getByRole('log').focus();
  await page.keyboard.press('Alt+ArrowDown');
  await page.keyboard.press('Alt+ArrowDown');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toMatch(/Reproducing the rounding error/);

  await page.getByRole('log').focus();
  await page.keyboard.press('j');
  expect(await focused()).toBe('Thought: Deciding where to round');
  await page.keyboard.press('j');
  expect(await focused()).toBe('Read 2 files, searched once');
  await page.keyboard.press('Enter');
  await page.getByText('Search for Math.round').waitFor();
  await page.keyboard.press('k');
  expect(await focused()).toBe('Thought: Deciding where to round');
});

test('the card of a command that waits says so, and its button leads to the terminal by keyboard', async ({
  open,
}) => {
  const { page, play, intention } = await open({ state: fold(running) });
  const waits = page.getByRole('alert').filter({ hasText: 'Waits for you' });
  expect(await waits.count()).toBe(0);
  await play(
    journal([...running, { type: 'call.waited', callId: 'run2', waits: true }]).slice(running.length),
  );
  await waits.waitFor();
  await waits.getByRole('button', { name: 'Answer in the terminal: Run npm test' }).focus();
  await page.keyboard.press('Enter');
  expect(await intention('command.answer')).toEqual({ type: 'command.answer', callId: 'run2' });
  const over = [
    ...running,
    { type: 'call.waited', callId: 'run2', waits: true },
    { type: 'call.waited', callId: 'run2', waits: false },
  ] as const;
  await play(journal(over).slice(running.length + 1));
  await waits.waitFor({ state: 'detached' });
});

test('of two commands that wait, the card of an answer leads to the terminal of the command that it answers', async ({
  open,
}) => {
  const answering = [
    ...running,
    { type: 'call.waited', callId: 'run2', waits: true },
    request({ id: 'sent', tool: 'send_input', title: 'Read on from process 12', effect: 'run' }),
    { type: 'call.started', callId: 'sent' },
    { type: 'call.waited', callId: 'sent', waits: true, startedBy: 'run1' },
  ] as const;
  const { page, intention, intentions } = await open({ state: fold(answering) });
  await page.getByRole('button', { name: 'Answer in the terminal: Read on from process 12' }).press('Enter');
  expect(await intention('command.answer')).toEqual({ type: 'command.answer', callId: 'run1' });
  await page.getByRole('button', { name: 'Answer in the terminal: Run npm test' }).press('Enter');
  await expect
    .poll(async () =>
      (await intentions()).flatMap(each => (each.type === 'command.answer' ? [each.callId] : [])),
    )
    .toEqual(['run1', 'run2']);
});

test('a failed command shows its exit code, its output and opens the whole of it', async ({ open }) => {
  const output = Array.from({ length: 60 }, (_, index) => `line ${index}`).join('\n');
  const { page, intention } = await open({
    state: fold([
      started,
      prompt('t1', 'Build'),
      ...done({ id: 'b', tool: 'run_shell_command', title: 'Run make', effect: 'run' }, '').slice(0, -1),
      {
        type: 'call.ended',
        callId: 'b',
        outcome: 'ok',
        durationMs: 10,
        display: { summary: 'Exit code 2', detail: { kind: 'command', exitCode: 2, output } },
      },
    ]),
  });
  await page.getByRole('group', { name: 'Run make, failed, Exit code 2' }).waitFor();
  const shown = await page.locator('.output').textContent();
  expect(shown).toContain('line 0');
  expect(shown).toContain('line 59');
  expect(shown).toContain('… 40 lines …');
  expect(shown).not.toContain('line 30');
  await page.getByText('Show all in editor').click();
  expect((await intention('output.open')).callId).toBe('b');
});

test('a failed turn says why, offers the remedy and a retry', async ({ open }) => {
  const { page, intention } = await open({ state: fold(failed) });
  await page.getByText('The API key was refused. Set a valid key, then retry.').first().waitFor();
  await page.locator('.failed').getByText('Set API key').click();
  await intention('key.set');
  await page.locator('.failed').getByText('Retry', { exact: true }).click();
  await intention('turn.retry');
});

test('an end that a later prompt has left behind offers nothing any more', async ({ open }) => {
  const { page } = await open({ state: fold([...failed, prompt('t2', 'Try it like this')]) });
  await page.getByText('Try it like this').waitFor();
  await page.locator('.failed').first().waitFor();
  expect(await page.getByText('Retry', { exact: true }).count()).toBe(0);
});

test('while a retry is awaited the line counts down and can be cut short', async ({ open }) => {
  const { page, intention } = await open({
    state: fold([
      started,
      prompt('t1', 'Hello'),
      step('s1', 1),
      {
        type: 'step.retried',
        stepId: 's1',
        reason: 'The service is overloaded.',
        attempt: 2,
        maxAttempts: 10,
        delayMs: 90_000,
      },
    ]),
  });
  await page.getByText(/The service is overloaded\. Retrying in 1 min \d+ s \(2 of 10\)\./).waitFor();
  const before = await page.locator('.activity-text').textContent();
  await expect.poll(() => page.locator('.activity-text').textContent()).not.toBe(before);
  await page.getByText('Retry now').click();
  await intention('retry.now');
});

test('in a narrow panel a long reason for a retry has the whole line', async ({ open }) => {
  const reason = 'The connection failed (UND_ERR_SOCKET). Check that the setting folio.baseUrl is right.';
  const retried = { type: 'step.retried', stepId: 's1', reason, attempt: 2, maxAttempts: 10 } as const;
  const { page } = await open({
    state: fold([started, prompt('t1', 'Hello'), step('s1', 1), { ...retried, delayMs: 90_000 }]),
    width: 280,
  });
  const text = (await page.locator('.activity-text').boundingBox())!;
  const button = (await page.getByText('Retry now').boundingBox())!;
  expect(button.y).toBeGreaterThanOrEqual(text.y + text.height);
  expect(text.width).toBeGreaterThan(220);
});

test('the changes of the session open from the chapter that made some', async ({ open }) => {
  const { page, intention } = await open({ state: fold(opening) });
  await page.locator('.chapter-line').last().hover();
  await page.getByRole('button', { name: 'More actions of chapter 3' }).click();
  await page.getByRole('menuitem', { name: 'Open changes' }).click();
  await intention('changes.open');
});

test('earlier items of a long session come to the page when the user scrolls to them', async ({ open }) => {
  const turns = Array.from({ length: 400 }, (_, index): SessionEventBody[] => [
    prompt(`t${index}`, `Question ${index}`),
    text(`s${index}`, `Answer ${index}`),
    { type: 'turn.ended', turnId: `t${index}`, end: { kind: 'rested' } },
  ]).flat();
  const { page } = await open({ state: fold([started, ...turns]) });
  await page.getByText('Answer 399').waitFor();
  expect(await page.locator('.prompt').count()).toBeLessThan(100);
  await page.getByRole('log').evaluate(log => {
    log.scrollTop = 0;
  });
  await expect.poll(() => page.locator('.prompt').count()).toBeGreaterThan(100);
});

test('a call with a long path keeps its folder and the end of the name, and gives way between them', async ({
  open,
}) => {
  const path = 'src/billing/overview/a-rather-long-name-of-a-component.test.tsx';
  const call = { id: 'w1', tool: 'write_file', title: `Write ${path}`, args: { file_path: path } };
  const state = fold([started, prompt('t1', 'Write it'), step('s', 1), ...done(call, 'Written')]);
  for (const width of [280, 340]) {
    const { page } = await open({ state, width });
    const title = page.locator('.row-title', { hasText: `Write ${path}` });
    const [head, tail] = await title.locator('.middle-cut > *').evaluateAll(parts =>
      parts.map(part => ({
        words: part.textContent,
        shown: part.clientWidth || part.getBoundingClientRect().width,
        right: part.getBoundingClientRect().right,
      })),
    );
    expect(tail!.words, `at ${width}`).toBe('ent.test.tsx');
    const row = (await title.boundingBox())!;
    expect(tail!.right, `at ${width}`).toBeLessThanOrEqual(row.x + row.width + 1);
    // Room for the verb and the first folder.
    const verb = (await title.locator('> :first-child').boundingBox())!;
    expect(verb.width + head!.shown, `at ${width}`).toBeGreaterThan(50);
  }
});

test('a long prompt is cut between two lines', async ({ open }) => {
  const long = Array.from({ length: 200 }, (_, index) => `line ${index}`).join('\n');
  const { page } = await open({ state: fold([prompt('t1', long)]) });
  const lines = await page.locator('.prompt-text').evaluate(text => {
    return text.clientHeight / Number.parseFloat(getComputedStyle(text).lineHeight);
  });
  expect(lines).toBeCloseTo(10, 1);
});

test('rows that fold have a chevron before their words, also when nothing points at them', async ({
  open,
}) => {
  const { page } = await open({ state: fold(opening) });
  const rows = page.locator('[role=log] .row[aria-expanded]');
  await rows.first().waitFor();
  for (const row of await rows.all()) {
    const chevron = row.locator(':scope > :first-child');
    expect(await chevron.getAttribute('class')).toContain('codicon-chevron');
    expect(await chevron.evaluate(each => getComputedStyle(each).opacity)).toBe('1');
  }
});
