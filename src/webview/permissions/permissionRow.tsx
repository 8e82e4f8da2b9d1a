import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { escapeInvisibleText } from '../../extension/base/hiddenText.ts';
import { t } from '../../protocol/language.ts';
import type { Permission } from '../../protocol/permissions.ts';
import { modeWords } from '../../protocol/words/modeWords.ts';
import { usePanel } from '../panel/panel.ts';
import { Button, LinkButton } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import type { IconName } from '../ui/icons.ts';
import { isPlainKey } from '../ui/keys.ts';

interface PermissionRowProps {
  readonly permission: Permission;
  readonly onRemove: (id: string) => void;
}

/** Row of a rule. Enter opens its file, Delete asks to remove it. */
export function PermissionRow({ permission, onRemove }: PermissionRowProps) {
  const { act } = usePanel();
  const isRemoving = useSignal(false);
  const row = useRef<HTMLLIElement>(null);
  const { id, decision, subject, file, line, removable } = permission;
  const { icon, word } = decisions()[decision];
  const open = () => file !== undefined && act({ type: 'file.open', path: file, line });
  const ask = () => (isRemoving.value = removable);
  const keep = () => {
    isRemoving.value = false;
    row.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isPlainKey(event, 'Escape') && isRemoving.value) keep();
    else if (event.target !== row.current) return;
    else if (isPlainKey(event, 'Enter')) open();
    else if (isPlainKey(event, 'Delete')) ask();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <li class={`permission rule-${decision}`} ref={row} tabIndex={-1} onKeyDown={onKeyDown}>
      <Icon name={icon} />
      <div class="permission-words">
        <p>
          <span class="verdict bold">{word}</span> {escapeInvisibleText(subject)}
        </p>
        <p class="quiet permission-facts">
          <Origin permission={permission} onOpen={open} />
          {removable && !isRemoving.value && (
            <LinkButton aria-label={t('Remove: {0} {1}', word, subject)} onClick={ask}>
              {t('Remove')}
            </LinkButton>
          )}
        </p>
        {isRemoving.value && <Confirm onRemove={() => onRemove(id)} onKeep={keep} />}
      </div>
    </li>
  );
}

const decisions = (): Readonly<
  Record<Permission['decision'], { readonly icon: IconName; readonly word: string }>
> => ({
  allow: { icon: 'check', word: t('Allow') },
  ask: { icon: 'question', word: t('Ask') },
  deny: { icon: 'circle-slash', word: t('Deny') },
});

function Origin({ permission, onOpen }: { readonly permission: Permission; readonly onOpen: () => void }) {
  const { origin, file, modes: held } = permission;
  return (
    <span>
      {file === undefined ? (
        origin
      ) : (
        <LinkButton title={file} onClick={onOpen}>
          {escapeInvisibleText(origin)}
        </LinkButton>
      )}
      {held && ` · ${t('only in {0}', held.map(wordOf).join(', '))}`}
    </span>
  );
}

function wordOf(mode: string): string {
  return modeWords().find(({ value }) => value === mode)?.label ?? mode;
}

function Confirm({ onRemove, onKeep }: { readonly onRemove: () => void; readonly onKeep: () => void }) {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => root.current?.querySelector<HTMLElement>('vscode-button')?.focus(), []);
  return (
    <div class="permission-confirm" ref={root}>
      <span>{t('Remove this rule?')}</span>
      <div class="buttons">
        <Button onPress={onRemove}>{t('Remove')}</Button>
        <Button onPress={onKeep}>{t('Keep')}</Button>
      </div>
    </div>
  );
}
