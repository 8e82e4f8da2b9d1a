import { useComputed, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePanel } from '../panel.ts';
import { Button } from '../ui/controls.tsx';
import { formatCount } from '../ui/format.ts';
import { isPlainKey } from '../ui/keys.ts';

/** How full the model's context is. Hidden until the provider has counted once. */
export function ContextMeter() {
  const { store } = usePanel();
  const isOpen = useSignal(false);
  const button = useRef<HTMLButtonElement>(null);
  const used = useComputed(() => store.session.value?.contextTokens ?? 0).value;
  const limit = useComputed(() => {
    const model = store.session.value?.model;
    return store.surroundings.value?.models.find(each => each.id === model)?.contextLimit;
  }).value;
  if (used === 0 || limit === undefined) return null;
  const percent = Math.min(100, Math.round((used / limit) * 100));
  const title = `Context: ${used.toLocaleString()} of ${limit.toLocaleString()} tokens`;
  const close = () => {
    isOpen.value = false;
    button.current?.focus();
  };
  return (
    <div class="meter-frame">
      <button
        type="button"
        ref={button}
        class={percent >= 80 ? 'meter nearly-full' : 'meter'}
        title={title}
        aria-label={`${title}, ${percent} percent. Show the breakdown`}
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <Ring percent={percent} />
        <span>{percent}%</span>
      </button>
      {isOpen.value && <Breakdown used={used} limit={limit} onClose={close} />}
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

interface BreakdownProps {
  readonly used: number;
  readonly limit: number;
  readonly onClose: () => void;
}

function Breakdown({ used, limit, onClose }: BreakdownProps) {
  const { store, act } = usePanel();
  const popup = useRef<HTMLDivElement>(null);
  const usage = useComputed(() => store.session.value?.usage).value;
  useLayoutEffect(() => popup.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isPlainKey(event, 'Escape')) return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  };
  const rows: readonly (readonly [string, string])[] = [
    ['In context now', `${formatCount(used)} of ${formatCount(limit)}`],
    ['Sent, whole session', formatCount(usage?.prompt ?? 0)],
    ['of these from cache', formatCount(usage?.cached ?? 0)],
    ['Answered', formatCount(usage?.output ?? 0)],
    ['Thought', formatCount(usage?.thoughts ?? 0)],
  ];
  return (
    <>
      <button type="button" class="popup-backdrop" tabIndex={-1} aria-label="Close" onClick={onClose} />
      <div class="popup" role="dialog" aria-label="Tokens" tabIndex={-1} ref={popup} onKeyDown={onKeyDown}>
        <dl class="breakdown">
          {rows.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <Button
          onPress={() => {
            act({ type: 'context.compress' });
            onClose();
          }}
        >
          Compress
        </Button>
      </div>
    </>
  );
}
