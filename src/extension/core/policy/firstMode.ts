import type { ApprovalMode } from '../../../protocol/intentions.ts';
import type { Settings } from '../../platform/settings.ts';

/** The mode that a session begins in. The one that asks for nothing is confirmed first, where somebody is there. */
export function firstMode(
  settings: Pick<Settings, 'get' | 'restrictions'>,
  interactive: boolean,
): ApprovalMode {
  const intended = settings.get('approvalMode');
  const first = interactive && intended === 'yolo' ? 'default' : intended;
  return nearestMode(first, settings.restrictions?.modes);
}

/** Each lets less run unasked than the one before. Nobody forbids the last, which only reads. */
const byReach: readonly ApprovalMode[] = ['yolo', 'autoEdit', 'default', 'plan'];

/** The mode itself, or the next stricter one. @param allowed the modes that the organisation allows; absent: all */
export function nearestMode(mode: ApprovalMode, allowed: readonly ApprovalMode[] | undefined): ApprovalMode {
  const stricter = byReach.slice(byReach.indexOf(mode));
  return (allowed ? stricter.find(each => allowed.includes(each)) : mode) ?? 'plan';
}
