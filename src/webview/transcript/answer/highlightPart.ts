import { LatePart } from '../../panel/latePart.ts';

/** Comes with the first code block. */
export const highlighter = new LatePart(() => import('./highlight.ts'));
