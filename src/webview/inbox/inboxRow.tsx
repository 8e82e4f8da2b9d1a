import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { escapeInvisibleText } from '../../extension/base/hiddenText.ts';
import { t } from '../../protocol/language.ts';
import type { InboxEntry, InboxEvidence, InboxTarget } from '../../protocol/panel/inbox.ts';
import { Button } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import type { IconName } from '../ui/icons.ts';
import { isPlainKey } from '../ui/keys.ts';
import { UntrustedText } from '../ui/untrustedText.tsx';

interface InboxRowProps {
  readonly entry: InboxEntry;
  readonly onAccept: (number: number, target: InboxTarget, text: string) => void;
  readonly onDrop: (number: number) => void;
}

/** Row of a proposal. Enter edits the text, Delete drops it. */
export function InboxRow({ entry, onAccept, onDrop }: InboxRowProps) {
  const { number, kind } = entry;
  const draft = useSignal<string | undefined>(undefined);
  const row = useRef<HTMLLIElement>(null);
  const text = draft.value ?? entry.text;
  const edit = () => (draft.value = entry.text);
  const leave = () => {
    draft.value = undefined;
    row.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isPlainKey(event, 'Escape') && draft.value !== undefined) leave();
    else if (event.target !== row.current) return;
    else if (isPlainKey(event, 'Enter')) edit();
    else if (isPlainKey(event, 'Delete')) onDrop(number);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isEmpty = text.trim() === '';
  return (
    <li class="inbox-entry" ref={row} tabIndex={-1} onKeyDown={onKeyDown} aria-label={titleOf(entry)}>
      <Icon name={kind === 'skill' ? 'zap' : 'lightbulb'} />
      <div class="inbox-words">
        {kind === 'skill' && <SkillHead name={entry.name} description={entry.description} />}
        {draft.value === undefined ? (
          <p class={`inbox-text ${kind}`}>{escapeInvisibleText(text)}</p>
        ) : (
          <EditField text={entry.text} onChange={words => (draft.value = words)} />
        )}
        {kind === 'fact' && entry.onlyFromOutput && (
          <p class="inbox-warning">
            <Icon name="warning" />
            {t('This comes only from the output of a tool. Anyone may have written it, so check it.')}
          </p>
        )}
        <Evidence entry={entry} />
        <div class="buttons">
          <Button kind="primary" disabled={isEmpty} onPress={() => onAccept(number, 'workspace', text)}>
            {t('Keep for Workspace')}
          </Button>
          <Button disabled={isEmpty} onPress={() => onAccept(number, 'user', text)}>
            {t('Keep for Me')}
          </Button>
          {draft.value === undefined ? (
            <Button onPress={edit}>{t('Edit')}</Button>
          ) : (
            <Button onPress={leave}>{t('Cancel')}</Button>
          )}
          <Button onPress={() => onDrop(number)}>{t('Drop')}</Button>
        </div>
      </div>
    </li>
  );
}

function titleOf(entry: InboxEntry): string {
  return entry.kind === 'skill' ? t('skill {0}', entry.name) : entry.text;
}

function SkillHead({ name, description }: { readonly name: string; readonly description: string }) {
  return (
    <>
      <p class="bold">{t('skill {0}', name)}</p>
      <p>
        <UntrustedText text={description} />
      </p>
    </>
  );
}

/** Field for the text. It takes the focus, since the user opened it. */
function EditField({ text, onChange }: { readonly text: string; readonly onChange: (text: string) => void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <textarea
      ref={field}
      class="input growing"
      dir="auto"
      aria-label={t('Text to remember')}
      defaultValue={text}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function Evidence({ entry: { evidence, session } }: { readonly entry: InboxEntry }) {
  return (
    <ul class="inbox-evidence quiet" aria-label={t('Evidence')}>
      {evidence.map((each, index) => (
        <li key={index}>
          <Icon name={sources[each.source]} />
          <span>
            {placeOf(each)} <q>{escapeInvisibleText(each.quote)}</q>
          </span>
        </li>
      ))}
      <li>
        <Icon name="info" />
        <span>
          <UntrustedText text={session} limit={80} />
        </span>
      </li>
    </ul>
  );
}

const sources: Readonly<Record<InboxEvidence['source'], IconName>> = {
  prompt: 'send',
  call: 'check',
  output: 'file',
};

function placeOf({ source, number }: InboxEvidence): string {
  switch (source) {
    case 'prompt':
      return t('Your prompt {0}:', number);
    case 'call':
      return t('Call {0}, which succeeded:', number);
    case 'output':
      return t('Output of call {0}:', number);
  }
}
