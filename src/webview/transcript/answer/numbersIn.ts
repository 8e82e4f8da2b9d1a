/** Factors of units that may be mixed in a column. */
const scales: readonly Readonly<Record<string, number>>[] = [
  { ns: 1e-9, µs: 1e-6, μs: 1e-6, us: 1e-6, ms: 1e-3, s: 1, sec: 1, min: 60, h: 3600, d: 86_400 },
  {
    B: 1,
    KB: 1e3,
    kB: 1e3,
    MB: 1e6,
    GB: 1e9,
    TB: 1e12,
    KiB: 1024,
    MiB: 1024 ** 2,
    GiB: 1024 ** 3,
    TiB: 1024 ** 4,
  },
  { '': 1, k: 1e3, K: 1e3, M: 1e6, G: 1e9, B: 1e9 },
];

const numberPattern = /^[~≈<>≤≥]?\s*([+\-−]?)\s*[$€£¥]?\s*(\d[\d.,'’\u00a0\u202f ]*|[.,]\d+)\s*([^\d\s]*)$/u;

/**
 * Returns the values of a column whose cells are numbers of one kind: `1,204`, `-3.5 %`, `$12`, `900 KB` and `1.2 MB`.
 * Empty cells are NaN. Returns `undefined` if a cell has other text.
 */
export function numbersIn(cells: readonly string[]): readonly number[] | undefined {
  const read = cells.map(cell => (cell === '' ? undefined : readNumber(cell)));
  if (read.some((number, at) => number === undefined && cells[at] !== '')) return undefined;
  const units = new Set(read.flatMap(number => (number ? [number.unit] : [])));
  const scale = units.size <= 1 ? undefined : scales.find(each => [...units].every(unit => unit in each));
  if (units.size === 0 || (units.size > 1 && !scale)) return undefined;
  return read.map(number => (number ? number.value * (scale?.[number.unit] ?? 1) : Number.NaN));
}

function readNumber(text: string): { readonly value: number; readonly unit: string } | undefined {
  const [, sign, written, unit = ''] = numberPattern.exec(text) ?? [];
  if (written === undefined) return undefined;
  const value = Number(plainDigits(written.replace(/['’\s]/g, '')));
  if (Number.isNaN(value)) return undefined;
  return { value: sign === '-' || sign === '−' ? -value : value, unit };
}

/**
 * Normalises separators. If both occur, the last one is the decimal point. A repeated one, or a comma before three
 * digits, separates thousands.
 */
function plainDigits(digits: string): string {
  const comma = digits.lastIndexOf(',');
  const point = digits.lastIndexOf('.');
  if (comma < 0) return digits.indexOf('.') === point ? digits : digits.replaceAll('.', '');
  if (point > comma) return digits.replaceAll(',', '');
  const isFraction = point >= 0 || (digits.indexOf(',') === comma && !/^\d{1,3},\d{3}$/.test(digits));
  return isFraction ? digits.replaceAll('.', '').replace(',', '.') : digits.replaceAll(',', '');
}
