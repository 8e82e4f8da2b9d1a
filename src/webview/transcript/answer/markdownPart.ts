import { LatePart } from '../../panel/latePart.ts';

export type Markdown = typeof import('./markdown.ts');

/** Until it is there, answers are shown as plain text. */
export const markdown = new LatePart(() => import('./markdown.ts'));
