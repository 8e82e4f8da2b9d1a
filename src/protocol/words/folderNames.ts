/*
 * Formats paths for users in a workspace of several folders. Between host, page and model a path is relative to the
 * first folder if inside it, otherwise absolute, as tools, commands and hooks need it. For users it begins with the
 * name of its folder.
 */

/** Returns the base name of a folder; `undefined` if another folder has the same name. */
export function nameOfFolder(folder: string, folders: readonly string[]): string | undefined {
  const name = lastPart(folder);
  const isAlone = folders.filter(each => lastPart(each) === name).length === 1;
  return isAlone && name !== '' ? name : undefined;
}

export function findFolderByName(name: string, folders: readonly string[]): string | undefined {
  return folders.find(folder => nameOfFolder(folder, folders) === name);
}

/** @param path relative to the first folder or absolute */
export function withFolderName(path: string, folders: readonly string[]): string {
  const [first] = folders;
  if (first === undefined || folders.length < 2) return path;
  if (!isAbsolutePath(path)) return joined(nameOfFolder(first, folders) ?? first, path);
  const around = folders.filter(folder => insideOf(folder, path) !== undefined);
  // Folders may be nested. The innermost counts.
  const [folder] = around.sort((one, other) => other.length - one.length);
  const name = folder && nameOfFolder(folder, folders);
  return folder === undefined || name === undefined ? path : joined(name, insideOf(folder, path)!);
}

/** @param path as written by a model or user, possibly with a folder's name already */
export function ensureFolderName(path: string, folders: readonly string[]): string {
  const [start = ''] = path.split(/[\\/]/);
  const isNamed = folders.length > 1 && findFolderByName(start, folders) !== undefined;
  return isNamed ? path : withFolderName(path, folders);
}

function joined(name: string, inside: string): string {
  return inside === '.' || inside === '' ? name : `${name}/${inside}`;
}

function insideOf(folder: string, path: string): string | undefined {
  const [root, wanted] = [slashed(folder), slashed(path)];
  if (wanted === root) return '';
  return wanted.startsWith(`${root}/`) ? wanted.slice(root.length + 1) : undefined;
}

function lastPart(folder: string): string {
  return slashed(folder).split('/').at(-1) ?? '';
}

/** Replaces backslashes in Windows paths, which begin with a drive or a share. Elsewhere they are part of names. */
function slashed(path: string): string {
  const plain = /^(?:[a-z]:|\\\\)/i.test(path) ? path.replaceAll('\\', '/') : path;
  return plain.replace(/\/+$/, '');
}

function isAbsolutePath(path: string): boolean {
  return /^(?:\/|\\\\|[a-z]:[\\/])/i.test(path);
}
