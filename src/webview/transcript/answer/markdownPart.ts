import { LazyModule } from '../../panel/lazyModule.ts';

export type Markdown = typeof import('./markdown.ts');

/** Until it is loaded, answers are plain text. */
export const markdown = new LazyModule(() => import('./markdown.ts'));
