import type { CustomOrigin } from '../../../platform/customizations/customFiles.ts';
import type { Parsed } from '../../customizations/files/book.ts';
import type { Customization } from '../../customizations/files/customization.ts';
import { commandName } from './commandName.ts';
import type { CustomCommand } from './customCommand.ts';
import { readMarkdownCommand } from './markdownCommand.ts';
import { readTomlCommand } from './tomlCommand.ts';

/**
 * Reads commands by source and name. When two from one source share a name, the later one counts, in whichever format
 * it is written. Never rejects.
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
