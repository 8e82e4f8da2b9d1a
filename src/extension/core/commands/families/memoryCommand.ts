/* `/memory`: the standing instructions that are loaded, and one more fact for the person's own. */

import { join } from 'node:path';
import { plural, t } from '../../../../protocol/language.ts';
import { addFact, factLimit, sanitiseFact } from '../../../base/rememberedFacts.ts';
import { FileError, plainText } from '../../../platform/fileSystem.ts';
import { describeLoaded, listMemoryFiles } from '../../context/describeMemory.ts';
import { personalName, readMemory } from '../../context/memory.ts';
import type { Command, CommandSurface } from '../commands.ts';
import { family } from '../family.ts';
import { type Refusal, refuse } from '../refusal.ts';

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
    ],
  });
}

async function showMemory(surface: CommandSurface): Promise<undefined> {
  await surface.views.showMemory();
}

async function refreshMemory(surface: CommandSurface): Promise<undefined> {
  const { blocks, problems } = await readMemory(surface.files, surface.place());
  const paths = [...blocks, ...surface.session.folderMemory()].map(({ path }) => path);
  surface.person.answer(describeLoaded(paths, problems.length));
}

async function listMemory(surface: CommandSurface): Promise<undefined> {
  const memory = await readMemory(surface.files, surface.place());
  await surface.person.show(t('Memory files'), listMemoryFiles(memory, surface.session.folderMemory()));
}

/** The person says it, so nobody is asked. */
async function addToMemory(surface: CommandSurface, words: string): Promise<Refusal | undefined> {
  const fact = sanitiseFact(words);
  if (fact === '') return refuse(t('Say what is to be kept: /memory add FACT.'));
  if (fact.length > factLimit)
    return refuse(
      plural(
        fact.length,
        'one: The fact has {0} character, at most {1} are kept. Say it shorter. | other: The fact has {0} characters, at most {1} are kept. Say it shorter.',
        factLimit,
      ),
    );
  const { files } = surface;
  const path = join(surface.place().home, personalName);
  try {
    const file = (await files.stat(path)) ? await files.readText(path) : undefined;
    const after = addFact(file?.text ?? '', fact);
    if (after === file?.text) return refuse(t('This fact stands in {0} already.', path));
    await files.writeText(path, after, file?.format ?? plainText, file?.text ?? null);
  } catch (error) {
    if (error instanceof FileError) return refuse(t('Nothing was kept: {0}', error.say()));
    throw error;
  }
  surface.person.answer(t('Kept in {0}: {1}', path, fact));
  return undefined;
}
