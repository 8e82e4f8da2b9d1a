import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Possible session folders of this user: of each workspace that VS Code knows, of folderless windows, and of headless
 * runs. Some may not exist.
 *
 * @param own the extension's folder for the workspace: `…/workspaceStorage/<workspace>/<extension>`
 * @param shared its folder for all workspaces
 */
export async function sessionFolders(own: string, shared: string, home: string): Promise<readonly string[]> {
  const workspaces = dirname(dirname(own));
  // With another layout, only the known folders count.
  const isUsual = basename(workspaces) === 'workspaceStorage';
  const names = isUsual ? await readdir(workspaces).catch(() => []) : [];
  const places = [own, ...names.map(name => join(workspaces, name, basename(own))), shared];
  return [...new Set([...places.map(place => join(place, 'sessions')), join(home, '.folio', 'sessions')])];
}
