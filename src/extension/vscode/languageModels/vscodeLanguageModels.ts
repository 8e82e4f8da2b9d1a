import * as vscode from 'vscode';
import { t } from '../../../protocol/language.ts';
import { isRecord } from '../../base/record.ts';
import type {
  AnswerPart,
  ChatMessage,
  ChatPart,
  ContentPart,
  LanguageModel,
  LanguageModelRequest,
  LanguageModels,
} from './languageModels.ts';

export const vscodeLanguageModels: LanguageModels = {
  list: async () => (await vscode.lm.selectChatModels()).map(toModel),
};

function toModel(chat: vscode.LanguageModelChat): LanguageModel {
  const { vendor, id, name, maxInputTokens } = chat;
  return {
    vendor,
    id,
    name,
    maxInputTokens,
    callsTools: capabilityOf(chat, 'supportsToolCalling'),
    seesPictures: capabilityOf(chat, 'supportsImageToText'),
    send: (request, signal) => send(chat, request, signal),
    countTokens: async text => await chat.countTokens(text),
  };
}

/** VS Code has these members at run time, but not in its stable API. */
function capabilityOf(chat: vscode.LanguageModelChat, name: string): boolean | undefined {
  const capabilities = 'capabilities' in chat ? chat.capabilities : undefined;
  const value = isRecord(capabilities) ? capabilities[name] : undefined;
  return typeof value === 'boolean' ? value : undefined;
}

async function* send(
  chat: vscode.LanguageModelChat,
  { messages, tools, mustCall, temperature }: LanguageModelRequest,
  signal: AbortSignal,
): AsyncGenerator<AnswerPart> {
  const cancellation = new vscode.CancellationTokenSource();
  const cancel = () => cancellation.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const options: vscode.LanguageModelChatRequestOptions = {
      justification: t('Send Folio a task in its panel.'),
      tools: tools.length > 0 ? tools.map(toTool) : undefined,
      // With several tools some models refuse to be forced, and then return nothing.
      toolMode: mustCall && tools.length === 1 ? vscode.LanguageModelChatToolMode.Required : undefined,
      modelOptions: temperature === undefined ? undefined : { temperature },
    };
    const response = await chat.sendRequest(messages.map(toMessage), options, cancellation.token);
    for await (const part of response.stream) {
      const known = toAnswerPart(part);
      if (known) yield known;
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    cancellation.dispose();
  }
}

function toTool({
  name,
  description,
  parameters,
}: LanguageModelRequest['tools'][number]): vscode.LanguageModelChatTool {
  return { name, description, inputSchema: parameters };
}

function toMessage({ role, parts }: ChatMessage): vscode.LanguageModelChatMessage {
  const { User, Assistant } = vscode.LanguageModelChatMessageRole;
  return new vscode.LanguageModelChatMessage(role === 'user' ? User : Assistant, parts.map(toPart));
}

function toPart(part: ChatPart): vscode.LanguageModelInputPart {
  switch (part.kind) {
    case 'call':
      return new vscode.LanguageModelToolCallPart(part.id, part.name, part.input);
    case 'result':
      return new vscode.LanguageModelToolResultPart(part.id, part.content.map(toContent));
    case 'text':
    case 'data':
      return toContent(part);
  }
}

function toContent(part: ContentPart): vscode.LanguageModelTextPart | vscode.LanguageModelDataPart {
  if (part.kind === 'text') return new vscode.LanguageModelTextPart(part.text);
  return vscode.LanguageModelDataPart.image(part.data, part.mimeType);
}

function toAnswerPart(part: unknown): AnswerPart | undefined {
  if (part instanceof vscode.LanguageModelTextPart) return { kind: 'text', text: part.value };
  if (part instanceof vscode.LanguageModelToolCallPart) {
    return { kind: 'call', id: part.callId, name: part.name, input: part.input };
  }
  return toThought(part);
}

/** Thoughts arrive at run time, but their class is not in the stable API yet. */
function toThought(part: unknown): AnswerPart | undefined {
  const thinking = 'LanguageModelThinkingPart' in vscode ? vscode.LanguageModelThinkingPart : undefined;
  if (typeof thinking !== 'function' || !(part instanceof thinking) || !('value' in part)) return undefined;
  const { value } = part;
  if (Array.isArray(value)) return { kind: 'thought', text: value.join('') };
  return typeof value === 'string' ? { kind: 'thought', text: value } : undefined;
}
