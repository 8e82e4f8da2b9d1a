/* `/memory`: the standing instructions that are loaded, and one more fact for the person's own. */

import { join } from 'node:path';
import { addFact, factLimit, sanitiseFact } from '../../../base/rememberedFacts.ts';
import { plural } from '../../../base/text.ts';
import { FileError, plainText } from '../../../platform/fileSystem.ts';
import { describeLoaded, listMemoryFiles } from '../../context/describeMemory.ts';
import { personalName, readMemory } from '../../context/memory.ts';
import type { CommandSurface } from '../commands.ts';
import { family } from '../family.ts';
import { type Refusal, refuse } from '../refusal.ts';

export const memoryCommand = family({
  name: 'memory',
  description: 'Show which memory files are loaded',
  alone: showMemory,
  words: [
    { name: 'show', description: 'Show which memory files are loaded, and what they say', run: showMemory },
    {
      name: 'add',
      description: 'Keep a fact in your own memory file, for all projects',
      argument: 'fact',
      run: addToMemory,
    },
    {
      name: 'refresh',
      aliases: ['reload'],
      description: 'Read the memory files again',
      run: refreshMemory,
    },
    { name: 'list', description: 'List the memory files that are loaded', run: listMemory },
  ],
});

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
  await surface.person.show('Memory files', listMemoryFiles(memory, surface.session.folderMemory()));
}

/** The person says it, so nobody is asked. */
async function addToMemory(surface: CommandSurface, words: string): Promise<Refusal | undefined> {
  const fact = sanitiseFact(words);
  if (fact === '') return refuse('Say what is to be kept: /memory add FACT.');
  if (fact.length > factLimit)
    return refuse(
      `The fact has ${plural(fact.length, 'character')}, at most ${factLimit} are kept. Say it shorter.`,
    );
  const { files } = surface;
  const path = join(surface.place().home, personalName);
  try {
    const file = (await files.stat(path)) ? await files.readText(path) : undefined;
    const after = addFact(file?.text ?? '', fact);
    if (after === file?.text) return refuse(`This fact stands in ${path} already.`);
    await files.writeText(path, after, file?.format ?? plainText, file?.text ?? null);
  } catch (error) {
    if (error instanceof FileError) return refuse(`Nothing was kept: ${error.message}`);
    throw error;
  }
  surface.person.answer(`Kept in ${path}: ${fact}`);
  return undefined;
}
