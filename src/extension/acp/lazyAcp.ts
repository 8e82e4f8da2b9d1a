import { once } from '../base/once.ts';
import type { ExternalAgentLauncher } from '../core/external/externalAgent.ts';
import type { AcpPorts } from './acpAgents.ts';

/** Loads the code for external agents with their first session, since most sessions are Folio's own. */
export function lazyAcp(ports: AcpPorts): ExternalAgentLauncher {
  const load = once(async () => {
    const { AcpAgents } = await import('./acpAgents.ts');
    return new AcpAgents(ports);
  });
  return { open: async (name, place, client, signal) => (await load()).open(name, place, client, signal) };
}
