import type { ApprovalMode } from '../intentions.ts';

/** Descriptions of the modes for the person's choice, in the order in which they are offered. */
export const modeWords: readonly {
  readonly value: ApprovalMode;
  readonly label: string;
  readonly hint: string;
}[] = [
  { value: 'default', label: 'Ask', hint: 'Asks before each change and command' },
  { value: 'autoEdit', label: 'Auto-edit', hint: 'Edits files without asking, asks before commands' },
  { value: 'plan', label: 'Plan', hint: 'Only reads, and plans' },
  { value: 'yolo', label: 'Allow all', hint: 'Asks for nothing' },
];
