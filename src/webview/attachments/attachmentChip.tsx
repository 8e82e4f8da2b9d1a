import { useSignal } from '@preact/signals';
import type { Attachment } from '../../protocol/intentions.ts';
import { t } from '../../protocol/language.ts';
import type { LineRange } from '../../protocol/values.ts';
import { LazyModule } from '../panel/lazyModule.ts';
import { usePanel } from '../panel/panel.ts';
import { type PathLabels, usePathLabels } from '../panel/pathLabels.ts';
import { Icon } from '../ui/icon.tsx';
import type { IconName } from '../ui/icons.ts';
import { focusPrompt } from '../ui/keepFocus.ts';
import { MiddleCut } from '../ui/words.tsx';
import { dataUrlOf, type PictureAttachment } from './pictureData.ts';

interface AttachmentChipProps {
  readonly attachment: Attachment;
  /** True if another attachment has the same name, so the path is shown. */
  readonly isAmbiguous?: boolean;
  /** Absent for a sent prompt. */
  readonly onRemove?: () => void;
  /** Replaces a picture with an edited one. */
  readonly onChange?: (attachment: Attachment) => void;
}

const look = new LazyModule(() => import('./pictureDialog.tsx'));

export function AttachmentChip({ attachment, isAmbiguous = false, onRemove, onChange }: AttachmentChipProps) {
  const { act } = usePanel();
  const labels = usePathLabels();
  const { icon, label, title } = describe(
    attachment,
    isAmbiguous ? { ...labels, short: labels.written } : labels,
  );
  const isLooking = useSignal(false);
  // The page has no pictures of sent prompts.
  const picture = isPicture(attachment) && onChange ? attachment : undefined;
  const PictureDialog = look.present?.PictureDialog;
  const text = (
    <>
      {picture ? <img class="chip-picture" src={dataUrlOf(picture.blob)} alt="" /> : <Icon name={icon} />}
      <MiddleCut text={label} />
    </>
  );
  const open = () => {
    if (picture) {
      isLooking.value = true;
      void look.load();
    }
    if (attachment.kind === 'file') act({ type: 'file.open', path: attachment.path });
    if (attachment.kind === 'selection')
      act({ type: 'file.open', path: attachment.path, line: attachment.startLine });
  };
  return (
    <span class="chip" title={title}>
      {attachment.kind === 'image' && !picture ? (
        <span class="chip-text">{text}</span>
      ) : (
        <button type="button" class="chip-text" onClick={open}>
          {text}
        </button>
      )}
      {onRemove && (
        <button type="button" class="chip-remove" aria-label={t('Remove {0}', label)} onClick={onRemove}>
          <Icon name="close" />
        </button>
      )}
      {picture && onChange && onRemove && isLooking.value && PictureDialog && (
        <PictureDialog
          picture={picture}
          onChange={onChange}
          onRemove={() => {
            // Close before the next attachment takes this place.
            isLooking.value = false;
            onRemove();
            focusPrompt();
          }}
          onClose={() => (isLooking.value = false)}
        />
      )}
    </span>
  );
}

function isPicture(attachment: Attachment): attachment is PictureAttachment {
  return attachment.kind === 'image' && attachment.blob.mimeType.startsWith('image/');
}

interface ChipStyle {
  readonly icon: IconName;
  readonly label: string;
  readonly title: string;
}

/** Returns for example `list.js:4–9`. */
export function lineRangeLabel(name: string, { startLine, endLine }: LineRange): string {
  return `${name}:${startLine === endLine ? startLine : `${startLine}–${endLine}`}`;
}

function describe(attachment: Attachment, labels: PathLabels): ChipStyle {
  switch (attachment.kind) {
    case 'image': {
      const { name } = attachment;
      return isPicture(attachment)
        ? { icon: 'file-media', label: name, title: t('{0}: look at it, crop it', name) }
        : { icon: 'file', label: name, title: name };
    }
    case 'file':
      return { icon: 'file', label: labels.short(attachment.path), title: labels.written(attachment.path) };
    case 'selection': {
      const label = lineRangeLabel(labels.short(attachment.path), attachment);
      return { icon: 'selection', label, title: lineRangeLabel(labels.written(attachment.path), attachment) };
    }
  }
}
