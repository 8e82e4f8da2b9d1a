/** Prefix of the command key on this system. */
export const commandKey = /^Mac/.test(navigator.platform) ? '⌘' : 'Ctrl+';

/** Keys of `folio.accept` in package.json. */
export const acceptKeys = `${commandKey}⏎`;

/** Returns keys as `aria-keyshortcuts` names them. */
export function ariaKeys(keys: string): string {
  const names = { '⌘': 'Meta+', 'Ctrl+': 'Control+', '⇧': 'Shift+', '⏎': 'Enter', '⌫': 'Backspace' };
  return Object.entries(names).reduce((named, [sign, name]) => named.replace(sign, name), keys);
}
