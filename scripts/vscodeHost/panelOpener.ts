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
 * Writes an extension into `folder` that opens Folio's panel at the first start, and returns the folder. It is needed
 * since VS Code shows its chat, or nothing, in the secondary side bar until the user chooses another view, and Folio
 * does not activate itself at start.
 */
export async function writePanelOpener(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  await writeFile(join(folder, 'extension.js'), code);
  return folder;
}
