import { useComputed } from '@preact/signals';
import { t } from '../../protocol/language.ts';
import { usePanel } from '../panel/panel.ts';
import { LinkButton } from '../ui/controls.tsx';
import { formatDuration } from '../ui/format.ts';
import { CompressionProposal } from './compressionProposal.tsx';

/** Compression that is running or waits for a decision. It never takes the focus. */
export function OpenCompressionView() {
  const { store } = usePanel();
  const open = useComputed(() => store.session.value?.compression).value;
  if (!open) return null;
  if (open.status === 'running') return <Running compressionId={open.id} since={open.since} />;
  return <CompressionProposal compressionId={open.id} plan={open.plan} />;
}

interface RunningProps {
  readonly compressionId: string;
  /** Milliseconds since the Unix epoch. */
  readonly since: number;
}

function Running({ compressionId, since }: RunningProps) {
  const { store, act } = usePanel();
  const elapsed = store.now.value - since;
  const cancel = () => {
    store.focusRequests.value++;
    act({ type: 'compression.discard', compressionId });
  };
  return (
    <section class="strip" aria-label={t('Compression')}>
      <span class="pulse" aria-hidden="true" />
      <span class="strip-text">
        {t('Summarising the oldest part of this session…')}
        {elapsed >= 1000 && <span class="compression-time"> {formatDuration(elapsed)}</span>}
      </span>
      <LinkButton aria-label={t('Cancel the compression')} onClick={cancel}>
        {t('Cancel')}
      </LinkButton>
    </section>
  );
}
