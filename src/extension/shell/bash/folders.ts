/** The current folder while the text is walked, as seen from where the command starts; undefined: not known. */
export interface FolderScope {
  path: string | undefined;
}

/** Where `cd target` leads. `..` stays in the text: a link may lead somewhere else than the names say. */
export function moveFolder(from: string | undefined, target: string | undefined): string | undefined {
  if (target === undefined) return undefined;
  if (/^(?:\/|[A-Za-z]:[\\/])/.test(target)) return target;
  if (from === undefined) return undefined;
  return from === '.' ? target : `${from.replace(/\/$/, '')}/${target}`;
}
