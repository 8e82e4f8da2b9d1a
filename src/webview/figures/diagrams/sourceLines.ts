import { t } from '../../../protocol/language.ts';
import { headOf } from '../../../protocol/words/cutText.ts';
import { FigureError } from '../drawing/drawing.ts';

export interface SourceLine {
  readonly text: string;
  /** Line number in the source, from 1. */
  readonly number: number;
}

/** Maximum line length. Limits the time of patterns. */
const longestLine = 1_000;
const mostLines = 3_000;

/** Returns non-empty lines without comments, directives and front matter, whose settings are ignored. */
export function sourceLinesOf(source: string): {
  readonly title: string;
  readonly lines: readonly SourceLine[];
} {
  const blank = (text: string) => text.replace(/[^\n]+/g, '');
  const settings = /^\s*---\r?\n[\s\S]*?\n---(?=\r?\n|$)/.exec(source)?.[0] ?? '';
  const title = /^[ \t]*title:[ \t]*(.+)$/m.exec(settings)?.[1] ?? '';
  const plain = (blank(settings) + source.slice(settings.length)).replace(
    /%%\{(?:(?!%%\{)[\s\S])*?\}%%/g,
    blank,
  );
  const lines = plain
    .split(/\r?\n/)
    .map((text, at) => ({ text: text.replace(/(?:^|\s)%%.*$/, '').trim(), number: at + 1 }))
    .filter(({ text }) => text !== '');
  if (lines.length > mostLines) throw new FigureError(t('The diagram is too large to be drawn.'));
  const long = lines.find(({ text }) => text.length > longestLine);
  if (long) throw new FigureError(t('Line {0} is too long to be drawn.', long.number));
  return { title: plainLabel(title), lines };
}

export function failAtLine({ text, number }: SourceLine): never {
  throw new FigureError(t('Line {0} cannot be read: {1}', number, headOf(text, 60)));
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
  apos: "'",
};

/** Returns a label as plain text, without its markup. */
export function plainLabel(label: string): string {
  return label
    .trim()
    .replace(/^"(.*)"$/s, '$1')
    .replace(/^`(.*)`$/s, '$1')
    .replace(/<br\s*\/?>|\\n/gi, '\n')
    .replace(/<\/?(?:[abipu]|em|strong|small|su[bp]|span|div|font|center|code)(?:\s[^<>]*)?>/gi, '')
    .replace(/\bfa[bsrl]?:fa-[\w-]+\s*/g, '')
    .replace(/[#&](\w+);/g, (whole, name: string) => entities[name] ?? letterOf(name) ?? whole)
    .replace(/\*\*(.+?)\*\*/g, '$1')
    .trim();
}

function letterOf(code: string): string | undefined {
  const number = /^\d{1,6}$/.test(code) ? Number(code) : Number.NaN;
  return number >= 32 && number <= 0xffff ? String.fromCodePoint(number) : undefined;
}
