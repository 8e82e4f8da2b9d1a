/* Commands that a user, a workspace or an extension brings as files. */

import { t } from '../../../../protocol/language.ts';
import type { CustomOrigin } from '../../../platform/customizations/customFiles.ts';
import type { Template } from '../template/template.ts';

/** Characters of a description. */
export const descriptionLength = 100;

export function broken(path: string, problem: string): CommandBody {
  return { kind: 'broken', sentence: t('The command {0} {1}. It is ignored.', path, problem) };
}

export interface CustomCommand {
  /** As its file gives it; in a conflict the table gives it another. */
  readonly name: string;
  readonly description: string;
  /** Hints at the argument behind the name. */
  readonly hint?: string;
  readonly origin: CustomOrigin;
  /** Absolute. */
  readonly path: string;
  readonly body: CommandBody;
}

export type CommandBody =
  | {
      readonly kind: 'template';
      readonly template: Template;
      /** Works on the prompt, if it is on offer. */
      readonly model?: string;
      /** Said to the user when it is used. */
      readonly notes: readonly string[];
    }
  /** Why it cannot be used, a sentence. */
  | { readonly kind: 'broken'; readonly sentence: string };
