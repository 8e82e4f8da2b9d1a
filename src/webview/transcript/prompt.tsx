import type { RewindPoint } from '../../protocol/changes.ts';
import type { PromptItem } from '../../protocol/state.ts';
import { AttachmentChip } from '../composer/attachmentChip.tsx';
import { RewindPanel } from '../rewind/rewindPanel.tsx';
import { useRewind } from '../rewind/useRewind.ts';
import { IconButton } from '../ui/controls.tsx';
import { memo } from '../ui/memo.ts';

export const Prompt = memo(function Prompt({ prompt }: { readonly prompt: PromptItem }) {
  const rewind = useRewind();
  const to: RewindPoint = { kind: 'turn', turnId: prompt.id };
  return (
    <>
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
        <span class="hover-actions">
          <IconButton icon="edit" label="Edit and resend" onPress={() => rewind(to, 'resend')} />
          <IconButton icon="discard" label="Rewind…" onPress={() => rewind(to, 'choose')} />
        </span>
      </div>
      <RewindPanel to={to} />
    </>
  );
});
