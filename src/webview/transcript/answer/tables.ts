import { languageTag, t } from '../../../protocol/language.ts';
import { numbersIn } from './numbersIn.ts';

type Order = 'ascending' | 'descending';

interface Sorted {
  readonly column: number;
  readonly order: Order;
}

/** Turns headings into buttons, except those with links, which buttons cannot contain. */
export function makeSortable(table: HTMLTableElement): void {
  if ((table.tBodies[0]?.rows.length ?? 0) < 2) return;
  for (const heading of headingsOf(table)) {
    if (heading.querySelector('a, input') || !heading.textContent.trim()) continue;
    const button = document.createElement('button');
    button.className = 'table-sort';
    button.title = t('Sort by this column');
    button.append(...heading.childNodes);
    heading.append(button);
  }
}

/** Sorts by a column: ascending, then descending, then in the original order. */
export function sortByHeading(button: Element): void {
  const heading = button.closest('th');
  const table = heading?.closest('table');
  if (!heading || !table) return;
  const next = nextOrder(heading.ariaSort);
  sortTable(table, next && { column: heading.cellIndex, order: next });
}

/** Replaces the content of an element. A growing table keeps its sorting. */
export function replaceBlock(element: Element, fragment: DocumentFragment): void {
  const sorted = [...element.querySelectorAll('table')].map(sortedBy);
  const focused = [...element.querySelectorAll('.table-sort')].indexOf(document.activeElement as Element);
  element.replaceChildren(fragment);
  const tables = element.querySelectorAll('table');
  for (const [at, order] of sorted.entries()) {
    const table = tables[at];
    if (order && table) sortTable(table, order);
  }
  if (focused >= 0) element.querySelectorAll<HTMLElement>('.table-sort')[focused]?.focus();
}

/** Returns the cells separated by tabs, in the shown order. */
export function tableText(table: HTMLTableElement): string {
  const textOf = (cell: Element) => asData(cell.textContent.trim().replace(/\s+/g, ' '));
  return [...table.rows].map(row => `${[...row.cells].map(textOf).join('\t')}\n`).join('');
}

/** Prevents a spreadsheet from running a cell as a formula. The text may come from a web page. */
function asData(text: string): string {
  return /^[=@]|^[+-](?![\d.,\s])/.test(text) ? `'${text}` : text;
}

function headingsOf(table: HTMLTableElement): readonly HTMLTableCellElement[] {
  return [...(table.tHead?.rows[0]?.cells ?? [])];
}

function sortedBy(table: HTMLTableElement): Sorted | undefined {
  for (const { cellIndex, ariaSort } of headingsOf(table))
    if (ariaSort === 'ascending' || ariaSort === 'descending') return { column: cellIndex, order: ariaSort };
  return undefined;
}

function nextOrder(order: string | null): Order | undefined {
  if (order === 'ascending') return 'descending';
  return order === 'descending' ? undefined : 'ascending';
}

function sortTable(table: HTMLTableElement, sorted: Sorted | undefined): void {
  const [body] = table.tBodies;
  if (!body) return;
  for (const heading of headingsOf(table)) {
    if (heading.cellIndex === sorted?.column) heading.ariaSort = sorted.order;
    else heading.removeAttribute('aria-sort');
  }
  const rows = [...body.rows];
  // Stores the original position of each row once, to restore the order.
  for (const [at, row] of rows.entries()) row.dataset.at ??= String(at);
  const written = rows.toSorted((a, b) => Number(a.dataset.at) - Number(b.dataset.at));
  body.append(...(sorted ? inOrder(written, sorted) : written));
}

/** Sorts rows stably, with empty cells last in both directions. */
function inOrder(
  rows: readonly HTMLTableRowElement[],
  { column, order }: Sorted,
): readonly HTMLTableRowElement[] {
  const texts = rows.map(row => row.cells[column]?.textContent.trim() ?? '');
  const compare = comparison(texts);
  const sign = order === 'ascending' ? 1 : -1;
  const full = rows.map((_, at) => at).filter(at => !isEmpty(texts[at]!));
  const empty = rows.filter((_, at) => isEmpty(texts[at]!));
  return [...full.toSorted((a, b) => sign * compare(a, b)).map(at => rows[at]!), ...empty];
}

function comparison(texts: readonly string[]): (a: number, b: number) => number {
  const numbers = numbersIn(texts.map(text => (isEmpty(text) ? '' : text)));
  if (numbers) return (a, b) => numbers[a]! - numbers[b]!;
  const { compare } = new Intl.Collator(languageTag(), { numeric: true });
  return (a, b) => compare(texts[a]!, texts[b]!);
}

function isEmpty(text: string): boolean {
  return /^(?:[-–—]|n\/a)?$/i.test(text);
}
