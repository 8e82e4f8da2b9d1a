import { useComputed } from '@preact/signals';
import { t } from '../../../protocol/language.ts';
import { lastItem } from '../../../protocol/pagedList.ts';
import { type NoticeItem, newestChapter } from '../../../protocol/state.ts';
import { usePanel } from '../../panel/panel.ts';
import { Card } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';

/** One about a failed compression goes once a later one succeeded. */
export function Notice({ notice }: { readonly notice: NoticeItem }) {
  const { level, text, remedy } = notice;
  const { store } = usePanel();
  const isPast = useComputed(() => {
    const items =
      (remedy && store.session.value?.chapters.flatMap(chapter => chapter.items.pages.flat())) ?? [];
    return items.slice(items.indexOf(notice)).some(({ type }) => type === 'compression');
  }).value;
  const words = (
    <>
      <Icon name={level} />
      <span>{text}</span>
    </>
  );
  if (!remedy) return <div class={`notice ${level}`}>{words}</div>;
  return isPast ? null : (
    <Card class={`notice ${level}`} name={text}>
      {words}
      <RetryCompression notice={notice} />
    </Card>
  );
}

/** Offered while nothing followed the failure. */
function RetryCompression({ notice }: { readonly notice: NoticeItem }) {
  const { store, act } = usePanel();
  const isNewest = useComputed(() => {
    const session = store.session.value;
    return session && !session.compression && lastItem(newestChapter(session).items) === notice;
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
