import type { ApprovalMode } from '../../../protocol/intentions.ts';
import type { Settings } from '../../platform/settings.ts';

/** Returns the mode that a session starts in. The mode that never asks needs confirmation if a user is present. */
export function initialMode(
  settings: Pick<Settings, 'get' | 'restrictions'>,
  interactive: boolean,
): ApprovalMode {
  const intended = settings.get('approvalMode');
  const first = interactive && intended === 'yolo' ? 'default' : intended;
  return nearestMode(first, settings.restrictions?.modes);
}

/** From the most to the least permissive. The last only reads and is always allowed. */
const byReach: readonly ApprovalMode[] = ['yolo', 'autoEdit', 'default', 'plan'];

/** Returns the mode, or the next stricter allowed one. @param allowed modes of the organisation; absent: all */
export function nearestMode(mode: ApprovalMode, allowed: readonly ApprovalMode[] | undefined): ApprovalMode {
  const stricter = byReach.slice(byReach.indexOf(mode));
  return (allowed ? stricter.find(each => allowed.includes(each)) : mode) ?? 'plan';
}
