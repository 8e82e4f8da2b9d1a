/* A language server whose problems come late: each file in its own time, and those of an older text too, but in order. */

import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { chanceFrom } from '../../../support/runSize.ts';

let running: vscode.Disposable | undefined;

/** As an extension that goes away. */
export function findNothing(): void {
  running?.dispose();
  running = undefined;
}

export function findLate(seed: number, slowest: number): void {
  findNothing();
  const chance = chanceFrom(seed);
  const found = vscode.languages.createDiagnosticCollection('late');
  const newest = new Map<string, number>();
  let texts = 0;
  const scan = (document: vscode.TextDocument) => {
    if (basename(document.uri.fsPath) !== 'main.txt') return;
    const number = /\d+/.exec(document.getText())?.[0] ?? 'nothing';
    const text = ++texts;
    for (const name of ['main.txt', 'user.txt']) {
      setTimeout(() => {
        if ((newest.get(name) ?? 0) > text) return;
        newest.set(name, text);
        const uri = vscode.Uri.file(join(dirname(document.uri.fsPath), name));
        found.set(uri, [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), `${name} sees ${number}.`)]);
      }, chance() * slowest);
    }
  };
  running = vscode.Disposable.from(
    found,
    vscode.workspace.onDidOpenTextDocument(scan),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) scan(document);
    }),
  );
}
