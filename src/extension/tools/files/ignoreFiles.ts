import { dirname, join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { contains, type WorkspacePaths } from '../../core/paths.ts';
import { ToolFailure } from '../../core/tool.ts';
import { FileError, type FileSystem } from '../../platform/fileSystem.ts';

export interface RuledPorts {
  /** Files that `.geminiignore` leaves out are not read by their names either; absent: so it is. */
  readonly heedsGeminiIgnore?: () => boolean;
  readonly files: RuledFiles;
  readonly paths: WorkspacePaths;
}

export type RuledFiles = Pick<FileSystem, 'realPath' | 'stat' | 'readText'>;

/** Tells which entries the ignore files of their folders leave out. */
export interface IgnoreRules {
  ignores(path: string, kind: 'file' | 'directory'): boolean;
  /** The folder whose file has the last word and leaves the entry out, absolute. */
  findIgnoringFolder(path: string, kind: 'file' | 'directory'): string | undefined;
}

/**
 * Collects the ignore files named `names` from the folder upward to its workspace root. As in git, the file
 * nearest to an entry has the last word.
 *
 * @param folder absolute
 * @param roots absolute workspace folders
 */
export async function readIgnoreRules(
  files: Pick<FileSystem, 'readText'>,
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
  const findIgnoringFolder: IgnoreRules['findIgnoringFolder'] = (path, kind) => {
    for (const level of levels) {
      const inside = relative(level.folder, path).split(sep).join('/');
      const verdict = level.rules.test(kind === 'directory' ? `${inside}/` : inside);
      if (verdict.ignored) return level.folder;
      if (verdict.unignored) return undefined;
    }
    return undefined;
  };
  return {
    ignores: (path, kind) => findIgnoringFolder(path, kind) !== undefined,
    findIgnoringFolder,
  };
}

/**
 * The file whose rules leave out a path or a folder that it lies in; as in git, nothing below such a folder comes
 * back. Rules count from the root of the repository on, also where only a folder of it is open.
 *
 * @param path absolute and real, as the gate gave it
 * @param names of the files of rules, the first counts first
 */
export async function findIgnoreFile(
  { files, paths }: RuledPorts,
  path: string,
  kind: 'file' | 'directory',
  names: readonly string[],
): Promise<string | undefined> {
  const roots = await Promise.all(paths.all.map(root => files.realPath(root)));
  const root = roots.filter(each => contains(each, path)).sort((a, b) => b.length - a.length)[0];
  if (root === undefined || root === path) return undefined;
  const top = await repositoryRoot(files, root);
  const steps = relative(root, path).split(sep);
  let folder = root;
  for (const [index, step] of steps.entries()) {
    const entry = join(folder, step);
    const entryKind = index === steps.length - 1 ? kind : 'directory';
    for (const name of names) {
      const rules = await readIgnoreRules(files, folder, [top], [name]);
      const ignoring = rules.findIgnoringFolder(entry, entryKind);
      if (ignoring !== undefined) return join(ignoring, name);
    }
    folder = entry;
  }
  return undefined;
}

/** The file of rules that keeps a path from agents. */
export async function findAgentIgnore(
  ports: RuledPorts,
  path: string,
  kind: 'file' | 'directory',
): Promise<string | undefined> {
  if (ports.heedsGeminiIgnore?.() === false) return undefined;
  return findIgnoreFile(ports, path, kind, ['.geminiignore']);
}

/** What the person keeps from agents is not read, also by one that names it. Throws `ToolFailure`. */
export async function refuseIgnored(
  ports: RuledPorts,
  path: string,
  kind: 'file' | 'directory',
): Promise<void> {
  const file = await findAgentIgnore(ports, path, kind);
  if (file === undefined) return;
  const [shown, rules] = await Promise.all([ports.paths.show(path), ports.paths.show(file)]);
  throw new ToolFailure(
    `${shown} is not for agents to read: ${rules} leaves it out. Work without it, or ask the person to change that file.`,
    `Left out by ${rules}`,
  );
}

async function repositoryRoot(files: RuledFiles, folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    if (await files.stat(join(at, '.git'))) return at;
    if (dirname(at) === at) return folder;
  }
}

/** An ignore file that is missing or cannot be read has no rules. */
async function readIfText(files: Pick<FileSystem, 'readText'>, path: string): Promise<string | undefined> {
  try {
    return (await files.readText(path)).text;
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}
