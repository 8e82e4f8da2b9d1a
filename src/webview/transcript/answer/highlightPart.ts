import { LazyModule } from '../../panel/lazyModule.ts';

/** Loaded with the first code block. */
export const highlighter = new LazyModule(() => import('./highlight.ts'));
