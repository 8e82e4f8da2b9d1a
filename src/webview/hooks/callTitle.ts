import { computed, type ReadonlySignal } from '@preact/signals';
import type { PanelState } from '../../protocol/panelState.ts';

/**
 * The title of the call that a hook ran for. A call keeps its title, so once it was found the session is looked at no
 * more: with thousands of hooks on the page, each would otherwise search all of it at every change.
 */
export function titleOfCall(
  session: ReadonlySignal<PanelState | undefined>,
  callId: string | undefined,
): ReadonlySignal<string | undefined> {
  let found: string | undefined;
  return computed(() => {
    if (callId !== undefined) found ??= findTitle(session.value, callId);
    return found;
  });
}

/** From the end backward: the call stands near its hook. */
function findTitle(session: PanelState | undefined, callId: string): string | undefined {
  for (const { items } of session?.chapters.toReversed() ?? [])
    for (const page of items.pages.toReversed()) {
      const call = page.find(item => item.type === 'call' && item.id === callId);
      if (call?.type === 'call') return call.title;
    }
  return undefined;
}
