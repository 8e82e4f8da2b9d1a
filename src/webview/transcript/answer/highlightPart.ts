import { LazyPart } from '../../panel/lazyPart.ts';

/** Loaded with the first code block. */
export const highlighter = new LazyPart(() => import('./highlight.ts'));
