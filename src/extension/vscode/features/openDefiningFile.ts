import { commands, Uri, window } from 'vscode';
import { userSettingsPath } from '../serverSettings.ts';

/** Opens the file that defines an item; for VS Code's own settings, these. */
export async function openDefiningFile(path: string): Promise<void> {
  if (path === userSettingsPath) await commands.executeCommand('workbench.action.openSettingsJson');
  else await window.showTextDocument(Uri.file(path));
}
