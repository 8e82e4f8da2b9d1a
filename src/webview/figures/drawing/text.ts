/* Measures and wraps text of figures. */

const fontSize = 12;
export const lineHeight = 16;

/** Maximum characters of a label. */
const longestLabel = 300;

/** Returns the width of a text in pixels. */
export type MeasureText = (text: string) => number;

export function textMeasurer(): MeasureText {
  const context = document.createElement('canvas').getContext('2d');
  const { fontFamily } = getComputedStyle(document.body);
  if (context) context.font = [`${fontSize}px`, fontFamily].join(' ');
  return text => context?.measureText(text).width ?? text.length * 7;
}

/** Wraps text to about this width. Longer words are not broken, up to a limit. */
export function wrapText(text: string, width: number, measure: MeasureText): readonly string[] {
  const lines: string[] = [];
  for (const written of Array.from(text).slice(0, longestLabel).join('').split('\n')) {
    let line = '';
    for (const word of written.split(/\s+/).flatMap(cutWord)) {
      const longer = line ? `${line} ${word}` : word;
      if (line && measure(longer) > width) {
        lines.push(line);
        line = word;
      } else line = longer;
    }
    lines.push(line);
  }
  return lines;
}

function cutWord(word: string): readonly string[] {
  return word.match(/.{1,40}/gu) ?? [''];
}

export function widthOf(lines: readonly string[], measure: MeasureText): number {
  return Math.max(0, ...lines.map(measure));
}
