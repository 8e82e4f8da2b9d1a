import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const manifest = {
  name: 'open-panel',
  displayName: 'Opens Folio at the first start',
  publisher: 'folio',
  version: '0.0.0',
  engines: { vscode: '^1.106.0' },
  main: 'extension.js',
  extensionKind: ['workspace'],
  activationEvents: ['onStartupFinished'],
};

const code = `const { commands } = require('vscode');
exports.activate = async ({ workspaceState }) => {
  if (workspaceState.get('opened')) return;
  await commands.executeCommand('folio.focusPanel');
  await workspaceState.update('opened', true);
};
`;

/**
 * Writes an extension into `folder` that opens Folio's panel at the first start, and returns the folder. VS Code shows
 * its own chat in the secondary side bar until a user chooses another view there, and nothing where that is disabled;
 * Folio itself does not run before it is wanted.
 */
export async function writePanelOpener(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  await writeFile(join(folder, 'extension.js'), code);
  return folder;
}
