import type { ApprovalMode } from '../intentions.ts';
import { t } from '../language.ts';

/** Descriptions of approval modes, in the order of the picker. */
export const modeWords = (): readonly {
  readonly value: ApprovalMode;
  readonly label: string;
  readonly hint: string;
}[] => [
  { value: 'default', label: t('Ask first'), hint: t('Asks before each change and command') },
  { value: 'autoEdit', label: t('Auto-edit'), hint: t('Edits files without asking, asks before commands') },
  { value: 'plan', label: t('Plan'), hint: t('Only reads and plans') },
  { value: 'yolo', label: t('Allow all'), hint: t('Never asks') },
];
