/* A new file in the editor, filled with an example. Loaded on first use. */

import { homedir } from 'node:os';
import { join } from 'node:path';
import { Uri, window, workspace } from 'vscode';

/**
 * Opens a file below the user's home folder. A file that does not exist yet gets the example, and is written only when
 * the user saves it.
 */
export async function openOrCreate(names: readonly string[], example: string): Promise<void> {
  const uri = Uri.file(join(homedir(), ...names));
  const exists = await workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
  if (exists) return void (await window.showTextDocument(uri));
  const document = await workspace.openTextDocument(uri.with({ scheme: 'untitled' }));
  const editor = await window.showTextDocument(document);
  if (document.getText() === '') await editor.edit(edit => edit.insert(document.positionAt(0), example));
}

/** Without effect on permissions beyond the defaults. */
export const exampleRules = `# Rules for what Folio may do; they count from the next prompt on once this file is saved.
# decision is "allow", "deny" or "ask_user". All keys: docs/permissions.md of Folio.

[[rule]]
toolName = "run_shell_command"
commandPrefix = ["npm test"]
decision = "ask_user"
priority = 100
`;

export const exampleCommand = `# Type /my-command in Folio's prompt to send this. The name of the file is that of the command.

description = "Explains a file"
prompt = """
Explain this in five sentences: {{args}}
"""
`;
