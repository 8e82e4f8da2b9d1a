/*
 * Components for the toolkit's elements and plain controls. Until the elements are defined, controls.css gives them the
 * same size and look.
 */

import { type ComponentChild, type ComponentChildren, type ComponentProps, h } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';
import { ariaKeys } from './systemKeys.ts';

interface ButtonProps {
  readonly kind?: 'primary' | 'secondary';
  readonly onPress: () => void;
  readonly children: ComponentChildren;
  readonly title?: string;
  readonly disabled?: boolean;
  /** A word by which the keys of the transcript find the button. */
  readonly action?: string;
  /** Keys with the same effect, shown while they work. */
  readonly keys?: string;
  /** Handles the keys, if a press would first ask for more. */
  readonly onCommand?: () => void;
}

export function Button(props: ButtonProps): ComponentChild {
  // The element treats a removed value as empty, and an empty one as true.
  const { kind = 'secondary', onPress, children, title, disabled = false, action, keys, onCommand } = props;
  const attributes = {
    appearance: kind,
    title,
    disabled,
    'data-action': action,
    onClick: disabled ? undefined : onPress,
    oncommanded: disabled ? undefined : (onCommand ?? onPress),
  };
  if (keys === undefined) return h('vscode-button', attributes, children);
  return h(
    'vscode-button',
    { ...attributes, 'aria-keyshortcuts': ariaKeys(keys) },
    <span class="ellipsis">{children}</span>,
    <span class="keys" aria-hidden="true">
      {keys}
    </span>,
  );
}

/** Button that looks like a link, for use in text. */
export function LinkButton({ class: extra = '', ...attributes }: ComponentProps<'button'>) {
  return <button type="button" class={`link-button ${extra}`} {...attributes} />;
}

interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onPress: () => void;
  readonly disabled?: boolean;
  /** A word by which the keys of the transcript find the button. */
  readonly action?: string;
}

export function IconButton({
  icon,
  label,
  onPress,
  disabled = false,
  action,
}: IconButtonProps): ComponentChild {
  const attributes = {
    'aria-label': label,
    title: label,
    appearance: 'icon',
    class: 'icon-button',
    disabled,
    'data-action': action,
    onClick: disabled ? undefined : onPress,
  };
  return h('vscode-button', attributes, <Icon name={icon} />);
}

export interface PickerChoice {
  readonly value: string;
  readonly label: string;
  /** Shown in the closed control instead of the label. */
  readonly short?: string;
  /** Part of it that is left out where there is no room for all. */
  readonly spare?: string;
  readonly hint?: string;
  /** True if shown but not selectable. */
  readonly isDisabled?: boolean;
}

interface PickerProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly PickerChoice[];
  readonly onPick: (value: string) => void;
  /** One sentence about the chosen value. */
  readonly why?: string;
  /** Last entry, which runs an action instead of choosing. */
  readonly more?: { readonly label: string; readonly onPress: () => void };
  readonly class?: string;
}

export function Picker(props: PickerProps) {
  const { label, value, choices, onPick, why, more, class: extra = '' } = props;
  const element = useRef<HTMLSelectElement>(null);
  useLayoutEffect(() => {
    if (element.current) element.current.value = value;
  }, [value, choices]);
  const choice = choices.find(each => each.value === value);
  const { label: shown = value, short = shown, spare = '' } = choice ?? {};
  const from = short.indexOf(spare);
  const pick = ({ currentTarget }: Event & { readonly currentTarget: HTMLSelectElement }) => {
    const picked = currentTarget.value;
    // Keeps showing the current value until the host confirms the new one.
    currentTarget.value = value;
    if (picked === moreValue) more?.onPress();
    else onPick(picked);
  };
  return (
    <select
      ref={element}
      class={`picker ${extra}`}
      aria-label={label}
      title={`${label}: ${shown}${why ? `. ${why}` : ''}`}
      onChange={pick}
    >
      <button type="button">
        {short.slice(0, from)}
        <span class="with-spare">
          {spare && <span>{spare}</span>}
          <span class="ellipsis">{short.slice(from + spare.length)}</span>
        </span>
      </button>
      {choices.map(choice => (
        <option key={choice.value} value={choice.value} title={choice.hint} disabled={choice.isDisabled}>
          {choice.label}
        </option>
      ))}
      {more && <option value={moreValue}>{more.label}</option>}
    </select>
  );
}

/** Value of the last entry. No model or mode has this name. */
const moreValue = '…';

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function SearchField({ label, value, onChange }: SearchFieldProps) {
  return (
    <div class="search-field">
      <input
        type="text"
        class="input"
        aria-label={label}
        placeholder={label}
        value={value}
        onInput={event => onChange(event.currentTarget.value)}
      />
    </div>
  );
}
