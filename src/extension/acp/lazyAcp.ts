import type { ExternalAgents } from '../core/external/externalAgent.ts';
import type { AcpPorts } from './acpAgents.ts';

/** Most sessions are Folio's own, so what it takes is loaded with the first of another agent. */
export function lazyAcp(ports: AcpPorts): ExternalAgents {
  let loaded: Promise<ExternalAgents> | undefined;
  const load = async () => {
    const { AcpAgents } = await import('./acpAgents.ts');
    return new AcpAgents(ports);
  };
  return {
    open: async (name, place, client, signal) => {
      loaded ??= load();
      return (await loaded).open(name, place, client, signal);
    },
  };
}
