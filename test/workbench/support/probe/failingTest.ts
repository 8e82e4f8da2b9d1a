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

/** Two tests in a suite, which the user can run. */
export function offerTests(path: string): void {
  withdrawTests();
  const offered = vscode.tests.createTestController('probe', 'Probe');
  controller = offered;
  const uri = vscode.Uri.file(path);
  const suite = offered.createTestItem('suite-1', 'sums', uri);
  for (const [at, name] of ['adds', 'takes'].entries()) {
    const item = offered.createTestItem(`test-${at}`, name, uri);
    item.range = new vscode.Range(at + 1, 0, at + 1, 1);
    suite.children.add(item);
  }
  offered.items.add(suite);
  const runAll = (request: vscode.TestRunRequest, stop: vscode.CancellationToken) => {
    const run = offered.createTestRun(request);
    suite.children.forEach(item => {
      if (stop.isCancellationRequested) return;
      run.started(item);
      if (item.label === 'takes') {
        run.passed(item);
        return;
      }
      const message = vscode.TestMessage.diff('The sum is wrong.', '3', '2');
      message.location = new vscode.Location(uri, new vscode.Position(7, 2));
      run.failed(item, message);
    });
    run.end();
  };
  offered.createRunProfile('Run', vscode.TestRunProfileKind.Run, runAll, true);
}
