/** Returns a Markdown table. Cells may contain Markdown; bars in them are escaped. */
export function markdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, ...rows.map(row => row.map(escapeBars))].map(tableLine);
  return [lines[0], `|${'---|'.repeat(heads.length)}`, ...lines.slice(1)].join('\n');
}

export function code(text: string): string {
  return `\`${text}\``;
}

function tableLine(cells: readonly string[]): string {
  return `|${cells.map(cell => (cell === '' ? ' |' : ` ${cell} |`)).join('')}`;
}

function escapeBars(cell: string): string {
  return cell.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
