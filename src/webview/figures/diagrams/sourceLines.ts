import { t } from '../../../protocol/language.ts';
import { headOf } from '../../../protocol/words/cutText.ts';
import { FigureError } from '../drawing/drawing.ts';

export interface Line {
  readonly text: string;
  /** From 1, in the source as it was written. */
  readonly number: number;
}

/** No diagram that is meant for readers has a longer line, and patterns need time for what they match. */
const longestLine = 1_000;
const mostLines = 3_000;

/** Lines with something in them, without comments, directives and the settings in front: a diagram has our colours. */
export function linesOf(source: string): { readonly title: string; readonly lines: readonly Line[] } {
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
  return { title: textOf(title), lines };
}

export function refuse({ text, number }: Line): never {
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

/** A label as plain text: whatever markup it holds is never markup of ours. */
export function textOf(label: string): string {
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
