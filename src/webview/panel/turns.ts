import type { PanelItem, PanelPrompt, PanelState } from '../../protocol/panel/panelState.ts';

/** A prompt that steers belongs to the turn before it. */
export function beginsTurn(item: PanelItem): item is PanelPrompt {
  return item.type === 'prompt' && !item.steered;
}

/** The id of the newest turn whose prompt the page has. */
export function newestTurn({ chapters }: Pick<PanelState, 'chapters'>): string | undefined {
  const prompted = chapters.findLast(({ items }) => items.pages.some(page => page.some(beginsTurn)));
  return prompted?.items.pages.findLast(page => page.some(beginsTurn))?.findLast(beginsTurn)?.id;
}
