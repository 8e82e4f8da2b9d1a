import { join } from 'node:path';
import { workspace } from 'vscode';
import type { ServerSettingValues } from '../serverSettings.ts';

/** By place, since what a workspace names must be seen first and is not to be mixed with the user's own. */
export function readServerSettings(): ServerSettingValues {
  const found = workspace.getConfiguration('folio').inspect('mcpServers');
  return {
    user: found?.globalValue,
    workspace: found?.workspaceValue,
    workspacePath: workspacePath(),
  };
}

/** With several folders the settings stand in the file that names them. */
function workspacePath(): string | undefined {
  const { workspaceFile, workspaceFolders: folders = [] } = workspace;
  if (workspaceFile) return workspaceFile.fsPath;
  return folders[0] && join(folders[0].uri.fsPath, '.vscode', 'settings.json');
}
