/* `/memory`: the standing instructions that are loaded, one more fact for the user's own, and proposals of sessions. */

import { join } from 'node:path';
import { t } from '../../../../protocol/language.ts';
import { sanitiseFact } from '../../../base/rememberedFacts.ts';
import { FileError } from '../../../platform/fileSystem.ts';
import { describeLoaded, listMemoryFiles } from '../../context/describeMemory.ts';
import { keepFact } from '../../context/inbox/saveEntry.ts';
import { personalName, readMemory } from '../../context/memory.ts';
import type { Command, CommandSurface } from '../commands.ts';
import { family } from '../family.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { inboxWord } from './inboxWord.ts';

export function memoryCommand(): Command {
  return family({
    name: 'memory',
    description: t('Show which memory files are loaded'),
    alone: showMemory,
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
      inboxWord(),
    ],
  });
}

async function showMemory(surface: CommandSurface): Promise<undefined> {
  await surface.views.showMemory();
}

async function refreshMemory(surface: CommandSurface): Promise<undefined> {
  const { blocks, problems } = await readMemory(surface.files, surface.place());
  const paths = [...blocks, ...surface.session.folderMemory()].map(({ path }) => path);
  surface.user.answer(describeLoaded(paths, problems.length));
}

async function listMemory(surface: CommandSurface): Promise<undefined> {
  const memory = await readMemory(surface.files, surface.place());
  await surface.user.show(t('Memory files'), listMemoryFiles(memory, surface.session.folderMemory()));
}

/** The user says it, so nobody is asked. */
async function addToMemory(surface: CommandSurface, words: string): Promise<Refusal | undefined> {
  const fact = sanitiseFact(words);
  if (fact === '') return refuse(t('Say what is to be kept: /memory add FACT.'));
  const path = join(surface.place().home, personalName);
  try {
    const kept = await keepFact(surface, path, fact);
    if (kept.kind === 'refused') return refuse(kept.sentence);
    if (!kept.isNew) return refuse(t('This fact stands in {0} already.', path));
  } catch (error) {
    if (error instanceof FileError) return refuse(t('Nothing was kept: {0}', error.say()));
    throw error;
  }
  surface.user.answer(t('Kept in {0}: {1}', path, fact));
  return undefined;
}
