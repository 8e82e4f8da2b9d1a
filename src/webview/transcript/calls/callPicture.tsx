import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../../protocol/language.ts';
import type { PanelCall } from '../../../protocol/panel/panelState.ts';
import type { KeptPicture } from '../../../protocol/values.ts';
import { usePanel } from '../../panel/panel.ts';

interface CallPictureProps {
  readonly call: PanelCall;
  readonly picture: KeptPicture;
}

/** The page after a call, small. The host sends it once it comes near the view. */
export function CallPicture({ call: { id: callId, title }, picture: { width, height } }: CallPictureProps) {
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
