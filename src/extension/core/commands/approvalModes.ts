import type { ApprovalMode } from '../../../protocol/intentions.ts';

/** Names that users type, as in settings and the panel, without case, blanks and hyphens. */
const names: ReadonlyMap<string, ApprovalMode> = new Map([
  ['default', 'default'],
  ['ask', 'default'],
  ['autoedit', 'autoEdit'],
  ['plan', 'plan'],
  ['yolo', 'yolo'],
  ['allowall', 'yolo'],
]);

export function parseMode(text: string): ApprovalMode | undefined {
  return names.get(text.toLowerCase().replace(/[\s_-]+/g, ''));
}
