import type { PanelPage } from '../panelPage.ts';
import { sidewaysOverflow } from './scene.ts';

/** A panel of 400 by 760 pixels at 200 %. */
export const zoomed = { width: 200, height: 380 };

/** What stands in front of the page, some of it where there was room as it was opened. */
const front =
  'select:open, dialog[open], [role=dialog], [role=menu], [role=listbox], .outline, .popup-backdrop, .outline-backdrop';

/**
 * Why not every control of this state can be brought into view at 200 %, whole and with nothing over it. The panel is
 * made smaller; where something stands in front of it, `openAgain` opens it as small as that.
 */
export async function zoomProblems(
  panel: PanelPage,
  openAgain: () => Promise<PanelPage>,
): Promise<readonly string[]> {
  const isCovered = (await panel.page.locator(front).count()) > 0;
  if (isCovered) await panel.close();
  const small = isCovered ? await openAgain() : panel;
  await small.page.setViewportSize(zoomed);
  const overflow = await sidewaysOverflow(small);
  const emptiness = await emptinessBelow(small);
  return [
    ...(overflow > 0 ? [`reaches out by ${overflow} pixels`] : []),
    ...(emptiness > 1 ? [`can be scrolled ${emptiness} pixels into nothing`] : []),
    ...(await hiddenControls(small)),
  ];
}

/** What can be pressed or typed into, and cannot be had whole in the page's frame by scrolling to it. */
export function hiddenControls({ page }: PanelPage): Promise<readonly string[]> {
  return page.evaluate(front => {
    const pressed = 'button, select, textarea, input, a[href], summary, [role=option]';
    const whyHidden = (control: HTMLElement) => {
      control.scrollIntoView({ block: 'center', inline: 'nearest' });
      const { left, right, top, bottom } = control.getBoundingClientRect();
      if (left < -0.5 || right > window.innerWidth + 0.5) return `reaches from ${left} to ${right}`;
      if (bottom <= 0 || top >= window.innerHeight) return `stands at ${top}`;
      const middle = (Math.max(top, 0) + Math.min(bottom, window.innerHeight)) / 2;
      const hit = document.elementFromPoint((left + right) / 2, middle);
      if (hit === null || control.contains(hit) || hit.contains(control)) return undefined;
      if (hit.closest('label')?.contains(control)) return undefined;
      // What is in front of the page is closed before the page is used again.
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
  }, front);
}

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
