/* `/extensions`: what is installed, and how it is changed. */

import type { Command, SubCommand } from '../commands.ts';
import type { ExtensionVerb } from '../extensions/runExtensions.ts';
import { family } from '../family.ts';

const list = { name: 'list', description: 'List the extensions of the agent', run: verb('list') } as const;

export const extensionsCommand = family({
  name: 'extensions',
  description: list.description,
  alone: list.run,
  words: [
    list,
    word('install', 'Install one, after showing what it brings', 'folder, Git address or NAME@MARKET'),
    word('update', 'Fetch one anew, or all', 'name'),
    word('enable', 'Let one count again', 'name'),
    word('disable', 'Switch one off, here with --workspace', 'name'),
    word('remove', 'Delete one', 'name'),
    word('market', 'List, add or remove marketplaces of plugins', 'add SOURCE, list NAME or remove NAME'),
  ],
});

function word(name: Exclude<ExtensionVerb, 'list'>, description: string, argument: string): SubCommand {
  return { name, description, argument, run: verb(name) };
}

function verb(name: ExtensionVerb): Command['run'] {
  return async (surface, argument) => {
    const { runExtensions } = await import('../extensions/runExtensions.ts');
    return runExtensions(surface, name, argument);
  };
}
