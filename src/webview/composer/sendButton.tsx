import { useComputed } from '@preact/signals';
import { t } from '../../protocol/language.ts';
import { usePanel } from '../panel/panel.ts';
import { IconButton } from '../ui/controls.tsx';
import { focusPrompt } from '../ui/keepFocus.ts';
import { Menu } from '../ui/menu.tsx';
import { type SendWay, sendDraft, sendWays } from './sending.ts';
import { useIsWorking } from './useIsWorking.ts';

/** While the agent works, Stop takes the place of Send. */
export function SendButton() {
  const panel = usePanel();
  const { store, act } = panel;
  const isWorking = useIsWorking().value;
  const isEmpty = useComputed(
    () => store.draft.value.trim() === '' && store.attachments.value.length === 0,
  ).value;
  const send = (way: SendWay) => {
    sendDraft(panel, way);
    // The pressed button or menu unmounts.
    if (isWorking) focusPrompt();
  };
  const groups = [sendWays().map(({ way, label, keys }) => ({ label, keys, onPress: () => send(way) }))];
  return (
    <span class="send">
      {isWorking && !isEmpty && (
        <>
          <IconButton key="next" icon="send" label={t('Send next (Enter)')} onPress={() => send('next')} />
          <Menu key="ways" icon="chevron-down" label={t('Ways to send')} groups={groups} />
        </>
      )}
      {isWorking ? (
        <IconButton
          key="stop"
          icon="debug-stop"
          label={t('Stop (Escape)')}
          onPress={() => {
            act({ type: 'turn.stop' });
            focusPrompt();
          }}
        />
      ) : (
        <IconButton
          key="send"
          icon="send"
          label={t('Send (Enter)')}
          disabled={isEmpty}
          onPress={() => send('next')}
        />
      )}
    </span>
  );
}
