import { type ReadonlySignal, signal, useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { FigureSource } from './findFigure.ts';

type Figures = typeof import('./figure.tsx');

const loaded = signal<Figures | undefined>(undefined);
const figures: ReadonlySignal<Figures | undefined> = loaded;

interface FigureBlockProps {
  readonly source: FigureSource;
  /** The block as code. */
  readonly children: ComponentChildren;
}

/** Shows the source until the code that draws is there: most answers hold no figure. */
export function FigureBlock({ source, children }: FigureBlockProps) {
  const isThere = useComputed(() => figures.value !== undefined).value;
  useEffect(() => {
    if (!isThere) void import('./figure.tsx').then(module => (loaded.value = module));
  }, [isThere]);
  const Figure = figures.value?.Figure;
  return Figure ? <Figure source={source}>{children}</Figure> : children;
}
