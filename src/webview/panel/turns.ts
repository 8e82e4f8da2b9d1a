import type { PanelItem, PanelPrompt, PanelState } from '../../protocol/panel/panelState.ts';

/** Returns true for a prompt that begins a turn. A steering prompt belongs to the running turn. */
export function beginsTurn(item: PanelItem): item is PanelPrompt {
  return item.type === 'prompt' && !item.steered;
}

/** Returns the id of the newest turn whose prompt is loaded. */
export function newestTurnId({ chapters }: Pick<PanelState, 'chapters'>): string | undefined {
  const prompted = chapters.findLast(({ items }) => items.pages.some(page => page.some(beginsTurn)));
  return prompted?.items.pages.findLast(page => page.some(beginsTurn))?.findLast(beginsTurn)?.id;
}
