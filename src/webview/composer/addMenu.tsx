import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { t } from '../../protocol/language.ts';
import { lineRangeLabel } from '../attachments/attachmentChip.tsx';
import { acceptedFiles } from '../attachments/readFiles.ts';
import { usePanel } from '../panel/panel.ts';
import { baseName } from '../panel/pathLabels.ts';
import { Menu } from '../ui/menu.tsx';
import { selectionKeys } from '../ui/systemKeys.ts';
import { insertSpacedText } from './insertText.ts';

interface AddMenuProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Menu of ways to add context, for users who do not know `@`. */
export function AddMenu({ field, onFiles }: AddMenuProps) {
  const files = useRef<HTMLInputElement>(null);
  const mention = (words: string) => () => {
    // The menu first returns the focus to its button.
    queueMicrotask(() => field.current && insertSpacedText(field.current, words));
  };
  const { store, act } = usePanel();
  const { activeFile, selectedLines } = store.environment.value ?? {};
  const selection = activeFile && selectedLines && lineRangeLabel(baseName(activeFile), selectedLines);
  const groups = [
    [
      ...(selection
        ? [
            {
              label: t('Selection, {0}', selection),
              keys: selectionKeys,
              onPress: () => act({ type: 'selection.attach' }),
            },
          ]
        : []),
      { label: t('File or folder…'), keys: '@', onPress: mention('@') },
      { label: t('Symbol…'), onPress: mention('@symbol:') },
      { label: t('Picture, recording or PDF…'), onPress: () => files.current?.click() },
      { label: t('Web page…'), onPress: mention('@https://') },
      { label: t('Tab of your browser…'), onPress: () => act({ type: 'page.share' }) },
    ],
    [
      { label: t('Problems'), onPress: mention('@problems ') },
      { label: t('Last terminal command and output'), onPress: mention('@terminal ') },
      { label: t('Uncommitted changes'), onPress: mention('@diff ') },
    ],
  ];
  return (
    <>
      <Menu label={t('Add context')} icon="add" groups={groups} />
      <input
        type="file"
        ref={files}
        hidden
        multiple
        accept={acceptedFiles}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // Allows choosing the same file again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
