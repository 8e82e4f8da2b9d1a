import { basename, dirname } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { editDistance, textSimilarity } from '../../base/similarity.ts';
import type { WorkspacePaths } from '../../core/paths.ts';
import { ToolFailure } from '../../core/tool.ts';
import type { FileReader } from '../../platform/fileSystem.ts';

/** Describes a missing path: its folder and the most similar names there. */
export async function describeMissingFile(
  ports: { readonly files: FileReader; readonly paths: WorkspacePaths },
  real: string,
): Promise<ToolFailure> {
  const shown = await ports.paths.show(real);
  let folder = dirname(real);
  let name = basename(real);
  while ((await ports.files.stat(folder))?.kind !== 'directory' && dirname(folder) !== folder) {
    name = basename(folder);
    folder = dirname(folder);
  }
  // If a workspace folder itself is missing, its parent must not be listed.
  const entries = await ports.files.list(await ports.paths.resolve(folder, 'read'));
  const near = entries
    .map(entry => ({ ...entry, score: nameLikeness(name.toLowerCase(), entry.name.toLowerCase()) }))
    .filter(entry => entry.score >= 0.3)
    .sort((a, b) => b.score - a.score)
    .slice(0, 5)
    .map(entry => (entry.kind === 'directory' ? `${entry.name}/` : entry.name));
  const where = await ports.paths.show(folder);
  const hint =
    near.length > 0
      ? `The nearest names in ${where}: ${near.join(', ')}.`
      : `Nothing in ${where} has a name like ${name}; use list_directory or glob to find the path.`;
  return new ToolFailure(`${shown} does not exist. ${hint}`, () => t('Not found'));
}

/** Shared letter pairs suit long names. In short names one typo changes all pairs, so edit distance is used there. */
function nameLikeness(a: string, b: string): number {
  const length = Math.max(a.length, b.length);
  return Math.max(textSimilarity(a, b), 1 - editDistance(a, b, length) / length);
}
