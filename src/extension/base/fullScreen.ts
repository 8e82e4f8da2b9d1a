/** Sequences that switch a terminal to its alternate screen and back. */
const change = /\u001b\[\?(?:1049|1047|47)([hl])/;
const maxChangeLength = '\u001b[?1049h'.length;

export const alternateScreenPlaceholder =
  '(A program used the whole screen of the terminal; what it drew is left out.)\n';

/**
 * Replaces the drawing of full-screen programs by a note, since it means nothing as text. Works on chunks: a possible
 * start of a switch sequence is buffered until the next chunk or the end.
 */
export function makeAlternateScreenFilter(): {
  readonly add: (piece: string) => string;
  readonly end: () => string;
  /** True while a program uses the alternate screen. */
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
      if (leaves && !isAway) kept += alternateScreenPlaceholder;
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
