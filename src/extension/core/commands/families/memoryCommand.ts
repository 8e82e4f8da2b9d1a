/* `/memory`: shows loaded instruction files, adds a fact to the user's file, and handles proposals of sessions. */

import { join } from 'node:path';
import { t } from '../../../../protocol/language.ts';
import { sanitiseFact } from '../../../base/rememberedFacts.ts';
import { FileError } from '../../../platform/fileSystem.ts';
import { CommandError } from '../../commandError.ts';
import { describeLoaded, listMemoryFiles } from '../../context/describeMemory.ts';
import { saveFact } from '../../context/inbox/saveEntry.ts';
import { readMemory, savedMemoryFileName } from '../../context/memory.ts';
import type { Command, CommandContext } from '../commands.ts';
import { commandWithSubCommands } from '../commandWithSubCommands.ts';
import { inboxSubCommand } from './inboxSubCommand.ts';

export function memoryCommand(): Command {
  return commandWithSubCommands({
    name: 'memory',
    alone: { description: t('Show which memory files are loaded'), run: showMemory },
    words: [
      {
        name: 'show',
        description: t('Show which memory files are loaded, and what they say'),
        run: showMemory,
      },
      {
        name: 'add',
        description: t('Keep a fact in your own memory file, for all projects'),
        argument: 'fact',
        run: addToMemory,
      },
      {
        name: 'refresh',
        aliases: ['reload'],
        description: t('Read the memory files again'),
        run: refreshMemory,
      },
      { name: 'list', description: t('List the memory files that are loaded'), run: listMemory },
      inboxSubCommand(),
    ],
  });
}

const showMemory: Command['run'] = surface => surface.views.showMemory();

async function refreshMemory(surface: CommandContext): Promise<void> {
  const { blocks, problems } = await readMemory(surface.files, surface.place());
  const paths = [...blocks, ...surface.session.folderMemory()].map(({ path }) => path);
  surface.user.answer(describeLoaded(paths, problems.length));
}

async function listMemory(surface: CommandContext): Promise<void> {
  const memory = await readMemory(surface.files, surface.place());
  await surface.user.show(t('Memory files'), listMemoryFiles(memory, surface.session.folderMemory()));
}

/** Asks for no approval, since the user typed it. */
async function addToMemory(surface: CommandContext, words: string): Promise<void> {
  const fact = sanitiseFact(words);
  if (fact === '') throw new CommandError(t('Add the fact to remember: /memory add FACT.'));
  const path = join(surface.place().home, savedMemoryFileName);
  try {
    const kept = await saveFact(surface, path, fact);
    if (kept.kind === 'refused') throw new CommandError(kept.sentence);
    if (!kept.isNew) throw new CommandError(t('This fact is already in {0}.', path));
  } catch (error) {
    if (error instanceof FileError) throw new CommandError(t('Nothing was kept: {0}', error.say()));
    throw error;
  }
  surface.user.answer(t('Kept in {0}: {1}', path, fact));
}
