/* Commands from files of a user, a workspace or an extension. */

import { t } from '../../../../protocol/language.ts';
import type { CustomOrigin } from '../../../platform/customizations/customFiles.ts';
import type { Template } from '../template/template.ts';

/** Characters of a description. */
export const descriptionLength = 100;

export function brokenCommand(path: string, problem: string): CommandBody {
  return { kind: 'broken', sentence: t('The command {0} {1}. It is ignored.', path, problem) };
}

export interface CustomCommand {
  /** The file's name for it. The table renames it in a conflict. */
  readonly name: string;
  readonly description: string;
  /** Hint for the argument after the name. */
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
      /** Used for the prompt, if available. */
      readonly model?: string;
      /** Messages for the user on each use. */
      readonly notes: readonly string[];
    }
  /** A sentence about why it cannot be used. */
  | { readonly kind: 'broken'; readonly sentence: string };
