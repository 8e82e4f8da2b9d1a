import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { LazyModule } from '../panel/lazyModule.ts';
import type { FigureSource } from './findFigure.ts';

/** Loaded on demand, since most answers have no figure. */
const figures = new LazyModule(() => import('./figure.tsx'));

interface FigureBlockProps {
  readonly source: FigureSource;
  /** The block as code. */
  readonly children: ComponentChildren;
}

/** Shows the source until the drawing code is loaded. */
export function FigureBlock({ source, children }: FigureBlockProps) {
  useEffect(() => void figures.load(), []);
  const Figure = figures.present?.Figure;
  return Figure ? <Figure source={source}>{children}</Figure> : children;
}
