import { computed, type ReadonlySignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { plainTerminalText } from '../../extension/base/terminalText.ts';
import { t } from '../../protocol/language.ts';
import type { PanelState } from '../../protocol/panel/panelState.ts';
import type { HookItem } from '../../protocol/state.ts';
import { usePanel } from '../panel/panel.ts';
import { Card, CardRow } from '../ui/card.tsx';
import { Icon } from '../ui/icon.tsx';
import { useCardOpen } from '../ui/useCardOpen.ts';
import { hookFacts, hookName, outcomes, outcomeWords } from './hookWords.ts';

interface HookRowProps {
  readonly hook: HookItem;
  readonly status: Extract<HookItem['status'], { kind: 'ended' }>;
}

/** Row of a hook with a decision or output. The output is unfolded on demand. */
export function HookRow({ hook, status }: HookRowProps) {
  const { store } = usePanel();
  const [isOpen, toggle] = useCardOpen(hook.id, false);
  const { callId } = hook;
  const title = useMemo(() => titleOfCall(store.session, callId), [store, callId]).value;
  const name = t('Hook {0}', hookName(hook));
  const words = outcomeWords(status, title);
  const { icon, view } = outcomes()[status.outcome];
  const summary = status.outcome === 'passed' ? '' : status.summary;
  return (
    <Card class={`call ${view}`} name={[name, words, summary].filter(Boolean).join(', ')}>
      <CardRow isOpen={isOpen} toggle={toggle} title={name}>
        <Icon name={icon} class="row-status" />
        <span class="row-title ellipsis">{name}</span>
        <span class="row-summary ellipsis" title={words}>
          {words}
        </span>
      </CardRow>
      {summary && <p class="call-reason">{summary}</p>}
      {isOpen && (
        <div class="call-detail">
          <p class="quiet">{hookFacts(hook)}</p>
          {status.output.trim() && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key.
            <pre class="output" tabIndex={0}>
              {plainTerminalText(status.output)}
            </pre>
          )}
        </div>
      )}
    </Card>
  );
}

/**
 * Returns the title of the call that a hook ran for. It never changes, so it is searched once: otherwise each of
 * thousands of hooks would search the session at every change.
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

/** Searches from the end, since the call is near its hook. */
function findTitle(session: PanelState | undefined, callId: string): string | undefined {
  for (const { items } of session?.chapters.toReversed() ?? [])
    for (const page of items.pages.toReversed()) {
      const call = page.find(item => item.type === 'call' && item.id === callId);
      if (call?.type === 'call') return call.title;
    }
  return undefined;
}
