import type { SessionStatistics } from '../../features/sessions/sessionStatistics.ts';
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

/** @param load gives the statistics of all sessions, which are loaded with their first use */
export function handleStatistics(load: () => Promise<SessionStatistics>) {
  return {
    'panel.statistics': async ({ days }, page) => page.feed.deliver(await (await load()).describe(days)),
    'statistics.save': async ({ days }) => (await load()).save(days),
  } satisfies SomeHandlers;
}
