/* Tests that run inside an extension host: in the workbench through the test extension, on a desktop all at once. */

import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { clientCases } from './clientCases.ts';
import { editorDiagnosticsCases } from './editorDiagnostics.ts';
import { editorFileSystemCases } from './editorFileSystem.ts';
import { vscodeDebuggerCases } from './vscodeDebugger.ts';

export interface ApiCase {
  /** A sentence about behaviour. */
  readonly name: string;
  run(): Promise<void>;
}

/** In this order in one window; the first needs one in which Folio was not used yet. */
export const apiCases: readonly ApiCase[] = [
  {
    name: 'Folio is not active before its view or a command is used',
    async run() {
      assert.equal(folio().isActive, false);
    },
  },
  ...editorFileSystemCases,
  ...editorDiagnosticsCases,
  ...vscodeDebuggerCases,
  {
    name: 'every command in the palette is there once Folio is active',
    async run() {
      await folio().activate();
      const contributed: readonly { readonly command: string }[] = folio().packageJSON.contributes.commands;
      const known = new Set(await vscode.commands.getCommands(true));
      const missing = contributed.map(({ command }) => command).filter(command => !known.has(command));
      assert.ok(contributed.length > 0);
      assert.deepEqual(missing, []);
    },
  },
  {
    name: 'every setting has a default and a description',
    async run() {
      const sections: readonly { readonly properties: Record<string, Record<string, unknown>> }[] =
        folio().packageJSON.contributes.configuration;
      for (const [name, setting] of sections.flatMap(({ properties }) => Object.entries(properties))) {
        assert.ok(name.startsWith('folio.'), name);
        assert.ok('default' in setting, `${name} has no default`);
        assert.ok('description' in setting || 'markdownDescription' in setting, `${name} has no description`);
      }
    },
  },
  ...clientCases,
];

function folio(): vscode.Extension<unknown> {
  const extension = vscode.extensions.getExtension('folio.folio');
  assert.ok(extension, 'Folio is not installed');
  return extension;
}
