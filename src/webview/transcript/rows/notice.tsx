import { useComputed } from '@preact/signals';
import { t } from '../../../protocol/language.ts';
import { liveChapter, type NoticeItem } from '../../../protocol/state.ts';
import { usePanel } from '../../panel/panel.ts';
import { Card } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';

export function Notice({ notice }: { readonly notice: NoticeItem }) {
  const { level, text, remedy } = notice;
  const style = `notice ${level}`;
  const words = (
    <>
      <Icon name={level} />
      <span>{text}</span>
    </>
  );
  if (!remedy) return <div class={style}>{words}</div>;
  return (
    <Card class={style} name={text}>
      {words}
      <RetryCompression notice={notice} />
    </Card>
  );
}

/** Offered for the newest compression of the session, if it failed and no other is open. */
function RetryCompression({ notice }: { readonly notice: NoticeItem }) {
  const { store, act } = usePanel();
  const isNewest = useComputed(() => {
    const session = store.session.value;
    if (!session || session.compression) return false;
    const ends = liveChapter(session)
      .items.pages.flat()
      .filter(each => each.type === 'compression' || (each.type === 'notice' && each.remedy));
    return ends.at(-1) === notice;
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
