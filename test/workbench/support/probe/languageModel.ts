/* A language model as another extension offers one: it reads a file, then says what the file holds. */

import * as vscode from 'vscode';
import type { ProbedModelRequest } from './probes.ts';

/** Must be declared in the test extension's package.json. */
const vendor = 'probe';

const requests: ProbedModelRequest[] = [];

export function offeredRequests(): readonly ProbedModelRequest[] {
  return requests;
}

export function offerModel(file: string): vscode.Disposable {
  const information: vscode.LanguageModelChatInformation = {
    id: 'reader',
    name: 'Reader',
    family: 'reader',
    version: '1',
    maxInputTokens: 50_000,
    maxOutputTokens: 1_000,
    capabilities: { toolCalling: true, imageInput: false },
  };
  const changed = new vscode.EventEmitter<void>();
  const registration = vscode.lm.registerLanguageModelChatProvider(vendor, {
    onDidChangeLanguageModelChatInformation: changed.event,
    provideLanguageModelChatInformation: () => [information],
    async provideLanguageModelChatResponse(_model, messages, options, progress) {
      requests.push({
        tools: (options.tools ?? []).map(({ name }) => name),
        roles: messages.map(({ role }) => role),
        calls: partsOf(messages, vscode.LanguageModelToolCallPart).map(({ callId }) => callId),
      });
      const [result] = partsOf(messages, vscode.LanguageModelToolResultPart);
      if (result === undefined) {
        progress.report(new vscode.LanguageModelTextPart('I look into the file.'));
        progress.report(new vscode.LanguageModelToolCallPart('probe-call', 'read_file', { file_path: file }));
        return;
      }
      const said = result.content.map(part =>
        part instanceof vscode.LanguageModelTextPart ? part.value : '',
      );
      for (const word of `The file says: ${said.join('')}`.split(/(?<= )/)) {
        progress.report(new vscode.LanguageModelTextPart(word));
      }
    },
    provideTokenCount: async (_model, text) => (typeof text === 'string' ? text.length : 100),
  });
  // VS Code asks again only when it is told to, as after a sign-in.
  changed.fire();
  return vscode.Disposable.from(registration, changed);
}

function partsOf<T>(
  messages: readonly vscode.LanguageModelChatRequestMessage[],
  kind: new (...args: never[]) => T,
): readonly T[] {
  return messages.flatMap(({ content }) => content.filter((part): part is T => part instanceof kind));
}
