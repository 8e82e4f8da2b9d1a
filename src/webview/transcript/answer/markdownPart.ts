import { LatePart } from '../../panel/latePart.ts';

export type Markdown = typeof import('./markdown.ts');

/** Until it is loaded, answers are plain text. */
export const markdown = new LatePart(() => import('./markdown.ts'));
