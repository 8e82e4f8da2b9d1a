import { LazyPart } from '../../panel/lazyPart.ts';

export type Markdown = typeof import('./markdown.ts');

/** Until it is loaded, answers are plain text. */
export const markdown = new LazyPart(() => import('./markdown.ts'));
