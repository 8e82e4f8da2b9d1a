import { join } from 'node:path';
import { workspace } from 'vscode';
import type { ServerSettingValues } from '../serverSettings.ts';

/** Reads the setting by scope, since servers of a workspace need consent and must not mix with the user's own. */
export function readServerSettings(): ServerSettingValues {
  const found = workspace.getConfiguration('folio').inspect('mcpServers');
  return {
    user: found?.globalValue,
    workspace: found?.workspaceValue,
    workspacePath: workspacePath(),
  };
}

/** With several folders the settings are in the workspace file. */
function workspacePath(): string | undefined {
  const { workspaceFile, workspaceFolders: folders = [] } = workspace;
  if (workspaceFile) return workspaceFile.fsPath;
  return folders[0] && join(folders[0].uri.fsPath, '.vscode', 'settings.json');
}
