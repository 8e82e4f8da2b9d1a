import { commands, Uri, window } from 'vscode';
import { userSettings } from '../serverSettings.ts';

/** Opens the file that defines an item; for VS Code's own settings, these. */
export async function openSource(path: string): Promise<void> {
  if (path === userSettings) await commands.executeCommand('workbench.action.openSettingsJson');
  else await window.showTextDocument(Uri.file(path));
}
