import type { Attachment } from '../../protocol/intentions.ts';
import { t } from '../../protocol/language.ts';
import type { Mention } from '../../protocol/mentions.ts';
import { lineRangeLabel } from '../attachments/attachmentChip.tsx';
import { usePanel } from '../panel/panel.ts';
import { type PathLabels, usePathLabels } from '../panel/pathLabels.ts';
import { Icon } from '../ui/icon.tsx';
import { kindIcons } from '../ui/kindIcons.ts';
import { MiddleCut } from '../ui/words.tsx';

export function wasRead({ outcome }: Mention): boolean {
  return outcome === 'read' || outcome === 'cut';
}

/** Returns true for a selection whose file is attached. The attachment shows it. */
export function isAttached({ lines, path }: Mention, attachments: readonly Attachment[]): boolean {
  return lines !== undefined && attachments.some(each => each.kind !== 'image' && each.path === path);
}

/** Returns the attachments that have no mention. A mention shows more. */
export function attachmentsWithoutMention(
  attachments: readonly Attachment[],
  mentions: readonly Mention[],
): readonly Attachment[] {
  return attachments.filter(
    each =>
      each.kind !== 'file' ||
      !mentions.some(({ text, path, lines }) => !lines && (text === each.path || path === each.path)),
  );
}

export function MentionChip({ mention }: { readonly mention: Mention }) {
  const { act } = usePanel();
  const labels = usePathLabels();
  const { kind, outcome, detail, path, lines } = mention;
  const text = (
    <>
      <Icon name={lines ? 'selection' : kindIcons[kind]} />
      <MiddleCut text={labelOf(mention, labels)} />
      {outcome === 'cut' && <span class="quiet">{`· ${t('cut')}`}</span>}
      <span class="sr-only">, {detail}</span>
    </>
  );
  const title = `${path === undefined ? mention.text : labels.written(path)}: ${detail}`;
  return (
    <span class="chip" title={title}>
      {path !== undefined && kind !== 'folder' ? (
        <button
          type="button"
          class="chip-text"
          onClick={() => act({ type: 'file.open', path, line: lines?.startLine })}
        >
          {text}
        </button>
      ) : (
        <span class="chip-text">{text}</span>
      )}
    </span>
  );
}

/** Line about a mention that was not read, which the user must notice. */
export function MentionProblem({ mention }: { readonly mention: Mention }) {
  return (
    <div class="mention-trouble">
      <Icon name="warning" />
      <span class="mention-trouble-text">
        <span class="sr-only">{`${t('Not read')}: `}</span>
        <span class="mention-name">{mention.text}</span> {mention.detail}
      </span>
    </div>
  );
}

function labelOf({ text, kind, path, lines }: Mention, labels: PathLabels): string {
  if (path !== undefined && lines) return lineRangeLabel(labels.short(path), lines);
  if (path !== undefined && kind === 'file') return labels.short(path);
  return text.replace(/^@/, '');
}
