import { dirname, join, relative, resolve, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { t } from '../../../protocol/language.ts';
import { contains } from '../../core/folderPaths.ts';
import type { WorkspacePaths } from '../../core/paths.ts';
import { ToolFailure } from '../../core/tool.ts';
import { type FileSystem, ifReadable } from '../../platform/fileSystem.ts';
import { ignoreText } from '../../platform/patterns/ignoreText.ts';

const fileName = '.geminiignore';

export interface AgentIgnorePorts {
  /** Files that `.geminiignore` leaves out are not read by their names either; absent: so it is. */
  readonly heedsGeminiIgnore?: () => boolean;
  /** Ignore files that settings name, relative to each workspace folder; one listed earlier goes first. */
  readonly ignoreFiles?: () => readonly string[];
}

export interface RuledPorts extends AgentIgnorePorts {
  readonly files: RuledFiles;
  readonly paths: WorkspacePaths;
}

export type RuledFiles = Pick<FileSystem, 'realPath' | 'stat' | 'readText'>;

/** The rules of one folder's `.geminiignore`, or of a file that settings name. */
interface Level {
  readonly file: string;
  readonly folder: string;
  readonly rules: Ignore;
}

/**
 * The ignore file that keeps from agents a path or a folder that it lies in; as in git, nothing below such a folder
 * comes back. Rules count from the root of the repository on, also where only a folder of it is open.
 *
 * @param path absolute and real, as the gate gave it
 */
export async function findAgentIgnore(
  ports: RuledPorts,
  path: string,
  kind: 'file' | 'directory',
): Promise<string | undefined> {
  if (ports.heedsGeminiIgnore?.() === false) return undefined;
  const root = await rootOf(ports.paths, path);
  if (root === undefined || root === path) return undefined;
  const folders = foldersUp(dirname(path), await repositoryRoot(ports, root));
  const levels = await readLevels(ports.files, [
    ...(await customFiles(ports, path)),
    ...folders.map(folder => ({ folder, file: join(folder, fileName) })),
  ]);
  const entries = foldersUp(path, root).slice(0, -1).reverse();
  for (const entry of entries) {
    const above = levels.filter(({ folder }) => folder !== entry && contains(folder, entry));
    const ignoring = findIgnoringFile(above, entry, entry === path ? kind : 'directory');
    if (ignoring !== undefined) return ignoring;
  }
  return undefined;
}

/** Refuses files that the user keeps from agents, also when a call names them. Throws `ToolFailure`. */
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
    `${shown} is not for agents to read: ${rules} leaves it out. Work without it, or ask the user to change that file.`,
    () => t('Excluded by {0}', rules),
  );
}

/** Lists files of the nearest workspace folder first. */
async function customFiles({ paths, ignoreFiles }: RuledPorts, path: string) {
  const names = ignoreFiles?.() ?? [];
  const roots = names.length === 0 ? [] : await rootsOf(paths, path);
  return roots.flatMap(folder => names.map(name => ({ folder, file: resolve(folder, name) })));
}

/** The nearest workspace folder that holds a path. */
export async function rootOf(paths: WorkspacePaths, path: string): Promise<string | undefined> {
  return (await rootsOf(paths, path))[0];
}

async function rootsOf(paths: WorkspacePaths, path: string): Promise<readonly string[]> {
  const roots = await paths.realRoots();
  return roots.filter(each => contains(each, path)).sort((a, b) => b.length - a.length);
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

/** Keeps the order; files that are not there have no rules. */
async function readLevels(
  files: Pick<FileSystem, 'readText'>,
  places: readonly Pick<Level, 'file' | 'folder'>[],
): Promise<readonly Level[]> {
  const texts = await Promise.all(places.map(({ file }) => readIfText(files, file)));
  return places.flatMap((place, index) => {
    const text = texts[index];
    return text === undefined ? [] : [{ ...place, rules: ignore().add(ignoreText(text)) }];
  });
}

/**
 * The file whose rules have the last word and leave the entry out; as in git, that is the one nearest to it.
 *
 * @param levels the nearest first
 */
function findIgnoringFile(
  levels: readonly Level[],
  path: string,
  kind: 'file' | 'directory',
): string | undefined {
  for (const level of levels) {
    const inside = relative(level.folder, path).split(sep).join('/');
    const verdict = level.rules.test(kind === 'directory' ? `${inside}/` : inside);
    if (verdict.ignored) return level.file;
    if (verdict.unignored) return undefined;
  }
  return undefined;
}

/** An ignore file that is missing or cannot be read has no rules. */
async function readIfText(files: Pick<FileSystem, 'readText'>, path: string): Promise<string | undefined> {
  return (await ifReadable(files.readText(path)))?.text;
}
