import type { QueuedPrompt } from '../../protocol/events.ts';
import { t } from '../../protocol/language.ts';
import { usePanel } from '../panel/panel.ts';
import { IconButton } from '../ui/controls.tsx';
import { isPlainKey } from '../ui/keys.ts';
import { shortName, shownPrompt, whenWords } from './queueWords.ts';

interface QueueRowProps {
  readonly prompt: QueuedPrompt;
  readonly isWorking: boolean;
  readonly isAlone: boolean;
  readonly onEdit: () => void;
}

export function QueueRow({ prompt, isWorking, isAlone, onEdit }: QueueRowProps) {
  const { act } = usePanel();
  const { id } = prompt;
  const name = shortName(prompt);
  const shown = shownPrompt(prompt);
  const remove = () => act({ type: 'queue.remove', id });
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isPlainKey(event, 'Delete') && !isPlainKey(event, 'Backspace')) return;
    event.preventDefault();
    remove();
  };
  return (
    <>
      <button
        type="button"
        class="queue-text"
        dir="auto"
        title={shown}
        aria-label={t('{0}, change', shown)}
        aria-keyshortcuts="Enter Delete"
        onClick={onEdit}
        onKeyDown={onKeyDown}
      >
        {shown}
      </button>
      {isWorking && <When prompt={prompt} />}
      {/* At rest the head has both buttons for a single prompt. */}
      {(isWorking || !isAlone) && (
        <>
          <IconButton
            icon="send"
            label={isWorking ? t('Stop and send now: {0}', name) : t('Send now: {0}', name)}
            onPress={() => act({ type: 'queue.sendNow', id })}
          />
          <IconButton icon="close" label={t('Remove: {0}', name)} onPress={remove} />
        </>
      )}
    </>
  );
}

/** Shows and changes when the prompt is read. */
function When({ prompt }: { readonly prompt: QueuedPrompt }) {
  const { act } = usePanel();
  const other = prompt.when === 'next' ? 'steer' : 'next';
  return (
    <button
      type="button"
      class="badge"
      title={titles()[prompt.when]}
      aria-label={t('{0}, change to {1}', whenWords()[prompt.when], whenWords()[other])}
      onClick={() => act({ type: 'queue.change', prompt: { ...prompt, when: other } })}
    >
      {whenWords()[prompt.when]}
    </button>
  );
}

const titles = (): Readonly<Record<QueuedPrompt['when'], string>> => ({
  next: t('Sends when Folio is done. Click to send after this step.'),
  steer: t('Sends after this step. Click to send when Folio is done.'),
});
