/* `/plugin`: the words that users of Claude Code know, for what `/extensions` does. */

import { t } from '../../../../protocol/language.ts';
import type { Command, SubCommand } from '../commands.ts';
import type { ExtensionVerb } from '../extensions/runExtensions.ts';
import { family } from '../family.ts';
import { listInstalled, verb } from './extensionsCommand.ts';

export function pluginCommand(): Command {
  const list = listInstalled();
  return family({
    name: 'plugin',
    description: t('Install plugins and manage their marketplaces'),
    alone: list.run,
    words: [
      list,
      word('install', 'install', t('Install one, after showing what it brings'), 'NAME@MARKET'),
      word('uninstall', 'remove', t('Delete one'), 'name'),
      word('update', 'update', t('Update one, or all'), 'name'),
      word('enable', 'enable', t('Let one count again'), 'name'),
      word('disable', 'disable', t('Switch one off, here with --workspace'), 'name'),
      {
        ...word(
          'marketplace',
          'market',
          t('List, add, update or remove marketplaces of plugins'),
          t('add SOURCE, list NAME, update NAME or remove NAME'),
        ),
        aliases: ['market'],
      },
    ],
  });
}

function word(name: string, meant: ExtensionVerb, description: string, argument: string): SubCommand {
  return { name, description, argument, run: verb(meant) };
}
