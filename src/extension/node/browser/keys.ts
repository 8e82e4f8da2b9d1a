import { BrowserError } from '../../platform/browser/browser.ts';

interface Key {
  readonly key: string;
  readonly code: string;
  readonly windowsVirtualKeyCode: number;
  readonly text?: string | undefined;
}

const named: Readonly<Record<string, readonly [code: number, text?: string]>> = {
  Enter: [13, '\r'],
  Tab: [9],
  Escape: [27],
  Backspace: [8],
  Delete: [46],
  ArrowLeft: [37],
  ArrowUp: [38],
  ArrowRight: [39],
  ArrowDown: [40],
  PageUp: [33],
  PageDown: [34],
  End: [35],
  Home: [36],
};
const modifierBits: Readonly<Record<string, number>> = { Alt: 1, Control: 2, Meta: 4, Shift: 8 };

/** @param text for example `Enter`, `a` or `Control+A` */
export function parseKeystroke(text: string): Key & { readonly modifiers: number } {
  const parts = text === '+' ? ['+'] : text.split('+').map(part => part.trim());
  const key = parts.pop() || '+';
  let modifiers = 0;
  for (const part of parts) {
    const bit = modifierBits[part === 'Ctrl' ? 'Control' : part];
    if (bit === undefined)
      throw new BrowserError(`There is no modifier ${part}: use Control, Shift, Alt or Meta.`);
    modifiers |= bit;
  }
  const name = key === 'Space' ? ' ' : key;
  const known = named[name];
  const code = known ? name : codeOf(name);
  const isPlain = (modifiers & ~8) === 0;
  const typed = known ? known[1] : name;
  if (!known && [...name].length !== 1)
    throw new BrowserError(
      `There is no key ${key}: use a letter, or one of ${Object.keys(named).join(', ')}.`,
    );
  return {
    key: name,
    code,
    windowsVirtualKeyCode: known?.[0] ?? name.toUpperCase().charCodeAt(0),
    text: isPlain ? typed : undefined,
    modifiers,
  };
}

function codeOf(letter: string): string {
  if (letter === ' ') return 'Space';
  if (/^[a-z]$/i.test(letter)) return `Key${letter.toUpperCase()}`;
  return /^\d$/.test(letter) ? `Digit${letter}` : '';
}
