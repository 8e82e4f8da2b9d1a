/* `/extensions`: lists and changes installed extensions. `/plugin` does the same with Claude Code's subcommands. */

import { t } from '../../../../protocol/language.ts';
import type { Command, SlashSubCommand } from '../commands.ts';
import { commandWithSubCommands } from '../commandWithSubCommands.ts';
import type { ExtensionVerb } from '../extensions/runExtensions.ts';

export function extensionsCommand(): Command {
  return commandWithSubCommands({
    name: 'extensions',
    alone: 'list',
    words: [
      word('list', t('List the extensions of the agent')),
      word(
        'install',
        t('Install one, after showing what it contains'),
        t('folder, Git address or NAME@MARKET'),
      ),
      word('link', t('Use a local folder without a copy, after showing what it contains'), t('folder')),
      word('update', t('Update one, or all'), 'name'),
      word('enable', t('Enable one'), 'name'),
      word('disable', t('Disable one, with --workspace only here'), 'name'),
      { ...word('remove', t('Delete one'), 'name'), aliases: ['uninstall'] },
      word('explore', t('Show where extensions can be found')),
      word(
        'market',
        t('List, add or remove marketplaces of plugins'),
        t('add SOURCE, list NAME or remove NAME'),
      ),
    ],
  });
}

export function pluginCommand(): Command {
  return commandWithSubCommands({
    name: 'plugin',
    alone: { description: t('Install plugins and manage their marketplaces'), run: verb('list') },
    words: [
      word('list', t('List the extensions of the agent')),
      word('install', t('Install one, after showing what it contains'), 'NAME@MARKET'),
      { ...word('remove', t('Delete one'), 'name'), name: 'uninstall' },
      word('update', t('Update one, or all'), 'name'),
      word('enable', t('Enable one'), 'name'),
      word('disable', t('Disable one, with --workspace only here'), 'name'),
      {
        ...word(
          'market',
          t('List, add, update or remove marketplaces of plugins'),
          t('add SOURCE, list NAME, update NAME or remove NAME'),
        ),
        name: 'marketplace',
        aliases: ['market'],
      },
    ],
  });
}

function word(name: ExtensionVerb, description: string, argument?: string): SlashSubCommand {
  return { name, description, argument, run: verb(name) };
}

function verb(name: ExtensionVerb): Command['run'] {
  return async (surface, argument) =>
    (await import('../extensions/runExtensions.ts')).runExtensions(surface, name, argument);
}
