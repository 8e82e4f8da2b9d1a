/** The current folder during the walk, relative to the start of the command; `undefined` if unknown. */
export interface FolderScope {
  path: string | undefined;
}

/**
 * Returns the folder after `cd target`. Keeps `..`, since a symbolic link may lead elsewhere than the names suggest.
 */
export function folderAfterCd(from: string | undefined, target: string | undefined): string | undefined {
  if (target === undefined) return undefined;
  if (/^(?:\/|[A-Za-z]:[\\/])/.test(target)) return target;
  if (from === undefined) return undefined;
  return from === '.' ? target : `${from.replace(/\/$/, '')}/${target}`;
}
