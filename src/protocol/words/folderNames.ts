/*
 * Paths as a user reads them in a workspace of several folders. Between host, page and model a path is relative to
 * the first folder where it lies in it, and absolute in the others, so that tools, commands and hooks understand it.
 * That says too little, or too much, to a user: there a path begins with its folder's name.
 */

/** The last part of a folder's path; `undefined` where another folder is called the same. */
export function nameOfFolder(folder: string, folders: readonly string[]): string | undefined {
  const name = lastPart(folder);
  const isAlone = folders.filter(each => lastPart(each) === name).length === 1;
  return isAlone && name !== '' ? name : undefined;
}

/** The folder of this name. */
export function folderNamed(name: string, folders: readonly string[]): string | undefined {
  return folders.find(folder => nameOfFolder(folder, folders) === name);
}

/** @param path relative to the first folder or absolute */
export function withFolderName(path: string, folders: readonly string[]): string {
  const [first] = folders;
  if (first === undefined || folders.length < 2) return path;
  if (!isAbsolutePath(path)) return joined(nameOfFolder(first, folders) ?? first, path);
  const around = folders.filter(folder => insideOf(folder, path) !== undefined);
  // A folder may lie in another one: the nearest is meant.
  const [folder] = around.sort((one, other) => other.length - one.length);
  const name = folder && nameOfFolder(folder, folders);
  return folder === undefined || name === undefined ? path : joined(name, insideOf(folder, path)!);
}

/** @param path as a model or a user wrote it: it may begin with a folder's name already */
export function writtenWithFolderName(path: string, folders: readonly string[]): string {
  const [start = ''] = path.split(/[\\/]/);
  const isNamed = folders.length > 1 && folderNamed(start, folders) !== undefined;
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

/** A backslash is a letter of a name but on Windows, whose paths begin with a drive or a share. */
function slashed(path: string): string {
  const plain = /^(?:[a-z]:|\\\\)/i.test(path) ? path.replaceAll('\\', '/') : path;
  return plain.replace(/\/+$/, '');
}

function isAbsolutePath(path: string): boolean {
  return /^(?:\/|\\\\|[a-z]:[\\/])/i.test(path);
}
