/** Prefix of the command key on this system. */
export const commandKey = /^Mac/.test(navigator.platform) ? '⌘' : 'Ctrl+';

/** Keys of `folio.accept` in package.json. */
export const acceptKeys = `${commandKey}⏎`;
