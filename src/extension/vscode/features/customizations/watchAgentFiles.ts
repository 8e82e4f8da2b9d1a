import { type Uri, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';

/** Where a workspace's own files stand. */
const folders = '**/{.gemini,.claude,.agents,.vscode}';

/** Files by their endings; a name without one may be a folder's. */
const meant = /(\.(json|toml|md)|\/\.?[^./]+)$/;

/**
 * Calls `refresh` when files that a workspace brings for agents may be others. When a folder comes or goes as a
 * whole, as with another branch, VS Code may tell of it without a word about the files in it.
 */
export function watchAgentFiles(refresh: () => void): Disposable {
  const store = new DisposableStore();
  const scan = ({ path }: Uri) => {
    if (meant.test(path)) refresh();
  };
  for (const pattern of [folders, `${folders}/**`]) {
    const watcher = store.add(workspace.createFileSystemWatcher(pattern));
    store.add(watcher.onDidChange(scan));
    store.add(watcher.onDidCreate(scan));
    store.add(watcher.onDidDelete(scan));
  }
  return store;
}
