import type { RewindTarget } from '../../protocol/intentions.ts';
import { t } from '../../protocol/language.ts';
import type { PanelPrompt } from '../../protocol/panel/panelState.ts';
import { AttachmentChip } from '../attachments/attachmentChip.tsx';
import { TurnFacts } from '../models/turnFacts.tsx';
import { RewindPanel } from '../rewind/rewindPanel.tsx';
import { useRewind } from '../rewind/useRewind.ts';
import { IconButton } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { memo } from '../ui/memo.ts';
import { WholeTextButton } from '../ui/wholeTextButton.tsx';
import { attachmentsWithoutMention, isAttached, MentionChip, MentionProblem, wasRead } from './mentions.tsx';
import { PinButton, useIsPinned } from './pinButton.tsx';

export const Prompt = memo(function Prompt({ prompt }: { readonly prompt: PanelPrompt }) {
  const rewind = useRewind();
  const isPinned = useIsPinned(prompt.id);
  const to: RewindTarget = { kind: 'turn', turnId: prompt.id };
  return (
    <>
      <div class="prompt">
        {isPinned && <Icon name="pinned" class="pin-mark" />}
        <h3 class="prompt-text" dir="auto">
          {/* Has its own direction, so that it does not set that of the prompt. */}
          <span class="sr-only" dir="ltr">
            {`${isPinned ? t('You, pinned') : t('You')}: `}
          </span>
          {prompt.text}
        </h3>
        <WholeTextButton item={prompt} />
        <Mentioned prompt={prompt} />
        <TurnFacts prompt={prompt} />
        {!prompt.steered && (
          <span class="hover-actions">
            <IconButton icon="edit" label={t('Edit and resend')} onPress={() => rewind(to, 'resend')} />
            <IconButton icon="discard" label={t('Rewind…')} onPress={() => rewind(to, 'choose')} />
            <PinButton id={prompt.id} what="prompt" />
          </span>
        )}
      </div>
      <RewindPanel to={to} />
    </>
  );
});

/** Mentions: chips for those that were read, lines with reasons for the others. */
function Mentioned({ prompt }: { readonly prompt: PanelPrompt }) {
  const mentions = prompt.mentions ?? [];
  const attachments = attachmentsWithoutMention(prompt.attachments, mentions);
  const read = mentions.filter(each => wasRead(each) && !isAttached(each, prompt.attachments));
  return (
    <>
      {attachments.length + read.length > 0 && (
        <div class="chips">
          {attachments.map((attachment, index) => (
            <AttachmentChip key={index} attachment={attachment} />
          ))}
          {read.map((mention, index) => (
            <MentionChip key={index} mention={mention} />
          ))}
        </div>
      )}
      {mentions
        .filter(mention => !wasRead(mention))
        .map((mention, index) => (
          <MentionProblem key={index} mention={mention} />
        ))}
    </>
  );
}
