import { dirname, join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { contains } from '../core/paths.ts';
import { FileError, type FileSystem } from '../platform/fileSystem.ts';

/** Tells which entries the ignore files of their folders leave out. */
export interface IgnoreRules {
  ignores(path: string, kind: 'file' | 'directory'): boolean;
}

/**
 * Collects the ignore files named `names` from the folder upward to its workspace root. As in git, the file
 * nearest to an entry has the last word.
 *
 * @param folder absolute
 * @param roots absolute workspace folders
 */
export async function readIgnoreRules(
  files: FileSystem,
  folder: string,
  roots: readonly string[],
  names: readonly string[],
): Promise<IgnoreRules> {
  const levels: { readonly folder: string; readonly rules: Ignore }[] = [];
  const root = roots.filter(each => contains(each, folder)).sort((a, b) => b.length - a.length)[0] ?? folder;
  for (let at = folder; ; at = dirname(at)) {
    const texts = await Promise.all(names.map(name => readIfText(files, join(at, name))));
    const rules = texts.filter(text => text !== undefined);
    if (rules.length > 0) levels.push({ folder: at, rules: ignore().add(rules.join('\n')) });
    if (at === root || dirname(at) === at) break;
  }
  return {
    ignores(path, kind) {
      for (const level of levels) {
        const inside = relative(level.folder, path).split(sep).join('/');
        const verdict = level.rules.test(kind === 'directory' ? `${inside}/` : inside);
        if (verdict.ignored) return true;
        if (verdict.unignored) return false;
      }
      return false;
    },
  };
}

/** An ignore file that is missing or cannot be read has no rules. */
async function readIfText(files: FileSystem, path: string): Promise<string | undefined> {
  try {
    return (await files.readText(path)).text;
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}
