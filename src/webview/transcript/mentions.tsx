/* The outcome of each mention in a prompt. */

import type { Attachment } from '../../protocol/intentions.ts';
import { t } from '../../protocol/language.ts';
import type { Mention } from '../../protocol/mentions.ts';
import { type FolderNames, useFolderNames } from '../panel/folderNames.ts';
import { usePanel } from '../panel/panel.ts';
import { Icon } from '../ui/icon.tsx';
import { kindIcons } from '../ui/kindIcons.ts';

export function wasRead({ outcome }: Mention): boolean {
  return outcome === 'read' || outcome === 'cut';
}

/** An attached file is read like a mentioned one, and the mention says more. */
export function attachmentsWithoutMention(
  attachments: readonly Attachment[],
  mentions: readonly Mention[],
): readonly Attachment[] {
  return attachments.filter(
    each =>
      each.kind !== 'file' || !mentions.some(({ text, path }) => text === each.path || path === each.path),
  );
}

export function MentionChip({ mention }: { readonly mention: Mention }) {
  const { act } = usePanel();
  const names = useFolderNames();
  const { kind, outcome, detail, path } = mention;
  const text = (
    <>
      <Icon name={kindIcons[kind]} />
      <span class="ellipsis">{labelOf(mention, names)}</span>
      {outcome === 'cut' && <span class="quiet">{`· ${t('cut')}`}</span>}
      <span class="sr-only">, {detail}</span>
    </>
  );
  const title = `${path === undefined ? mention.text : names.written(path)}: ${detail}`;
  return (
    <span class="chip" title={title}>
      {path !== undefined && kind !== 'folder' ? (
        <button type="button" class="chip-text" onClick={() => act({ type: 'file.open', path })}>
          {text}
        </button>
      ) : (
        <span class="chip-text">{text}</span>
      )}
    </span>
  );
}

/** The user believes that the agent has read it: that it has not must be seen. */
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

function labelOf({ text, kind, path }: Mention, names: FolderNames): string {
  if (path !== undefined && kind === 'file') return names.short(path);
  return text.replace(/^@/, '');
}
