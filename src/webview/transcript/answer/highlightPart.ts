import { LatePart } from '../../panel/latePart.ts';

/** Loaded with the first code block. */
export const highlighter = new LatePart(() => import('./highlight.ts'));
