/* Commands that a person, a workspace or an extension brings as files. */

import type { CustomOrigin } from '../../../platform/customizations/customFiles.ts';
import type { Parsed } from '../../customizations/files/book.ts';
import type { Customization } from '../../customizations/files/customization.ts';
import type { Template } from '../template/template.ts';
import { commandName } from './commandName.ts';
import { readMarkdownCommand } from './markdownCommand.ts';
import { readTomlCommand } from './tomlCommand.ts';

export interface CustomCommand {
  /** As its file gives it; in a conflict the table gives it another. */
  readonly name: string;
  readonly description: string;
  /** What may follow the name. */
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
      /** Said to the person when it is used. */
      readonly notes: readonly string[];
    }
  /** Why it cannot be used, a sentence. */
  | { readonly kind: 'broken'; readonly sentence: string };

/**
 * Of two with one name from one source the later one of the list counts, whatever their dialects. Entries go by source
 * and name. Never rejects.
 */
export async function readCustomCommands(items: readonly Customization[]): Promise<Parsed<CustomCommand>> {
  const entries = new Map<string, CustomCommand>();
  for (const item of items) {
    const name = commandName(item.name);
    const command = await (item.format === 'toml' ? readTomlCommand : readMarkdownCommand)(item, name);
    entries.set(`${sourceOf(item.origin)} ${name}`, command);
  }
  const problems = [...entries.values()].flatMap(({ body }) =>
    body.kind === 'broken' ? [body.sentence] : [],
  );
  return { entries, problems };
}

function sourceOf(origin: CustomOrigin): string {
  return origin.kind === 'extension' ? `extension:${origin.name}` : origin.kind;
}
