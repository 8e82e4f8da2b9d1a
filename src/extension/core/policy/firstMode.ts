import type { ApprovalMode } from '../../../protocol/events.ts';

/** The mode that a session begins in. The one that asks for nothing is confirmed first, where somebody is there. */
export function firstMode(wished: ApprovalMode, interactive: boolean): ApprovalMode {
  return interactive && wished === 'yolo' ? 'default' : wished;
}
