import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { LatePart } from '../panel/latePart.ts';
import type { FigureSource } from './findFigure.ts';

/** Most answers hold no figure. */
const figures = new LatePart(() => import('./figure.tsx'));

interface FigureBlockProps {
  readonly source: FigureSource;
  /** The block as code. */
  readonly children: ComponentChildren;
}

/** Shows the source until the code that draws is there. */
export function FigureBlock({ source, children }: FigureBlockProps) {
  useEffect(() => void figures.load(), []);
  const Figure = figures.present?.Figure;
  return Figure ? <Figure source={source}>{children}</Figure> : children;
}
