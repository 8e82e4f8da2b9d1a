import { once } from '../base/once.ts';
import type { RemoteAgentClient } from '../core/agents/remote/remoteAgents.ts';
import type { Machine } from '../platform/machine.ts';
import type { A2aPorts } from './agentConnection.ts';

type A2aHost = Pick<A2aPorts, 'transport' | 'clock'> & { readonly machine: Pick<Machine, 'env'> };

/** Loads the code for remote agents on first use, since most runs have none. */
export function lazyA2a({ transport, clock, machine }: A2aHost): RemoteAgentClient {
  const load = once(async () => {
    const { A2aAgents } = await import('./a2aAgents.ts');
    return new A2aAgents({ transport, clock, env: machine.env });
  });
  return { send: async (message, signal) => (await load()).send(message, signal) };
}
