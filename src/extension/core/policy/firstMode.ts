import type { ApprovalMode } from '../../../protocol/intentions.ts';

/** The mode that a session begins in. The one that asks for nothing is confirmed first, where somebody is there. */
export function firstMode(intended: ApprovalMode, interactive: boolean): ApprovalMode {
  return interactive && intended === 'yolo' ? 'default' : intended;
}
