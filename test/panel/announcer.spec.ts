import { expect } from 'vitest';
import type { SessionEventBody } from '../../src/protocol/events.ts';
import { fold, journal, prompt, started, step, text } from './journal.ts';
import { environment, type PanelPage } from './panelPage.ts';
import { test } from './suite.ts';

function turn(id: string, answer: string): readonly SessionEventBody[] {
  return [
    prompt(id, 'Continue'),
    step(`s${id}`, 1),
    text(`s${id}`, answer),
    { type: 'turn.ended', turnId: id, end: { kind: 'rested' } },
  ];
}

/** Each sentence that is put before a screen reader from now on, in order. */
async function listen({ page }: PanelPage): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const heard: string[] = [];
    (window as unknown as { heard: string[] }).heard = heard;
    for (const region of document.querySelectorAll('[data-announcer]')) {
      let last = region.firstElementChild;
      const observer = new MutationObserver(() => {
        const now = region.firstElementChild;
        // A sentence has an element of its own, which may be there before its words.
        if (now === last || !now?.textContent) return;
        last = now;
        heard.push(now.textContent);
      });
      observer.observe(region, { subtree: true, childList: true, characterData: true });
    }
  });
  return () =>
    page.evaluate(() => (window as unknown as { heard: string[] }).heard.filter(each => each !== ''));
}

test('answers are said when their turn ends, once each, in order, and the same words again', async ({
  open,
}) => {
  const panel = await open({ state: fold([started]) });
  const heard = await listen(panel);
  const turns = [
    turn('t1', '## Done\n\n- **It** is `mended`.'),
    turn('t2', 'All is well.'),
    turn('t3', 'All is well.'),
    turn('t4', `${'word '.repeat(200)}end`),
  ];
  let seq = 1;
  for (const [at, events] of turns.entries()) {
    // What streams in is silent. The second turn begins and ends in one frame.
    const first = at === 1 ? events.length : events.length - 1;
    await panel.play(journal(events.slice(0, first), seq));
    await panel.play(journal(events.slice(first), seq + first));
    seq += events.length;
    await expect.poll(heard).toHaveLength(at + 1);
  }
  const [first, ...others] = await heard();
  expect(first).toBe('Folio has finished. Done It is mended.');
  expect(others.slice(0, 2)).toEqual([
    'Folio has finished. All is well.',
    'Folio has finished. All is well.',
  ]);
  expect(others[2]).toMatch(/^Folio has finished\. (word )+.*… The rest is in the transcript\.$/);
});

test('a user who wants less of VS Code’s chat hears less: no asks, no progress, no hint, but always the end', async ({
  open,
}) => {
  const spoken = { asks: false, progress: false, hints: false };
  const panel = await open({ state: fold([started]), environment: { spoken } });
  const field = panel.page.getByRole('textbox', { name: 'Ask Folio' });
  expect(await field.getAttribute('aria-description')).toBeNull();
  const heard = await listen(panel);
  const events: readonly SessionEventBody[] = [
    { type: 'chapter.started', chapterId: 'c1', title: 'Reading' },
    ...turn('t1', 'All is well.'),
  ];
  await panel.play(journal(events.slice(0, -1), 1));
  await panel.play(journal(events.slice(-1), events.length));
  await expect.poll(heard).toEqual(['Folio has finished. All is well.']);

  await panel.send({
    type: 'environment.changed',
    environment: { ...environment, spoken: { asks: true, progress: true, hints: true } },
  });
  await panel.play(journal([{ type: 'chapter.started', chapterId: 'c2', title: 'Writing' }], 10));
  await expect.poll(heard).toContain('Chapter 2: Writing');
  expect(await field.getAttribute('aria-description')).toBe('Alt+F2 opens the transcript as text');
});
