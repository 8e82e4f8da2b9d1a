/* What is known of problems in a real extension host, from a language tool that takes its time. */

import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import { utf8Format } from '../../src/extension/platform/fileSystem.ts';
import { EditorDiagnostics } from '../../src/extension/vscode/ports/editorDiagnostics.ts';
import { EditorFileSystem } from '../../src/extension/vscode/ports/editorFileSystem.ts';
import { VscodeEditor } from '../../src/extension/vscode/ports/vscodeEditor.ts';
import { diagnosticsContract } from '../support/diagnosticsContract.ts';
import type { ApiCase } from './cases.ts';

export const editorDiagnosticsCases: readonly ApiCase[] = diagnosticsContract.map(({ name, run }) => ({
  name,
  async run() {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'folio-problems-')));
    const path = join(folder, 'a.txt');
    await writeFile(path, '{}\n');
    const tool = lookForFaults(path);
    const diagnostics = new EditorDiagnostics();
    const files = new EditorFileSystem(new NodeFileSystem(), new VscodeEditor());
    try {
      await run({
        diagnostics,
        async write(text) {
          await vscode.workspace.openTextDocument(path);
          await files.writeText(path, text, utf8Format);
          return path;
        },
      });
    } finally {
      diagnostics.dispose();
      tool.dispose();
      await rm(folder, { recursive: true, force: true });
    }
  },
}));

/** Reports two commas in a row, a moment after each change of this file. */
function lookForFaults(path: string): vscode.Disposable {
  const found = vscode.languages.createDiagnosticCollection('faults');
  return vscode.Disposable.from(
    found,
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (document.uri.fsPath !== path || contentChanges.length === 0) return;
      const at = document.getText().indexOf(',,');
      const place = document.positionAt(Math.max(0, at));
      const faults = [new vscode.Diagnostic(new vscode.Range(place, place), 'Value expected')];
      setTimeout(() => found.set(document.uri, at < 0 ? [] : faults), 100);
    }),
  );
}
