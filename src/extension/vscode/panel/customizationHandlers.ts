import type { WindowAdditions } from '../features/windowAdditions.ts';
import type { PanelHandlers } from './panelHandlers.ts';

/** What plugs in: servers, subagents, and what a workspace brings. */
export type CustomizationHandlers = Pick<
  PanelHandlers,
  'unseen.decide' | 'agent.stop' | 'mcp.list' | 'mcp.act'
>;

export function handleCustomizations(additions: Pick<WindowAdditions, 'decide'>): CustomizationHandlers {
  return {
    'unseen.decide': ({ allowed }) => additions.decide(allowed),
    'agent.stop': () => undefined,
    'mcp.list': () => undefined,
    'mcp.act': () => undefined,
  };
}
