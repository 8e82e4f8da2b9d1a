import { dirname, join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { t } from '../../../protocol/language.ts';
import { contains } from '../../core/folderPaths.ts';
import type { WorkspacePaths } from '../../core/paths.ts';
import { ToolFailure } from '../../core/tool.ts';
import { FileError, type FileSystem } from '../../platform/fileSystem.ts';

export interface RuledPorts {
  /** Files that `.geminiignore` leaves out are not read by their names either; absent: so it is. */
  readonly heedsGeminiIgnore?: () => boolean;
  readonly files: RuledFiles;
  readonly paths: WorkspacePaths;
}

export type RuledFiles = Pick<FileSystem, 'realPath' | 'stat' | 'readText'>;

/** The rules of one folder's ignore files. */
interface Level {
  readonly folder: string;
  readonly rules: Ignore;
}

/**
 * Which entries of a folder its ignore files leave out, and those of the folders above it up to its workspace root.
 *
 * @param folder absolute and real
 * @param names of the files of rules
 */
export async function readIgnoreRules(
  { files, paths }: RuledPorts,
  folder: string,
  names: readonly string[],
): Promise<(path: string, kind: 'file' | 'directory') => boolean> {
  const root = (await rootOf(paths, folder)) ?? folder;
  const levels = await readLevels(files, foldersUp(folder, root), names);
  return (path, kind) => findIgnoringFolder(levels, path, kind) !== undefined;
}

/**
 * The file whose rules leave out a path or a folder that it lies in; as in git, nothing below such a folder comes
 * back. Rules count from the root of the repository on, also where only a folder of it is open.
 *
 * @param path absolute and real, as the gate gave it
 * @param names of the files of rules, the first counts first
 */
export async function findIgnoreFile(
  ports: RuledPorts,
  path: string,
  kind: 'file' | 'directory',
  names: readonly string[],
): Promise<string | undefined> {
  const root = await rootOf(ports.paths, path);
  if (root === undefined || root === path) return undefined;
  const folders = foldersUp(dirname(path), await repositoryRoot(ports, root));
  const ofNames = await Promise.all(names.map(name => readLevels(ports.files, folders, [name])));
  const entries = foldersUp(path, root).slice(0, -1).reverse();
  for (const entry of entries) {
    for (const [index, name] of names.entries()) {
      const above = ofNames[index]!.filter(({ folder }) => folder !== entry && contains(folder, entry));
      const ignoring = findIgnoringFolder(above, entry, entry === path ? kind : 'directory');
      if (ignoring !== undefined) return join(ignoring, name);
    }
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

/** Refuses files that the person keeps from agents, also when a call names them. Throws `ToolFailure`. */
export async function refuseIgnored(
  ports: RuledPorts,
  path: string,
  kind: 'file' | 'directory',
): Promise<void> {
  const file = await findAgentIgnore(ports, path, kind);
  if (file !== undefined) throw await leftOutBy(ports, path, file);
}

/** @param file of rules, as `findAgentIgnore` found it */
export async function leftOutBy(ports: RuledPorts, path: string, file: string): Promise<ToolFailure> {
  const [shown, rules] = await Promise.all([ports.paths.show(path), ports.paths.show(file)]);
  return new ToolFailure(
    `${shown} is not for agents to read: ${rules} leaves it out. Work without it, or ask the person to change that file.`,
    () => t('Left out by {0}', rules),
  );
}

async function rootOf(paths: WorkspacePaths, path: string): Promise<string | undefined> {
  const roots = await paths.realRoots();
  return roots.filter(each => contains(each, path)).sort((a, b) => b.length - a.length)[0];
}

/** From a folder up to one that it lies in, both included. */
function foldersUp(folder: string, top: string): readonly string[] {
  const up = dirname(folder);
  return folder === top || up === folder ? [folder] : [folder, ...foldersUp(up, top)];
}

/** By workspace root: a repository does not begin elsewhere while its folder is open. */
const repositoryRoots = new WeakMap<WorkspacePaths, Map<string, Promise<string>>>();

function repositoryRoot({ files, paths }: RuledPorts, root: string): Promise<string> {
  const known = repositoryRoots.get(paths) ?? new Map<string, Promise<string>>();
  repositoryRoots.set(paths, known);
  const found = known.get(root) ?? findRepositoryRoot(files, root);
  known.set(root, found);
  // A failed look is not kept.
  found.catch(() => known.delete(root));
  return found;
}

async function findRepositoryRoot(files: RuledFiles, folder: string): Promise<string> {
  for (const each of foldersUp(folder, '')) if (await files.stat(join(each, '.git'))) return each;
  return folder;
}

/** Reads the folders that have rules, in the order of the folders. */
async function readLevels(
  files: Pick<FileSystem, 'readText'>,
  folders: readonly string[],
  names: readonly string[],
): Promise<readonly Level[]> {
  const texts = await Promise.all(
    folders.map(folder => Promise.all(names.map(name => readIfText(files, join(folder, name))))),
  );
  return folders.flatMap((folder, index) => {
    const rules = texts[index]!.filter(text => text !== undefined);
    return rules.length > 0 ? [{ folder, rules: ignore().add(rules.join('\n')) }] : [];
  });
}

/**
 * The folder whose rules have the last word and leave the entry out; as in git, that is the one nearest to it.
 *
 * @param levels the nearest first
 */
function findIgnoringFolder(
  levels: readonly Level[],
  path: string,
  kind: 'file' | 'directory',
): string | undefined {
  for (const level of levels) {
    const inside = relative(level.folder, path).split(sep).join('/');
    const verdict = level.rules.test(kind === 'directory' ? `${inside}/` : inside);
    if (verdict.ignored) return level.folder;
    if (verdict.unignored) return undefined;
  }
  return undefined;
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
