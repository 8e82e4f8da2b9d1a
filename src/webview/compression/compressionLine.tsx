import { useComputed } from '@preact/signals';
import { t } from '../../protocol/language.ts';
import type { CompressionItem } from '../../protocol/state.ts';
import { usePanel } from '../panel/panel.ts';
import { Card } from '../ui/card.tsx';
import { LinkButton } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { useCardOpen } from '../ui/useCardOpen.ts';
import { describeCompressionLine } from './compressionWords.ts';
import { SummarySections } from './summarySections.tsx';

const titles = (): Readonly<Record<CompressionItem['trigger'], string>> => ({
  automatic: t('Compressed automatically, because the context had grown to its share of the limit'),
  manual: t('Compressed manually'),
});

/** Line in the transcript where a compression took effect. The replaced messages stay readable above. */
export function CompressionLine({ item }: { readonly item: CompressionItem }) {
  const { store, act } = usePanel();
  const [isOpen, toggle] = useCardOpen(`summary-${item.id}`, false);
  const hasChapters = useComputed(() => store.session.value?.chapters.some(each => each.number > 0) ?? false);
  const inForce = useComputed(() =>
    store.session.value?.compressions.find(each => each.id === item.id),
  ).value;
  // Only the newest summary can be changed or undone, since it includes the earlier ones.
  const isNewest = useComputed(() => store.session.value?.compressions.at(-1)?.id === item.id).value;
  const text = describeCompressionLine(item, hasChapters.value);
  const compressionId = item.id;
  return (
    <Card
      class={item.undone ? 'compression-line undone' : 'compression-line'}
      name={item.undone ? t('Undone: {0}', text) : text}
    >
      <Icon name="fold" />
      <span class="compression-line-text" title={titles()[item.trigger]}>
        {item.undone ? <s>{text}</s> : text}
        {item.undone && ` ${t('Undone')}`}
      </span>
      {inForce && (
        <span class="compression-line-actions">
          <LinkButton
            data-toggle
            aria-label={isOpen ? t('Hide the summary') : t('View the summary')}
            aria-expanded={isOpen}
            onClick={toggle}
          >
            {isOpen ? t('Hide') : t('View')}
          </LinkButton>
          {isNewest && (
            <>
              <LinkButton
                aria-label={t('Edit the summary')}
                onClick={() => act({ type: 'compression.edit', compressionId })}
              >
                {t('Edit')}
              </LinkButton>
              <LinkButton
                aria-label={t('Undo the compression')}
                onClick={() => act({ type: 'compression.undo', compressionId })}
              >
                {t('Undo')}
              </LinkButton>
            </>
          )}
        </span>
      )}
      {inForce && isOpen && <SummarySections xml={inForce.plan.snapshot} />}
    </Card>
  );
}
