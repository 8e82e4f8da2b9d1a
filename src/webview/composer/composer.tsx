import { useRef } from 'preact/hooks';
import type { Attachment } from '../../protocol/intentions.ts';
import { t } from '../../protocol/language.ts';
import type { LineRange } from '../../protocol/values.ts';
import { AttachmentChip, lineRangeLabel } from '../attachments/attachmentChip.tsx';
import { filesIn, readFile } from '../attachments/readFiles.ts';
import { AppAdditions } from '../mcp/appAdditions.tsx';
import { usePanel } from '../panel/panel.ts';
import { baseName, usePathLabels } from '../panel/pathLabels.ts';
import { addAttachment } from '../panel/store.ts';
import { Icon } from '../ui/icon.tsx';
import { focusPrompt } from '../ui/keepFocus.ts';
import { MiddleCut } from '../ui/words.tsx';
import { AddMenu } from './addMenu.tsx';
import { ContextMeter } from './contextMeter.tsx';
import { mentionOf, pathsIn } from './dropped.ts';
import { insertSpacedText } from './insertText.ts';
import { AllowAllWarning, EffortPicker, ModelPicker, ModePicker } from './pickers.tsx';
import { PromptField } from './promptField.tsx';
import { SendButton } from './sendButton.tsx';
import { isShellDraft, sendDraft } from './sending.ts';

/** Composer. It does not read the transcript, so typing and streaming do not slow each other down. */
export function Composer() {
  const panel = usePanel();
  const { store } = panel;
  const { hint } = store;
  const field = useRef<HTMLTextAreaElement>(null);

  const attachFiles = async (files: readonly File[]) => {
    for (const file of files) {
      const { attachments, sentence } = await readFile(file);
      if (sentence !== undefined) hint.value = sentence;
      store.attachments.value = attachments.reduce(addAttachment, store.attachments.peek());
    }
  };
  const takeFiles = (event: Event, files: readonly File[]) => {
    if (files.length === 0) return;
    event.preventDefault();
    void attachFiles(files);
  };
  const onDrop = (event: DragEvent) => {
    const paths = pathsIn(event.dataTransfer);
    if (paths.length === 0) return takeFiles(event, filesIn(event.dataTransfer, 'all'));
    event.preventDefault();
    hint.value = mention(paths);
  };
  /** Mentions files. Returns a sentence about those outside the workspace. */
  const mention = (paths: readonly string[]): string => {
    const folders = store.environment.peek()?.folders ?? [];
    const outside = paths.find(path => mentionOf(path, folders) === undefined);
    const mentions = paths.map(path => mentionOf(path, folders)).filter(each => each !== undefined);
    if (field.current && mentions.length > 0) insertSpacedText(field.current, `${mentions.join(' ')} `);
    return outside === undefined
      ? ''
      : t('{0} was not added. It is outside the open folders.', baseName(outside));
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a form would submit automatically.
    <div
      class="composer"
      role="group"
      aria-label={t('Prompt')}
      onPaste={event => takeFiles(event, filesIn(event.clipboardData, 'onlyMedia'))}
      onDragOver={event => event.preventDefault()}
      onDrop={onDrop}
    >
      <AllowAllWarning />
      {/* Always rendered: a live region must exist before its text, and the field below must keep its element. */}
      <div class="composer-hint" role="status">
        {hint}
      </div>
      <AppAdditions />
      <CommandMark />
      <div class={isShellDraft(store) ? 'composer-box shell' : 'composer-box'}>
        <Chips />
        <PromptField field={field} onSend={way => sendDraft(panel, way)} onInput={() => (hint.value = '')} />
        {/* After a choice the focus returns to the prompt. */}
        <div class="composer-bar" onChange={focusPrompt}>
          <AddMenu field={field} onFiles={attachFiles} />
          <ModePicker />
          <ModelPicker />
          <EffortPicker />
          <ContextMeter />
          <SendButton />
        </div>
      </div>
    </div>
  );
}

/** Says that the text will run as a command. Always rendered, so that it is announced. */
function CommandMark() {
  const { store } = usePanel();
  const words = store.isShell.value
    ? t('Each line runs as your own command. Escape leaves.')
    : isShellDraft(store)
      ? t('Runs as your own command. ! alone keeps this mode on.')
      : '';
  return (
    <div class="command-mark" role="status">
      {words && <Icon name="terminal" />}
      {words}
    </div>
  );
}

function Chips() {
  const { store, act } = usePanel();
  const { activeFile: offered, selectedLines: lines, isSelectionOmitted } = store.environment.value ?? {};
  const attachments = store.attachments.value;
  const isAttached = attachments.some(each => each.kind !== 'image' && each.path === offered);
  const canOffer = offered !== undefined && !isAttached;
  if (attachments.length === 0 && !canOffer) return null;
  const remove = (removed: Attachment) => {
    store.attachments.value = attachments.filter(each => each !== removed);
    // Else the same lines would be offered again in its place.
    if (removed.kind !== 'selection' || removed.path !== offered) return;
    const { startLine, endLine } = removed;
    if (startLine === lines?.startLine && endLine === lines.endLine) act({ type: 'selection.omit' });
  };
  return (
    <div class="chips">
      {attachments.map((attachment, index) => (
        <AttachmentChip
          key={index}
          attachment={attachment}
          isAmbiguous={isAmbiguous(attachment, attachments)}
          onRemove={() => remove(attachment)}
          onChange={next => (store.attachments.value = attachments.with(index, next))}
        />
      ))}
      {canOffer && <OfferedChip path={offered} lines={lines} isSent={lines && !isSelectionOmitted} />}
    </div>
  );
}

interface OfferedChipProps {
  readonly path: string;
  readonly lines: LineRange | undefined;
  readonly isSent: boolean | undefined;
}

/** The selected lines in the editor, which are sent unless they are left out, or its file, of which only the name is. */
function OfferedChip({ path, lines, isSent }: OfferedChipProps) {
  const { store, act } = usePanel();
  const labels = usePathLabels();
  const name = lines ? lineRangeLabel(labels.short(path), lines) : labels.short(path);
  const label = isSent ? name : lines ? t('{0}, left out', name) : t('{0}, name only', name);
  const written = labels.written(path);
  const title = isSent
    ? t('The selected lines of {0} are sent with the prompt. Press to keep them attached.', written)
    : lines
      ? t('The selected lines of {0} are left out. Press to attach them.', written)
      : t(
          'Only the name of {0} is sent with the prompt, since it is open. Press to attach the file.',
          written,
        );
  return (
    <span class="chip offered">
      <button
        type="button"
        class="chip-text"
        title={title}
        onClick={() => {
          if (lines) act({ type: 'selection.attach' });
          else store.attachments.value = [...store.attachments.value, { kind: 'file', path }];
        }}
      >
        <Icon name={lines ? 'selection' : 'file'} />
        <MiddleCut text={label} />
        {!isSent && <Icon name="add" />}
      </button>
      {isSent && (
        <button
          type="button"
          class="chip-remove"
          title={t('Leave {0} out', label)}
          onClick={() => {
            act({ type: 'selection.omit' });
            focusPrompt();
          }}
        >
          <Icon name="close" />
        </button>
      )}
    </span>
  );
}

/** Returns true if another attachment has the same name. */
function isAmbiguous(attachment: Attachment, attachments: readonly Attachment[]): boolean {
  if (attachment.kind === 'image') return false;
  const { path } = attachment;
  return attachments.some(
    each => each.kind !== 'image' && each.path !== path && baseName(each.path) === baseName(path),
  );
}
