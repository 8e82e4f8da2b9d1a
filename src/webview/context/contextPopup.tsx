import { useComputed } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../protocol/language.ts';
import { noUsage } from '../../protocol/state.ts';
import { describeUnpriced } from '../../protocol/words/modelWords.ts';
import { formatMoney } from '../../protocol/words/numbers.ts';
import { usePanel } from '../panel/panel.ts';
import { Button } from '../ui/controls.tsx';
import { formatCost, formatCount } from '../ui/format.ts';
import { isPlainKey } from '../ui/keys.ts';
import { formatShare, formatTokens } from '../ui/tokens.ts';
import { isSignificantSaving } from '../ui/totals.ts';
import { describeCacheLosses } from './cacheLosses.ts';
import { ContextBar, ContextList, ContextNotes } from './contextParts.tsx';
import { rowsOfContext } from './contextRows.ts';

interface ContextPopupProps {
  readonly used: number;
  readonly limit: number;
  /** Closes the popup and returns the focus. */
  readonly onClose: () => void;
}

/** Popup with the parts of the context, and actions that shrink it. */
export function ContextPopup({ used, limit, onClose }: ContextPopupProps) {
  const { act } = usePanel();
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => popup.current?.focus(), []);
  useEffect(() => act({ type: 'context.describe' }), [act, used]);
  useEscape(onClose);
  const show = () => {
    act({ type: 'request.show' });
    onClose();
  };
  return (
    <>
      <button type="button" class="popup-backdrop" tabIndex={-1} aria-label={t('Close')} onClick={onClose} />
      <div class="context-popup" role="dialog" aria-label={t('Tokens')} tabIndex={-1} ref={popup}>
        <Content used={used} limit={limit} />
        <SessionSums />
        <UncountedMoney />
        <CacheLosses />
        <Paused />
        <div class="buttons">
          <Compress onClose={onClose} />
          <Button onPress={show}>{t('Show what was sent')}</Button>
        </div>
      </div>
    </>
  );
}

function Content({ used, limit }: { readonly used: number; readonly limit: number }) {
  const { store } = usePanel();
  const breakdown = store.breakdown.value;
  const chapters = useComputed(() => store.session.value?.chapters ?? []).value;
  if (!breakdown)
    return (
      <>
        <Sum used={used} limit={limit} />
        <p class="context-loading quiet" aria-busy="true">
          {t('Counting the parts…')}
        </p>
      </>
    );
  const rows = rowsOfContext(breakdown, chapters);
  return (
    <>
      <Sum used={breakdown.used} limit={breakdown.limit} />
      <ContextBar rows={rows} threshold={breakdown.threshold} />
      <ContextList rows={rows} />
      <ContextNotes {...breakdown} />
    </>
  );
}

function Sum({ used, limit }: { readonly used: number; readonly limit: number }) {
  return (
    <p class="context-sum">
      <span>{t('{0} of {1} tokens', formatTokens(used), formatTokens(limit))}</span>
      <span class="quiet">{formatShare(used / limit)}</span>
    </p>
  );
}

function Paused() {
  const { store } = usePanel();
  const isPaused = useComputed(() => store.session.value?.compressionPaused ?? false).value;
  if (!isPaused) return null;
  return (
    <p class="context-paused">
      {t(
        'Automatic compression is paused: its last summary was too long, or you undid it. Compress manually to resume it.',
      )}
    </p>
  );
}

function Compress({ onClose }: { readonly onClose: () => void }) {
  const { store, act } = usePanel();
  const open = useComputed(() => store.session.value?.compression?.status).value;
  const compress = () => {
    act({ type: 'context.compress' });
    onClose();
  };
  return (
    <>
      {open && <p class="context-reason quiet">{reasons()[open]}</p>}
      <Button disabled={open !== undefined} title={open && reasons()[open]} onPress={compress}>
        {t('Compress…')}
      </Button>
    </>
  );
}

const reasons = () =>
  ({
    running: t('A summary is being made already.'),
    proposed: t('A summary is waiting above the prompt. Apply or discard it first.'),
  }) as const;

/** Makes Escape close the popup, wherever the focus is, and not stop the agent. */
function useEscape(onClose: () => void): void {
  // Before painting, so that an early Escape does not stop the agent.
  useLayoutEffect(() => {
    const close = (event: KeyboardEvent) => {
      if (!isPlainKey(event, 'Escape')) return;
      event.preventDefault();
      event.stopPropagation();
      onClose();
    };
    window.addEventListener('keydown', close, true);
    return () => window.removeEventListener('keydown', close, true);
  });
}

function CacheLosses() {
  const { store } = usePanel();
  const losses = useComputed(() => store.session.value?.cacheLosses).value;
  return losses ? <p class="context-cache quiet">{describeCacheLosses(losses)}</p> : null;
}

/** Warns about limits in dollars that do not count unpriced models. */
function UncountedMoney() {
  const { store } = usePanel();
  const words = useComputed(() => {
    const session = store.session.value;
    return session && describeUnpriced(session);
  }).value;
  return words ? <p class="context-cache quiet">{words}</p> : null;
}

function SessionSums() {
  const { store } = usePanel();
  const usage = useComputed(() => store.session.value?.usage ?? noUsage).value;
  const { prompt, cached, output, thoughts } = usage;
  const cost = useComputed(() => store.session.value?.cost).value;
  const saved = useComputed(() => store.session.value?.saved).value ?? 0;
  const unpriced = useComputed(() => store.session.value?.unpriced).value;
  const costOf = () => {
    if (cost === undefined) return prompt > 0 ? t('price unknown') : formatMoney(0);
    return unpriced ? t('at least {0}', formatCost(cost)) : formatCost(cost);
  };
  const rows: readonly (readonly [name: string, value: string, isPortion?: true])[] = [
    [t('Input (session)'), formatCount(prompt)],
    [t('cached'), prompt > 0 ? `${formatCount(cached)} (${formatShare(cached / prompt)})` : '0', true],
    ...(isSignificantSaving(saved) ? [[t('saved by the cache'), formatCost(saved), true] as const] : []),
    [t('Output'), formatCount(output)],
    [t('Thoughts'), formatCount(thoughts)],
    [t('Cost'), costOf()],
  ];
  return (
    <dl class="context-sums">
      {rows.map(([name, value, isPortion]) => (
        <div key={name} class={isPortion && 'context-portion'}>
          <dt class="quiet">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
