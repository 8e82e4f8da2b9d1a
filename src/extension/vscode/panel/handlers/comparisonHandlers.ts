import type { Comparisons } from '../../features/slashCommands/comparisons.ts';
import type { SomeHandlers } from './panelHandlers.ts';

/** @param load gives the comparison of the window, which is loaded with its first use */
export function handleComparison(load: () => Promise<Comparisons>) {
  return {
    'panel.comparison': async () => (await load()).list(),
    'comparison.take': async ({ sessionId }) => (await load()).take(sessionId),
    'comparison.test': async () => (await load()).runTests(),
    'comparison.discard': async ({ sessionId }) => (await load()).discard(sessionId),
  } satisfies SomeHandlers;
}
