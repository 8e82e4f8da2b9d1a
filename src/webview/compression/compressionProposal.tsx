import { useComputed } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ToHost } from '../../protocol/intentions.ts';
import { plural, t } from '../../protocol/language.ts';
import type { PanelPlan } from '../../protocol/panel/panelState.ts';
import { usePanel } from '../panel/panel.ts';
import { Button } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { acceptKeys } from '../ui/systemKeys.ts';
import { useCardOpen } from '../ui/useCardOpen.ts';
import { describeChange } from './compressionWords.ts';
import { PartsTable } from './partsTable.tsx';
import { SummarySections } from './summarySections.tsx';

interface ProposalProps {
  readonly compressionId: string;
  readonly plan: PanelPlan;
}

/** A proposed compression with its effects. Nothing is applied yet. */
export function CompressionProposal({ compressionId, plan }: ProposalProps) {
  const { store, act } = usePanel();
  const pins = useComputed(() => store.session.value?.pins.length ?? 0).value;
  const [isOpen, toggle] = useCardOpen(`proposal-${compressionId}`, true);
  const title = t('Compress {0}', describeChange(plan.tokens));
  // The card unmounts with the pressed button, so the focus moves first.
  const decide = (intention: ToHost) => {
    store.focusRequests.value++;
    act(intention);
  };
  const apply = () => decide({ type: 'compression.apply', compressionId });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => isAcceptKey(event) && apply();
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [compressionId]);
  return (
    <section class="proposal" aria-label={title}>
      <p class="proposal-title">{title}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long table scrolls, also by key. */}
      <div class="proposal-body" tabIndex={0}>
        <PartsTable parts={plan.parts} />
        <p class="quiet">{describeKept(pins)}</p>
        <button type="button" class="strip-toggle" aria-expanded={isOpen} onClick={toggle}>
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
          {t('Summary that replaces them')}
        </button>
        {isOpen && <SummarySections xml={plan.snapshot} />}
      </div>
      <div class="buttons">
        <Button kind="primary" keys={acceptKeys} onPress={apply}>
          {t('Apply')}
        </Button>
        <Button onPress={() => act({ type: 'compression.edit', compressionId })}>{t('Edit summary…')}</Button>
        <Button onPress={() => decide({ type: 'compression.discard', compressionId })}>{t('Discard')}</Button>
      </div>
    </section>
  );
}

/** Returns true for the accept key, if it applies neither to text nor to an ask. */
function isAcceptKey({
  key,
  ctrlKey,
  metaKey,
  shiftKey,
  altKey,
  isComposing,
  target,
}: KeyboardEvent): boolean {
  if (key !== 'Enter' || !(ctrlKey || metaKey) || shiftKey || altKey || isComposing) return false;
  const isTyped = target instanceof HTMLTextAreaElement && target.value !== '';
  return !isTyped && document.querySelector('[data-ask]') === null;
}

function describeKept(pins: number): string {
  if (pins === 0) return t('Recent messages are kept in full. You can still read everything here.');
  return plural(
    pins,
    'one: Recent messages and {0} pinned message are kept in full. You can still read everything here. | other: Recent messages and {0} pinned messages are kept in full. You can still read everything here.',
  );
}
