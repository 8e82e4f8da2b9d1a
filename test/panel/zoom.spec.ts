import { expect } from 'vitest';
import type { PanelPage } from './panelPage.ts';
import { showScene, sidewaysOverflow } from './scenes/scene.ts';
import { scenes } from './scenes/scenes.ts';
import { test } from './suite.ts';

/** A panel of 400 by 760 pixels at 200 %. */
const zoomed = { width: 200, height: 380 };

test('at 200 % every control of every state can be brought into view, whole, and nothing covers it', async ({
  open,
}) => {
  const wrong: string[] = [];
  for (const scene of scenes) {
    const panel = await showScene(scene, open, zoomed);
    const overflow = await sidewaysOverflow(panel);
    if (overflow > 0) wrong.push(`${scene.name} reaches out by ${overflow} pixels`);
    const emptiness = await emptinessBelow(panel);
    if (emptiness > 1) wrong.push(`${scene.name} can be scrolled ${emptiness} pixels into nothing`);
    for (const control of await hiddenControls(panel)) wrong.push(`${scene.name}: ${control}`);
    await panel.close();
  }
  expect(wrong).toEqual([]);
}, 600_000);

test('a control that is cut or covered is found', async ({ open }) => {
  const panel = await open(zoomed);
  await panel.page.evaluate(() => {
    const cut = document.createElement('button');
    cut.textContent = 'Reaches out';
    cut.style.cssText = 'position:fixed;left:150px;top:0;width:100px;height:20px';
    const under = document.createElement('button');
    under.textContent = 'Lies under';
    under.style.cssText = 'position:fixed;left:0;top:40px;width:100px;height:20px';
    const over = document.createElement('div');
    over.style.cssText = 'position:fixed;left:0;top:40px;width:100px;height:20px';
    document.body.append(cut, under, over);
  });
  expect(await hiddenControls(panel)).toEqual([
    expect.stringContaining('Reaches out'),
    expect.stringContaining('Lies under'),
  ]);
});

/** A short panel scrolls as a whole, and ends where its last part ends. */
function emptinessBelow({ page }: PanelPage): Promise<number> {
  return page.evaluate(() => {
    const { scrollHeight, scrollTop } = document.documentElement;
    const ends = [...document.querySelectorAll('.app > *')].map(
      part => part.getBoundingClientRect().bottom + scrollTop,
    );
    return Math.round(scrollHeight - Math.max(window.innerHeight, ...ends));
  });
}

/** What can be pressed or typed into, and cannot be had whole in the page's frame by scrolling to it. */
function hiddenControls({ page }: PanelPage): Promise<readonly string[]> {
  return page.evaluate(() => {
    const pressed = 'button, select, textarea, input, a[href], summary, [role=option]';
    // What is open in front of the page is closed before the page is used again.
    const front =
      'select:open, [role=dialog], [role=menu], [role=listbox], .outline, .popup-backdrop, .outline-backdrop';
    const whyHidden = (control: HTMLElement) => {
      control.scrollIntoView({ block: 'center', inline: 'nearest' });
      const { left, right, top, bottom } = control.getBoundingClientRect();
      if (left < -0.5 || right > window.innerWidth + 0.5) return `reaches from ${left} to ${right}`;
      if (bottom <= 0 || top >= window.innerHeight) return `stands at ${top}`;
      const middle = (Math.max(top, 0) + Math.min(bottom, window.innerHeight)) / 2;
      const hit = document.elementFromPoint((left + right) / 2, middle);
      if (hit === null || control.contains(hit) || hit.contains(control)) return undefined;
      if (hit.closest('label')?.contains(control)) return undefined;
      return hit.closest(front) !== control.closest(front)
        ? undefined
        : `is covered by ${hit.outerHTML.slice(0, 80)}`;
    };
    return [...document.querySelectorAll<HTMLElement>(pressed)]
      .filter(control => control.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter(({ offsetWidth, offsetHeight }) => offsetWidth > 1 && offsetHeight > 1)
      .flatMap(control => {
        const why = whyHidden(control);
        const name = (control.ariaLabel ?? control.textContent ?? '').trim().slice(0, 60);
        return why === undefined ? [] : [`${control.tagName} ${name} ${why}`];
      });
  });
}
