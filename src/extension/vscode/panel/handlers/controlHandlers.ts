import type { ActiveSession } from '../../activeSession.ts';
import { openPlan } from '../../features/documents/planDocument.ts';
import type { Permissions } from '../../features/permissions.ts';
import type { SomeHandlers } from './panelHandlers.ts';

export function handleControl(session: ActiveSession, permissions: Permissions) {
  return {
    'queue.change': ({ prompt }) => session.present?.changeQueued(prompt),
    'queue.remove': ({ id }) => session.present?.removeQueued(id),
    'queue.sendNow': ({ id }) => session.present?.sendQueuedNow(id),
    'permissions.list': () => permissions.tell(),
    'permission.remove': ({ id }) => permissions.remove(id),
    'plan.open': () => openPlan(session),
  } satisfies SomeHandlers;
}
