import { lineHeight } from '../drawing/text.ts';

interface LinesProps {
  readonly lines: readonly string[];
  readonly x: number;
  /** Vertical centre of all lines. */
  readonly y: number;
  readonly class?: string;
}

export function TextLines({ lines, x, y, class: extra = '' }: LinesProps) {
  const first = y - ((lines.length - 1) * lineHeight) / 2;
  return (
    <>
      {lines.map((line, at) => (
        <text key={at} class={`figure-text ${extra}`} x={x} y={first + at * lineHeight}>
          {line}
        </text>
      ))}
    </>
  );
}
