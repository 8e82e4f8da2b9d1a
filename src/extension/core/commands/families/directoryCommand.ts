import { dirname, join, resolve } from 'node:path';
import { t } from '../../../../protocol/language.ts';
import { CommandError } from '../../commandError.ts';
import { codeSpan } from '../../export/markdownText.ts';
import type { Command, CommandContext } from '../commands.ts';
import { commandWithSubCommands } from '../commandWithSubCommands.ts';

export function directoryCommand(): Command {
  return commandWithSubCommands({
    name: 'directory',
    aliases: ['dir'],
    alone: 'show',
    words: [
      { name: 'show', description: t('Show the folders that Folio works in'), run: showFolders },
      {
        name: 'add',
        description: t('Add folders, with commas between them'),
        argument: 'path',
        run: addFolders,
      },
    ],
  });
}

async function showFolders(surface: CommandContext): Promise<void> {
  const { folders } = surface.place();
  const lines = folders.map(folder => `- ${codeSpan(folder)}`);
  await surface.user.show(
    t('Folders'),
    `# ${t('Folders')}\n\n${lines.join('\n') || t('No folder is open.')}\n`,
  );
}

/** Adds all of them or none. */
async function addFolders(surface: CommandContext, argument: string): Promise<unknown> {
  const { folders, home } = surface.place();
  const typed = argument
    .split(',')
    .map(path => path.trim().replace(/^(["'])(.+)\1$/, '$2'))
    .filter(path => path !== '');
  if (typed.length === 0) throw new CommandError(t('Add a path: /directory add PATH.'));
  // User memory lies in `.gemini` in the home folder.
  const paths = typed.map(path => toAbsolute(path, folders[0], dirname(home)));
  for (const path of paths) {
    if ((await surface.files.stat(path))?.kind !== 'directory')
      throw new CommandError(t('There is no folder {0}. Give the path of an existing folder.', path));
  }
  const added = [...new Set(paths)].filter(path => !folders.includes(path));
  if (added.length === 0) throw new CommandError(t('Folio works in {0} already.', paths.join(', ')));
  return await surface.session.addFolders(added);
}

function toAbsolute(path: string, base: string | undefined, home: string): string {
  if (path === '~' || path.startsWith('~/')) return join(home, path.slice(1));
  return resolve(base ?? home, path);
}
