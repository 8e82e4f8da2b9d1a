/** How this system writes its key for commands, to stand before another key. */
export const commandKey = /^Mac/.test(navigator.platform) ? '⌘' : 'Ctrl+';
