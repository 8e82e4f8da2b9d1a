import { dirname, join, relative, resolve, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { t } from '../../../protocol/language.ts';
import { folderContains } from '../../core/folderPaths.ts';
import type { WorkspacePaths } from '../../core/paths.ts';
import { ToolFailure } from '../../core/tool.ts';
import { type FileSystem, ifReadable } from '../../platform/fileSystem.ts';
import { dropLongLines } from '../../platform/patterns/dropLongLines.ts';

const fileName = '.geminiignore';

export interface AgentIgnorePorts {
  /** Returns true if files in `.geminiignore` must not be read by name either. True by default. */
  readonly heedsGeminiIgnore?: () => boolean;
  /** Ignore files from the settings, relative to each workspace folder. Earlier ones take precedence. */
  readonly ignoreFiles?: () => readonly string[];
}

export interface IgnoreRulePorts extends AgentIgnorePorts {
  readonly files: IgnoreRuleFiles;
  readonly paths: WorkspacePaths;
}

export type IgnoreRuleFiles = Pick<FileSystem, 'realPath' | 'stat' | 'readText'>;

/** The rules of one folder's `.geminiignore`, or of a file from the settings. */
interface Level {
  readonly file: string;
  readonly folder: string;
  readonly rules: Ignore;
}

/**
 * Returns the ignore file that hides a path or one of its parent folders from agents. As in Git, nothing below such a
 * folder is included again. Rules apply from the repository's root, even if only a subfolder is open.
 *
 * @param path absolute and real
 */
export async function findIgnoreFileHiding(
  ports: IgnoreRulePorts,
  path: string,
  kind: 'file' | 'directory',
): Promise<string | undefined> {
  if (ports.heedsGeminiIgnore?.() === false) return undefined;
  const root = await workspaceRootOf(ports.paths, path);
  if (root === undefined || root === path) return undefined;
  const folders = foldersUp(dirname(path), await repositoryRoot(ports, root));
  const levels = await readLevels(ports.files, [
    ...(await customFiles(ports, path)),
    ...folders.map(folder => ({ folder, file: join(folder, fileName) })),
  ]);
  const entries = foldersUp(path, root).slice(0, -1).reverse();
  for (const entry of entries) {
    const above = levels.filter(({ folder }) => folder !== entry && folderContains(folder, entry));
    const ignoring = findIgnoringFile(above, entry, entry === path ? kind : 'directory');
    if (ignoring !== undefined) return ignoring;
  }
  return undefined;
}

/**
 * Throws a `ToolFailure` for a file that `.geminiignore` or an ignore file of the settings hides from agents.
 * `.gitignore` does not count: a call that names a file may read it.
 */
export async function refuseAgentIgnored(
  ports: IgnoreRulePorts,
  path: string,
  kind: 'file' | 'directory',
): Promise<void> {
  const file = await findIgnoreFileHiding(ports, path, kind);
  if (file !== undefined) throw await ignoredFileFailure(ports, path, file);
}

/** @param file of rules, from `findIgnoreFileHiding` */
export async function ignoredFileFailure(
  ports: IgnoreRulePorts,
  path: string,
  file: string,
): Promise<ToolFailure> {
  const [shown, rules] = await Promise.all([ports.paths.show(path), ports.paths.show(file)]);
  return new ToolFailure(
    `${shown} is not for agents to read: ${rules} leaves it out. Work without it, or ask the user to change that file.`,
    () => t('Excluded by {0}', rules),
  );
}

/** Returns files of the nearest workspace folder first. */
async function customFiles({ paths, ignoreFiles }: IgnoreRulePorts, path: string) {
  const names = ignoreFiles?.() ?? [];
  const roots = names.length === 0 ? [] : await rootsOf(paths, path);
  return roots.flatMap(folder => names.map(name => ({ folder, file: resolve(folder, name) })));
}

/** Returns the innermost workspace folder that contains a path. */
export async function workspaceRootOf(paths: WorkspacePaths, path: string): Promise<string | undefined> {
  return (await rootsOf(paths, path))[0];
}

async function rootsOf(paths: WorkspacePaths, path: string): Promise<readonly string[]> {
  const roots = await paths.realRoots();
  return roots.filter(each => folderContains(each, path)).sort((a, b) => b.length - a.length);
}

/** Returns the folders from `folder` up to `top`, both inclusive. */
function foldersUp(folder: string, top: string): readonly string[] {
  const up = dirname(folder);
  return folder === top || up === folder ? [folder] : [folder, ...foldersUp(up, top)];
}

/** Cached by workspace root: a repository's root does not change while its folder is open. */
const repositoryRoots = new WeakMap<WorkspacePaths, Map<string, Promise<string>>>();

function repositoryRoot({ files, paths }: IgnoreRulePorts, root: string): Promise<string> {
  const known = repositoryRoots.get(paths) ?? new Map<string, Promise<string>>();
  repositoryRoots.set(paths, known);
  const found = known.get(root) ?? findRepositoryRoot(files, root);
  known.set(root, found);
  // Failures are not cached.
  found.catch(() => known.delete(root));
  return found;
}

async function findRepositoryRoot(files: IgnoreRuleFiles, folder: string): Promise<string> {
  for (const each of foldersUp(folder, '')) if (await files.stat(join(each, '.git'))) return each;
  return folder;
}

/** Preserves the order. Missing files have no rules. */
async function readLevels(
  files: Pick<FileSystem, 'readText'>,
  places: readonly Pick<Level, 'file' | 'folder'>[],
): Promise<readonly Level[]> {
  const texts = await Promise.all(places.map(({ file }) => readIfText(files, file)));
  return places.flatMap((place, index) => {
    const text = texts[index];
    return text === undefined ? [] : [{ ...place, rules: ignore().add(dropLongLines(text)) }];
  });
}

/**
 * Returns the deciding file if it excludes the entry. As in Git, the nearest file decides.
 *
 * @param levels nearest first
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

/** An ignore file that is missing or unreadable has no rules. */
async function readIfText(files: Pick<FileSystem, 'readText'>, path: string): Promise<string | undefined> {
  return (await ifReadable(files.readText(path)))?.text;
}
