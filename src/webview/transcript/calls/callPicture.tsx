import { useComputed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../../protocol/language.ts';
import type { PanelCall, PanelItem, PanelState } from '../../../protocol/panel/panelState.ts';
import { newestChapter } from '../../../protocol/state.ts';
import type { KeptPicture } from '../../../protocol/values.ts';
import { usePanel } from '../../panel/panel.ts';
import { LinkButton } from '../../ui/controls.tsx';

interface CallPictureProps {
  readonly call: PanelCall;
  readonly picture: KeptPicture;
}

/** Thumbnail of the browser page after a call. The newest one has *Take Over*, while its page is open. */
export function CallPicture({ call, picture }: CallPictureProps) {
  const { act, store } = usePanel();
  // After a reload its page is gone.
  const isPresent = useComputed(
    () =>
      store.pictures.value[call.id]?.isOpen &&
      store.session.value &&
      findNewest(store.session.value) === call.id,
  ).value;
  return (
    <>
      <PagePicture call={call} picture={picture} />
      {isPresent && picture.ofTab && (
        <LinkButton class="call-take-over" onClick={() => act({ type: 'page.stopSharing' })}>
          {t('Stop Sharing')}
        </LinkButton>
      )}
      {isPresent && !picture.ofTab && (
        <LinkButton
          class="call-take-over"
          aria-label={t('Take over the page after: {0}', call.title)}
          title={t('Use the page in a tab beside the code. The agent waits')}
          onClick={() => act({ type: 'page.takeOver' })}
        >
          {t('Take Over')}
        </LinkButton>
      )}
    </>
  );
}

/** Thumbnail that opens large. The host sends it when it comes near the view. */
export function PagePicture({ call: { id: callId, title }, picture: { width, height } }: CallPictureProps) {
  const { act, store } = usePanel();
  const told = store.pictures.value[callId];
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (told) return;
    const observer = new IntersectionObserver(entries => {
      if (entries.some(entry => entry.isIntersecting)) act({ type: 'panel.picture', callId });
    });
    observer.observe(button.current!);
    return () => observer.disconnect();
  }, [callId, told === undefined]);
  const isGone = told && told.address === undefined;
  return (
    <button
      type="button"
      class="call-picture"
      ref={button}
      disabled={isGone}
      style={isGone ? undefined : { aspectRatio: `${width} / ${height}` }}
      title={t('Open large')}
      onClick={() => act({ type: 'picture.open', callId })}
    >
      {told?.address === undefined ? (
        <span>{isGone ? t('The picture is no longer there.') : t('Loading the picture…')}</span>
      ) : (
        <img src={told.address} alt={t('The page after: {0}', title)} />
      )}
    </button>
  );
}

export function pictureOf({ status }: Pick<PanelCall, 'status'>): KeptPicture | undefined {
  return status.kind === 'ended' ? status.display.picture : undefined;
}

/** Finds the newest call with a screenshot, which shows the current page. */
function findNewest(session: PanelState): string | undefined {
  const { pages } = newestChapter(session).items;
  for (const page of pages.toReversed()) {
    const found = page.findLast(hasPicture);
    if (found) return found.id;
  }
  return undefined;
}

function hasPicture(item: PanelItem): boolean {
  return item.type === 'call' && pictureOf(item) !== undefined;
}
