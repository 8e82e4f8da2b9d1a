/* Approximates the text that a terminal would show for an output. */

/** CSI and OSC sequences, two-character escapes, and control characters that only move the cursor. */
const escapes =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[PX^_][^\u001b]*\u001b\\|\u001b[ -/]*[0-~]/g;
const controls = /[\u0001-\u0007\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f]/g;

/** Sequences that redraw progress displays: cursor up, to the first column, erase a row or everything below. */
const moves = /(\u001b\[\d*[AFGJK]|\r|\n)/;

/** Removes colours and cursor movement. Keeps only the last state of a redrawn progress display. */
export function plainTerminalText(raw: string): string {
  const text = raw
    .replace(escapes, sequence => (moves.test(sequence) ? sequence : ''))
    .replace(/\r+\n/g, '\n')
    .replace(controls, '');
  return /[\r\b\u001b]/.test(text) ? redraw(text) : text;
}

/** Text at the beginning of a row replaces that row, whatever its length. */
function redraw(text: string): string {
  const rows = [''];
  let row = 0;
  let isAtStart = true;
  for (const part of text.split(moves)) {
    if (part === '') continue;
    const [move = '', count = '', way = part] = /^\u001b\[(\d*)([AFGJK])$/.exec(part) ?? [];
    if (way === '\n') {
      row++;
      rows[row] ??= '';
    } else if (way === 'A' || way === 'F') row = Math.max(0, row - Number(count || 1));
    else if (move === '' && way !== '\r') {
      rows[row] = isAtStart ? part : rows[row] + part;
      isAtStart = false;
      continue;
    } else if (way === 'K' && (count === '2' || (isAtStart && Number(count) === 0))) rows[row] = '';
    else if (way === 'J' && Number(count) === 0) {
      rows.length = row + 1;
      if (isAtStart) rows[row] = '';
    }
    const keepsColumn = way === 'A' || way === 'K' || way === 'J' || (way === 'G' && Number(count) > 1);
    if (!keepsColumn) isAtStart = true;
  }
  return rows.map(line => (line.includes('\b') ? eraseBackwards(line) : line)).join('\n');
}

function eraseBackwards(line: string): string {
  const kept: string[] = [];
  for (const character of line) {
    if (character === '\b') kept.pop();
    else kept.push(character);
  }
  return kept.join('');
}

/** Bytes that never occur in text, even with colours and cursor movement. */
const bytes = /[\u0001-\u0006\u000e-\u001a\u001c-\u001f\ufffd]/;

/** Latin letters in UTF-16: a NUL after each character, except for line ends added by the terminal. */
const wideText = /^(?:\ufffd{2})?(?:\r?[\t\n\r -~\u00a0-\u00ff]\0){3,}$/;

/**
 * Returns the output of a command as text; `undefined` if it is binary. Records separated by NUL (`find -print0`, `git
 * -z`, the variables of a process) become lines. Records of at most one character mean a mostly empty file, or UTF-16
 * that came through a terminal.
 */
export function readableOutput(raw: string): string | undefined {
  if (!raw.includes('\0')) return raw;
  if (wideText.test(raw)) return raw.replace(/^\ufffd{2}/, '').replaceAll('\0', '');
  const records = raw.replace(/\0$/, '').split('\0');
  const isText = !bytes.test(raw) && records.filter(record => record.length > 1).length * 2 > records.length;
  return isText ? records.join('\n') : undefined;
}
