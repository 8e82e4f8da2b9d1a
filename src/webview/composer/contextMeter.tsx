import { useComputed, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { t } from '../../protocol/language.ts';
import { formatNumber } from '../../protocol/words/numbers.ts';
import { ContextPopup } from '../context/contextPopup.tsx';
import { currentModel } from '../models/modelNames.ts';
import { usePanel } from '../panel/panel.ts';

/** Shows how full the model's context is. Hidden until the provider has counted tokens. */
export function ContextMeter() {
  const { store } = usePanel();
  const isOpen = useSignal(false);
  const button = useRef<HTMLButtonElement>(null);
  const used = useComputed(() => store.session.value?.contextTokens ?? 0).value;
  const limit = useComputed(() => {
    const session = store.session.value;
    const model = session && currentModel(session);
    return store.environment.value?.models.find(each => each.id === model)?.contextLimit;
  }).value;
  if (used === 0 || limit === undefined) return null;
  const percent = Math.min(100, Math.round((used / limit) * 100));
  const title = t('Context: {0} of {1} tokens', formatNumber(used), formatNumber(limit));
  const leave = ({ relatedTarget, currentTarget }: FocusEvent) => {
    const isInside = currentTarget instanceof Node && currentTarget.contains(relatedTarget as Node | null);
    if (relatedTarget && !isInside) isOpen.value = false;
  };
  const close = () => {
    isOpen.value = false;
    button.current?.focus();
  };
  const open = () => {
    // A breakdown from an earlier opening may be outdated.
    store.breakdown.value = undefined;
    isOpen.value = true;
  };
  return (
    <div class="meter-frame" onFocusOut={leave}>
      <button
        type="button"
        ref={button}
        class={percent >= 80 ? 'meter nearly-full' : 'meter'}
        title={title}
        aria-label={t('{0}, {1} percent. Show the breakdown', title, percent)}
        aria-expanded={isOpen.value}
        onClick={isOpen.value ? close : open}
      >
        <Ring percent={percent} />
        <span>{percent}%</span>
      </button>
      {isOpen.value && <ContextPopup used={used} limit={limit} onClose={close} />}
    </div>
  );
}

function Ring({ percent }: { readonly percent: number }) {
  const around = 2 * Math.PI * 5;
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
      <circle class="ring-back" cx="7" cy="7" r="5" fill="none" stroke-width="2" />
      <circle
        class="ring-front"
        cx="7"
        cy="7"
        r="5"
        fill="none"
        stroke-width="2"
        stroke-dasharray={`${(around * percent) / 100} ${around}`}
        transform="rotate(-90 7 7)"
      />
    </svg>
  );
}
