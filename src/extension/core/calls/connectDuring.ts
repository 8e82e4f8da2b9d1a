/* A command that runs in the sandbox wants hosts that nobody granted: the policy says whether it may, or the user. */

import { inEnglish } from '../../../protocol/language.ts';
import { showHidden } from '../../base/hiddenText.ts';
import type { HostAnswer } from '../../platform/sandbox.ts';
import { askAtWork } from './askDuring.ts';
import type { AdmittedCall } from './call.ts';
import type { Calling } from './calling.ts';

/** Rejects with the reason of `withdrawn` or of the end of the call. */
export async function connectDuring(
  { open, tool: { name, effect }, prepared: { target }, input: args }: AdmittedCall,
  hosts: readonly string[],
  calling: Calling,
  withdrawn: AbortSignal,
): Promise<HostAnswer> {
  const { policy, caller } = calling;
  if (target?.kind !== 'command') return { kind: 'refused', why: 'This is no command.' };
  const { mode, agent } = caller;
  const query = { tool: name, effect, target, args, mode: mode(), agent };
  const settle = async (): Promise<HostAnswer> => {
    const verdict = await policy.classifyHosts(query, hosts);
    if (verdict.kind === 'allow') return { kind: 'granted' };
    if (verdict.kind === 'deny') return { kind: 'refused', why: inEnglish(verdict.reason) };
    const { reason, always } = verdict;
    const subject = { kind: 'connect', hosts: hosts.map(showHidden), command: target.command } as const;
    const decision = await askAtWork(open, { reason, subject, always }, calling, withdrawn);
    if (decision.kind !== 'deny') return { kind: 'granted' };
    const said = decision.reason?.trim();
    const because = said ? ` They said: ${said}` : '';
    return {
      kind: 'refused',
      why: `The user did not let this command connect to ${hosts.join(', ')}.${because}`,
    };
  };
  // The answer to another agent's command may meanwhile cover this one, too.
  return caller.beside ? await caller.beside.ask(settle) : await settle();
}
