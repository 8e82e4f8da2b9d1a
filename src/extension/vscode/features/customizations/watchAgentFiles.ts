import { type Uri, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';

/** Folders of a workspace's own customizations. */
const folders = '**/{.gemini,.claude,.agents,.vscode}';

/** Files by extension. A name without extension may be a folder. */
const meant = /(\.(json|toml|md)|\/\.?[^./]+)$/;

/**
 * Calls `refresh` when customization files of a workspace may have changed. If a whole folder appears or disappears, as
 * with another branch, VS Code may not report its files.
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
