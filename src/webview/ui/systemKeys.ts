/** Prefix of the command key on this system. */
export const commandKey = /^Mac/.test(navigator.platform) ? '⌘' : 'Ctrl+';
export const altKey = commandKey === '⌘' ? '⌥' : 'Alt+';

/** Keys of `folio.accept` in package.json. */
export const acceptKeys = `${commandKey}⏎`;

/** Keys of `folio.focusPanel` and `folio.addSelection` in package.json. */
export const focusKeys = `${commandKey}'`;
export const selectionKeys = `${commandKey}⇧'`;

/** Returns keys as `aria-keyshortcuts` names them. */
export function ariaKeys(keys: string): string {
  const signs = { 'Meta+': '⌘', 'Control+': 'Ctrl+', 'Alt+': '⌥', 'Shift+': '⇧', Enter: '⏎', Backspace: '⌫' };
  return Object.entries(signs).reduce((named, [name, sign]) => named.replace(sign, name), keys);
}
