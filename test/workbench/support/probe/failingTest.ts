/* A test as an extension for a test framework offers it. */

import * as vscode from 'vscode';

let controller: vscode.TestController | undefined;

/** As an extension that goes away. */
export function withdrawTests(): void {
  controller?.dispose();
  controller = undefined;
}

export async function failTest(path: string, name: string): Promise<void> {
  controller ??= vscode.tests.createTestController('probe', 'Probe');
  const uri = vscode.Uri.file(path);
  const item = controller.createTestItem(name, name, uri);
  item.range = new vscode.Range(0, 0, 0, 1);
  controller.items.add(item);
  const run = controller.createTestRun(new vscode.TestRunRequest([item]));
  run.started(item);
  const message = vscode.TestMessage.diff('The sum is wrong.', '3', '2');
  message.location = new vscode.Location(uri, new vscode.Position(0, 0));
  run.failed(item, message);
  run.end();
}
