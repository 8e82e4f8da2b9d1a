/* `/memory`: shows loaded instruction files, adds a fact to the user's file, and handles proposals of sessions. */

import { join } from 'node:path';
import { t } from '../../../../protocol/language.ts';
import { sanitiseFact } from '../../../base/rememberedFacts.ts';
import { FileError } from '../../../platform/fileSystem.ts';
import { describeLoaded, listMemoryFiles } from '../../context/describeMemory.ts';
import { saveFact } from '../../context/inbox/saveEntry.ts';
import { readMemory, savedMemoryName } from '../../context/memory.ts';
import { Refusal } from '../../refusal.ts';
import { commandFamily } from '../commandFamily.ts';
import type { Command, CommandSurface } from '../commands.ts';
import { inboxSubCommand } from './inboxSubCommand.ts';

export function memoryCommand(): Command {
  return commandFamily({
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

async function refreshMemory(surface: CommandSurface): Promise<void> {
  const { blocks, problems } = await readMemory(surface.files, surface.place());
  const paths = [...blocks, ...surface.session.folderMemory()].map(({ path }) => path);
  surface.user.answer(describeLoaded(paths, problems.length));
}

async function listMemory(surface: CommandSurface): Promise<void> {
  const memory = await readMemory(surface.files, surface.place());
  await surface.user.show(t('Memory files'), listMemoryFiles(memory, surface.session.folderMemory()));
}

/** Asks for no approval, since the user typed it. */
async function addToMemory(surface: CommandSurface, words: string): Promise<void> {
  const fact = sanitiseFact(words);
  if (fact === '') throw new Refusal(t('Add the fact to remember: /memory add FACT.'));
  const path = join(surface.place().home, savedMemoryName);
  try {
    const kept = await saveFact(surface, path, fact);
    if (kept.kind === 'refused') throw new Refusal(kept.sentence);
    if (!kept.isNew) throw new Refusal(t('This fact is already in {0}.', path));
  } catch (error) {
    if (error instanceof FileError) throw new Refusal(t('Nothing was kept: {0}', error.say()));
    throw error;
  }
  surface.user.answer(t('Kept in {0}: {1}', path, fact));
}
