/* Reads files and folders dropped as URIs, as from VS Code's explorer and tabs. */

/** Returns the absolute paths of a drop; empty for other data, such as a link. */
export function pathsIn(data: DataTransfer | null): readonly string[] {
  const own = data?.getData('application/vnd.code.uri-list');
  const list = own || data?.getData('text/uri-list') || '';
  const paths = list.split(/\r?\n/).map(pathOf);
  return [...new Set(paths.filter(path => path !== undefined))];
}

/** Returns the mention of a path; `undefined` outside the workspace folders. */
export function mentionOf(path: string, folders: readonly string[]): string | undefined {
  const [first] = folders;
  const inside = first === undefined ? undefined : relativeTo(first, path);
  if (inside !== undefined) return formatMention(inside);
  return folders.some(folder => relativeTo(folder, path) !== undefined) ? formatMention(path) : undefined;
}

/** Must match `core/mentions/formatMention.ts`, which the host uses. */
export function formatMention(path: string): string {
  const isPlain = /^[\p{L}\p{N}_./@+~=%&$-]+$/u.test(path) && /[\p{L}\p{N}_/]$/u.test(path);
  return isPlain && !/^(problems|terminal|diff)$/.test(path)
    ? `@${path}`
    : `@"${path.replace(/["\\]/g, '\\$&')}"`;
}

function pathOf(line: string): string | undefined {
  try {
    const { protocol, pathname } = new URL(line);
    if (protocol !== 'file:' && protocol !== 'vscode-remote:') return undefined;
    return decodeURIComponent(pathname).replace(/^\/(?=[a-z]:)/i, '');
  } catch {
    // Comments, empty lines and invalid URIs.
    return undefined;
  }
}

/** Returns `.` for the folder itself, `undefined` for paths outside. */
function relativeTo(folder: string, path: string): string | undefined {
  const root = folder.replace(/\\/g, '/').replace(/\/+$/, '');
  const wanted = path.replace(/\/+$/, '');
  const isDrive = /^[a-z]:/i.test(root);
  const same = (text: string) => (isDrive ? text.toLowerCase() : text);
  if (same(wanted) === same(root)) return '.';
  return same(wanted).startsWith(`${same(root)}/`) ? wanted.slice(root.length + 1) : undefined;
}
