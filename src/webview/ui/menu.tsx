/* A button with a menu of actions, with the usual keys of menus. */

import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../protocol/language.ts';
import { Icon } from './icon.tsx';
import { isPlainKey } from './keys.ts';
import { ariaKeys } from './systemKeys.ts';
import { createTypeAhead } from './typeAhead.ts';

export interface MenuAction {
  readonly label: string;
  /** Keys with the same effect while the menu is closed. */
  readonly keys?: string;
  readonly onPress: () => void;
}

interface MenuProps {
  /** Label of button and menu: `More actions of chapter 3`. */
  readonly label: string;
  /** Absent: three dots. A chevron makes it the second half of a split button. */
  readonly icon?: 'chevron-down' | 'add';
  /** Groups are separated by lines. Empty ones are left out. */
  readonly groups: readonly (readonly MenuAction[])[];
}

export function Menu({ label, icon, groups }: MenuProps) {
  const isOpen = useSignal(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    isOpen.value = false;
    button.current?.focus({ preventScroll: true });
  };
  const open = (event: KeyboardEvent) => {
    if (!isPlainKey(event, 'ArrowDown')) return;
    event.preventDefault();
    // A surrounding list uses the same key.
    event.stopPropagation();
    isOpen.value = true;
  };
  return (
    <span class="menu-frame">
      <button
        type="button"
        ref={button}
        class={icon === 'chevron-down' ? 'icon-button flat split' : 'icon-button flat'}
        title={icon ? label : t('More actions')}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen.value}
        onKeyDown={open}
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        <Icon name={icon ?? 'ellipsis'} />
      </button>
      {isOpen.value && <MenuList label={label} groups={groups} onClose={close} />}
    </span>
  );
}

function MenuList({ label, groups, onClose }: MenuProps & { readonly onClose: () => void }) {
  const list = useRef<HTMLDivElement>(null);
  const letters = useRef(createTypeAhead());
  useLayoutEffect(() => {
    if (!list.current) return undefined;
    place(list.current);
    entriesOf(list.current)[0]?.focus({ preventScroll: true });
    // The position fits the old size only.
    addEventListener('resize', onClose);
    return () => removeEventListener('resize', onClose);
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    // Keeps keys of the menu from the transcript.
    event.stopPropagation();
    if (event.key === 'Tab') return onClose();
    if (isPlainKey(event, 'Escape')) {
      event.preventDefault();
      return onClose();
    }
    const next = list.current && findNext(event, entriesOf(list.current), letters.current.find);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  // Closes first, so that a dialog of the action returns the focus correctly.
  const press = (action: MenuAction) => {
    onClose();
    action.onPress();
  };
  return (
    <>
      <button
        type="button"
        class="popup-backdrop"
        tabIndex={-1}
        aria-label={t('Close the menu')}
        onClick={onClose}
      />
      <div class="menu" role="menu" tabIndex={-1} aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {groups
          .filter(group => group.length > 0)
          .map((group, index) => (
            // biome-ignore lint/a11y/useSemanticElements: a set of form fields has no place in a menu.
            <div key={index} class="menu-group" role="group">
              {group.map(action => (
                <button
                  key={action.label}
                  type="button"
                  role="menuitem"
                  aria-keyshortcuts={action.keys && ariaKeys(action.keys)}
                  class="menu-item"
                  tabIndex={-1}
                  onClick={() => press(action)}
                >
                  {action.label}
                  {action.keys && <span aria-hidden="true">{action.keys}</span>}
                </button>
              ))}
            </div>
          ))}
      </div>
    </>
  );
}

type Find = (event: KeyboardEvent, entries: readonly HTMLElement[]) => HTMLElement | undefined;

/** Finds the next entry: cyclic by arrows, first or last, or by letter. */
function findNext(event: KeyboardEvent, entries: readonly HTMLElement[], find: Find) {
  const at = entries.indexOf(document.activeElement as HTMLElement);
  if (isPlainKey(event, 'ArrowDown')) return entries[(at + 1) % entries.length];
  if (isPlainKey(event, 'ArrowUp')) return entries.at(at < 0 ? -1 : at - 1);
  if (isPlainKey(event, 'Home')) return entries[0];
  if (isPlainKey(event, 'End')) return entries.at(-1);
  return find(event, entries);
}

function entriesOf(list: HTMLElement): readonly HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('[role=menuitem]')];
}

/** Places the menu below the button, right-aligned, or above if there is no room; always inside the window. */
function place(list: HTMLElement): void {
  const button = list.parentElement!.getBoundingClientRect();
  const { width, height } = list.getBoundingClientRect();
  const below = button.bottom + 2;
  const top = below + height <= window.innerHeight - 4 ? below : button.top - height - 2;
  list.style.top = `${Math.max(4, top)}px`;
  list.style.left = `${Math.max(4, Math.min(button.right - width, window.innerWidth - width - 4))}px`;
}
