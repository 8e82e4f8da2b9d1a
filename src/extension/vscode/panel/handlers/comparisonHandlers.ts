import type { WindowMcpApps } from '../../features/customizations/windowMcpApps.ts';
import type { SessionStatistics } from '../../features/sessions/sessionStatistics.ts';
import type { ComparisonRunner } from '../../features/slashCommands/comparisonRunner.ts';
import type { PromptCommands } from '../../features/slashCommands/promptCommands.ts';
import type { PanelView } from '../panelView.ts';
import type { SomeHandlers } from './panelHandlers.ts';

/** @param load loads the window's comparison on first use */
export function comparisonHandlers(load: () => Promise<ComparisonRunner>) {
  return {
    'panel.comparison': async () => (await load()).list(),
    'comparison.take': async ({ sessionId }) => (await load()).take(sessionId),
    'comparison.test': async () => (await load()).runTests(),
    'comparison.discard': async ({ sessionId }) => (await load()).discard(sessionId),
  } satisfies SomeHandlers;
}

/** Rarely opened parts. */
interface Seldom {
  statistics(): SessionStatistics;
  apps(panel: PanelView): WindowMcpApps;
  removeServer(slashCommands: PromptCommands, name: string): Promise<void>;
}

/** @param load loads statistics and MCP apps on first use */
export function statisticsAndAppHandlers(
  load: () => Promise<Seldom>,
  panel: PanelView,
  promptCommands: PromptCommands,
) {
  const apps = async () => (await load()).apps(panel);
  return {
    'panel.statistics': async ({ days }, page) =>
      page.feed.deliver(await (await load()).statistics().describe(days)),
    'statistics.save': async ({ days }) => (await load()).statistics().save(days),
    'mcp.remove': async ({ server }) => (await load()).removeServer(promptCommands, server),
    'panel.app': async ({ callId, hosts }, page) => (await apps()).show(page, callId, hosts),
    'panel.appSent': async ({ app, text }, page) => (await apps()).take(page, app, text),
    'panel.appLeftOut': async ({ app }, page) => (await apps()).leaveOut(page, app),
  } satisfies SomeHandlers;
}
