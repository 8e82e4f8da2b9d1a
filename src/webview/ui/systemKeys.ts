/** How this system writes its key for commands, to stand before another key. */
export const commandKey = /^Mac/.test(navigator.platform) ? '⌘' : 'Ctrl+';

/** Accepts what waits for a decision, as package.json binds it to `folio.accept`. */
export const acceptKeys = `${commandKey}⏎`;
