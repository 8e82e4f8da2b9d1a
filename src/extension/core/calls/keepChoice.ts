import type { PermissionOffer } from '../policy/offers.ts';
import type { Decision } from './approvals.ts';
import type { CallServices } from './calling.ts';

/**
 * Stores a lasting permission. Call it before the decision is emitted, so that listeners find the permission in force.
 */
export async function rememberChoice(
  decision: Decision,
  always: readonly PermissionOffer[],
  { policy, caller }: Pick<CallServices, 'policy' | 'caller'>,
): Promise<void> {
  if (decision.kind !== 'always') return;
  const offer = always.find(({ id }) => id === decision.choice);
  const problem = offer && (await policy.remember(offer));
  if (problem) caller.emit({ type: 'notice.shown', level: 'warning', text: problem });
}
