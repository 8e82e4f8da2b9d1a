import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { t } from '../../../protocol/language.ts';
import { lastItem } from '../../../protocol/pagedList.ts';
import { liveChapter, type NoticeItem } from '../../../protocol/state.ts';
import { usePanel } from '../../panel/panel.ts';
import { Card } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';

export function Notice({ notice }: { readonly notice: NoticeItem }) {
  const { level, text, remedy } = notice;
  const words = (
    <>
      <Icon name={level} />
      <span>{text}</span>
    </>
  );
  if (!remedy) return <div class={`notice ${level}`}>{words}</div>;
  return <FailedCompression notice={notice}>{words}</FailedCompression>;
}

interface FailedCompressionProps {
  readonly notice: NoticeItem;
  readonly children: ComponentChildren;
}

/** Gone once a later compression succeeded. */
function FailedCompression({ notice, children }: FailedCompressionProps) {
  const { store } = usePanel();
  const isPast = useComputed(() => {
    const pages = store.session.value?.chapters.flatMap(({ items }) => items.pages) ?? [];
    for (const page of pages.toReversed()) {
      const found = page.findLast(item => item === notice || item.type === 'compression');
      if (found) return found !== notice;
    }
    return false;
  }).value;
  return isPast ? null : (
    <Card class={`notice ${notice.level}`} name={notice.text}>
      {children}
      <RetryCompression notice={notice} />
    </Card>
  );
}

/** Offered while nothing followed the failure. */
function RetryCompression({ notice }: { readonly notice: NoticeItem }) {
  const { store, act } = usePanel();
  const isNewest = useComputed(() => {
    const session = store.session.value;
    return session && !session.compression && lastItem(liveChapter(session).items) === notice;
  }).value;
  // The button unmounts with the next compression, so the focus moves first.
  const retry = () => {
    store.focusRequests.value++;
    act({ type: 'context.compress' });
  };
  return (
    isNewest && (
      <LinkButton data-toggle aria-label={t('Retry the compression')} onClick={retry}>
        {t('Retry')}
      </LinkButton>
    )
  );
}
