/**
 * Returns whether a sed script only prints: no `w`, `W`, `e`, `r`, `R`, `F` and no such flag of `s`. Anything that is
 * not clearly a printing command counts as harmful.
 */
export function isHarmlessSed(script: string): boolean {
  if (script.length > 2000) return false;
  // Implementations of sed differ on whether a delimiter in brackets ends the expression.
  if (/\[\^?\]|\[[^\]]*[/|#,:!@%_+~][^\]]*\]/.test(script)) return false;
  let rest = script;
  while (rest !== '') {
    const blank = /^[\s;{}]+/.exec(rest);
    if (blank) {
      rest = rest.slice(blank[0].length);
      continue;
    }
    const length = commandLength(rest);
    if (length === 0) return false;
    rest = rest.slice(length);
  }
  return true;
}

const address = String.raw`(?:\d+(?:~\d+)?|\$|\/(?:\\[^\n]|[^\\/\n])*\/[IM]*)`;
const addresses = new RegExp(String.raw`^(?:${address}(?:\s*,\s*(?:${address}|[+~]\d+))?)?\s*!?\s*`);
const printing = /^(?:[pPdDlnNgGhHxz=]|[qQ]\d*)(?=\s*(?:[;}\n]|$))/;
const flags = /^[gpiIM\d]*(?=\s*(?:[;}\n]|$))/;

function commandLength(text: string): number {
  const before = addresses.exec(text)![0].length;
  const rest = text.slice(before);
  if (rest.startsWith('{')) return before + 1;
  const simple = printing.exec(rest);
  if (simple) return before + simple[0].length;
  const length = rest[0] === 's' || rest[0] === 'y' ? substitutionLength(rest) : 0;
  return length === 0 ? 0 : before + length;
}

function substitutionLength(text: string): number {
  const delimiter = text[1];
  if (delimiter === undefined || !/[/|#,:!@%_+~]/.test(delimiter)) return 0;
  let at = 2;
  for (let parts = 0; parts < 2; at++) {
    if (at >= text.length || text[at] === '\n') return 0;
    if (text[at] === '\\') at++;
    else if (text[at] === delimiter) parts++;
  }
  const after = flags.exec(text.slice(at));
  return after ? at + after[0].length : 0;
}
