/* `/extensions`: what is installed, and how it is changed. */

import { t } from '../../../../protocol/language.ts';
import type { Command, SubCommand } from '../commands.ts';
import type { ExtensionVerb } from '../extensions/runExtensions.ts';
import { family } from '../family.ts';

export function extensionsCommand(): Command {
  const list = listInstalled();
  return family({
    name: 'extensions',
    description: list.description,
    alone: list.run,
    words: [
      list,
      word(
        'install',
        t('Install one, after showing what it brings'),
        t('folder, Git address or NAME@MARKET'),
      ),
      word('link', t('Use a folder of yours as it stands, after showing what it brings'), t('folder')),
      word('update', t('Update one, or all'), 'name'),
      word('enable', t('Let one count again'), 'name'),
      word('disable', t('Switch one off, here with --workspace'), 'name'),
      { ...word('remove', t('Delete one'), 'name'), aliases: ['uninstall'] },
      {
        name: 'explore',
        description: t('Show where extensions can be found'),
        run: verb('explore'),
      },
      word(
        'market',
        t('List, add or remove marketplaces of plugins'),
        t('add SOURCE, list NAME or remove NAME'),
      ),
    ],
  });
}

function word(
  name: Exclude<ExtensionVerb, 'list' | 'explore'>,
  description: string,
  argument: string,
): SubCommand {
  return { name, description, argument, run: verb(name) };
}

/** Lists what is installed, for both commands that change it. */
export function listInstalled() {
  return { name: 'list', description: t('List the extensions of the agent'), run: verb('list') } as const;
}

export function verb(name: ExtensionVerb): Command['run'] {
  return async (surface, argument) => {
    const { runExtensions } = await import('../extensions/runExtensions.ts');
    return runExtensions(surface, name, argument);
  };
}
