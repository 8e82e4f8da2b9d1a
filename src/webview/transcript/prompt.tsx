import type { PromptItem } from '../../protocol/state.ts';
import { AttachmentChip } from '../composer/attachmentChip.tsx';
import { usePanel } from '../panel.ts';
import { IconButton } from '../ui/controls.tsx';
import { memo } from '../ui/memo.ts';

export const Prompt = memo(function Prompt({ prompt }: { readonly prompt: PromptItem }) {
  const { store } = usePanel();
  const useAgain = () => {
    store.draft.value = prompt.text;
    store.attachments.value = prompt.attachments;
    store.focusWishes.value++;
  };
  return (
    <div class="prompt">
      <h3 class="prompt-text">
        <span class="sr-only">You: </span>
        {prompt.text}
      </h3>
      {prompt.attachments.length > 0 && (
        <div class="chips">
          {prompt.attachments.map((attachment, index) => (
            <AttachmentChip key={index} attachment={attachment} />
          ))}
        </div>
      )}
      <IconButton icon="edit" label="Edit and send again" class="prompt-edit" onPress={useAgain} />
    </div>
  );
});
