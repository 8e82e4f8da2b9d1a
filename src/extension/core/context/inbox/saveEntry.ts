/* Saves an accepted entry: a fact to an instruction file, a skill to a new folder. */

import { dirname, join } from 'node:path';
import { plural, t } from '../../../../protocol/language.ts';
import type { InboxEntry, InboxSkill, InboxTarget } from '../../../../protocol/panel/inbox.ts';
import { addFact, maxFactLength, sanitiseFact } from '../../../base/rememberedFacts.ts';
import { FileError, type FileSystem, utf8Format } from '../../../platform/fileSystem.ts';
import { isFileName } from '../../../platform/settingFiles/settingChecks.ts';
import { folderContains } from '../../folderPaths.ts';
import { savedMemoryFileName } from '../memory.ts';
import type { MemorySources } from '../memoryPlace.ts';

interface SavePorts {
  readonly files: Pick<FileSystem, 'stat' | 'realPath' | 'readText' | 'writeText'>;
  readonly place: () => MemorySources;
}

type SaveResult =
  | { readonly kind: 'saved'; readonly path: string; readonly isNew: boolean }
  | { readonly kind: 'refused'; readonly sentence: string };

/** A fact that the file already contains counts as saved: Folio ended before its entry was removed. */
export async function saveEntry(
  ports: SavePorts,
  entry: InboxEntry,
  target: InboxTarget,
): Promise<SaveResult> {
  const place = ports.place();
  const root = target === 'user' ? dirname(place.home) : place.folders[0];
  if (root === undefined) return refused(t('No folder is open. Choose your own file.'));
  if (!place.trusted)
    return refused(t('The workspace is restricted, so nothing is written. Trust it first.'));
  try {
    return entry.kind === 'fact'
      ? await saveFact(
          ports,
          await factFile(ports, target, root),
          entry.text,
          target === 'user' ? undefined : root,
        )
      : await keepSkill(ports, entry, root);
  } catch (error) {
    if (error instanceof FileError) return refused(t('Nothing was kept: {0}', error.say()));
    throw error;
  }
}

/** Returns the workspace's existing instruction file, or the path for a new one. */
async function factFile({ files, place }: SavePorts, target: InboxTarget, root: string): Promise<string> {
  const { home, names } = place();
  if (target === 'user') return join(home, savedMemoryFileName);
  const paths = [...names.filter(isFileName), savedMemoryFileName].map(name => join(root, name));
  for (const path of paths) if (await files.stat(path)) return path;
  return paths[0]!;
}

/** @param within folder that links must not leave; absent for the user's file, which may lie anywhere */
export async function saveFact(
  { files }: Pick<SavePorts, 'files'>,
  path: string,
  words: string,
  within?: string,
): Promise<SaveResult> {
  const fact = sanitiseFact(words);
  if (fact === '') return refused(t('There is nothing to remember: the text is empty.'));
  if (fact.length > maxFactLength)
    return refused(
      plural(
        fact.length,
        'one: The fact has {0} character, and at most {1} are allowed. Shorten it. | other: The fact has {0} characters, and at most {1} are allowed. Shorten it.',
        maxFactLength,
      ),
    );
  if (within !== undefined && (await leadsOut(files, within, path))) return leading(path);
  const file = (await files.stat(path)) ? await files.readText(path) : undefined;
  const after = addFact(file?.text ?? '', fact);
  const isNew = after !== file?.text;
  if (isNew) await files.writeText(path, after, file?.format ?? utf8Format, file?.text ?? null);
  return { kind: 'saved', path, isNew };
}

async function keepSkill({ files }: SavePorts, skill: InboxSkill, root: string): Promise<SaveResult> {
  if (skill.text.trim() === '') return refused(t('There is nothing to remember: the text is empty.'));
  const path = join(root, '.gemini', 'skills', skill.name, 'SKILL.md');
  if (await leadsOut(files, root, path)) return leading(path);
  if (await files.stat(path)) return refused(t('Nothing was written: {0} already exists.', path));
  await files.writeText(path, skillFile(skill), utf8Format, null);
  return { kind: 'saved', path, isNew: true };
}

async function leadsOut(files: SavePorts['files'], folder: string, path: string): Promise<boolean> {
  return !folderContains(await files.realPath(folder), await files.realPath(path));
}

function leading(path: string): SaveResult {
  return refused(t('Nothing was written: a link leads from {0} to another place.', path));
}

/** JSON strings are valid YAML. */
function skillFile({ name, description, text }: Pick<InboxSkill, 'name' | 'description' | 'text'>): string {
  const head = ['---', `name: ${JSON.stringify(name)}`, `description: ${JSON.stringify(description)}`, '---'];
  return [...head, '', text.trim(), ''].join('\n');
}

function refused(sentence: string): SaveResult {
  return { kind: 'refused', sentence };
}
