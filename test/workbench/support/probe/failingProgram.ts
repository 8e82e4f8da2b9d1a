/* A program that stops at an exception, as a debugger shows it; it speaks the debug adapter protocol. */

import * as vscode from 'vscode';

/** Must be declared in the test extension's package.json. */
const type = 'probe';

interface Message extends vscode.DebugProtocolMessage {
  readonly seq: number;
  readonly command: string;
}

let registration: vscode.Disposable | undefined;

export async function debugFailing(path: string): Promise<void> {
  registration?.dispose();
  registration = vscode.debug.registerDebugAdapterDescriptorFactory(type, {
    createDebugAdapterDescriptor: () => new vscode.DebugAdapterInlineImplementation(new StoppedAdapter(path)),
  });
  await vscode.debug.startDebugging(undefined, { type, name: 'Probe', request: 'launch' });
}

class StoppedAdapter implements vscode.DebugAdapter {
  private readonly sent = new vscode.EventEmitter<vscode.DebugProtocolMessage>();
  private readonly answers: Readonly<Record<string, object>>;
  readonly onDidSendMessage = this.sent.event;

  constructor(path: string) {
    this.answers = {
      initialize: { supportsExceptionInfoRequest: true, supportsConfigurationDoneRequest: true },
      threads: { threads: [{ id: 1, name: 'main' }] },
      stackTrace: { stackFrames: [{ id: 7, name: 'sum', line: 2, column: 1, source: { path } }] },
      exceptionInfo: { exceptionId: 'RangeError', description: 'too many', breakMode: 'always' },
      scopes: { scopes: [{ name: 'Local', variablesReference: 3, expensive: false }] },
      variables: { variables: [{ name: 'count', value: '@.env 41', variablesReference: 0 }] },
    };
  }

  handleMessage(message: vscode.DebugProtocolMessage): void {
    const { seq, command } = message as Message;
    this.sent.fire({
      type: 'response',
      request_seq: seq,
      success: true,
      command,
      body: this.answers[command],
    });
    if (command === 'initialize') this.sent.fire({ type: 'event', event: 'initialized' });
    if (command === 'configurationDone')
      this.sent.fire({
        type: 'event',
        event: 'stopped',
        body: { reason: 'exception', threadId: 1, allThreadsStopped: true },
      });
  }

  dispose(): void {
    this.sent.dispose();
  }
}
