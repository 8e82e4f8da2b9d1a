/** Programs change to the other screen of a terminal and back with these. */
const change = /\u001b\[\?(?:1049|1047|47)([hl])/;
const maxChangeLength = '\u001b[?1049h'.length;

export const fullScreenNote =
  '(A program used the whole screen of the terminal; what it drew is left out.)\n';

/**
 * Takes out what full-screen programs draw, which says nothing as text, and puts a sentence in its place. Works on
 * pieces: what might be the beginning of a change of screens is kept back until the next piece, or the end.
 */
export function withoutFullScreens(): {
  readonly add: (piece: string) => string;
  readonly end: () => string;
  /** A program uses the whole screen now. */
  readonly isAway: () => boolean;
} {
  let held = '';
  let isAway = false;
  const add = (piece: string): string => {
    let rest = held + piece;
    let kept = '';
    for (let found = change.exec(rest); found; found = change.exec(rest)) {
      if (!isAway) kept += rest.slice(0, found.index);
      const leaves = found[1] === 'h';
      if (leaves && !isAway) kept += fullScreenNote;
      isAway = leaves;
      rest = rest.slice(found.index + found[0].length);
    }
    const begin = rest.lastIndexOf('\u001b');
    const isOpen = begin >= Math.max(0, rest.length - maxChangeLength + 1);
    held = isOpen ? rest.slice(begin) : '';
    return isAway ? kept : kept + (isOpen ? rest.slice(0, begin) : rest);
  };
  return { add, end: () => (isAway ? '' : held), isAway: () => isAway };
}
