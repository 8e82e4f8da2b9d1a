import { join } from 'node:path';
import { extensions } from 'vscode';
import { apiError } from './apiError.ts';
import { checkExtensionId } from './checkInput.ts';
import { ClientConnection, type ClientHost } from './clientConnection.ts';
import type { FolioConnection } from './folioApi.ts';

/** Throws if no such extension is installed. The result exposes nothing of the window but these functions. */
export function connectClient(id: unknown, host: ClientHost): FolioConnection {
  const wanted = checkExtensionId(id);
  const extension = extensions.getExtension(wanted);
  if (!extension) throw apiError('unknownExtension', `No extension ${wanted} is installed.`);
  const connection = new ClientConnection(extension.id, join(extension.extensionPath, 'package.json'), host);
  return Object.freeze<FolioConnection>({
    sendPrompt: (text, options) => connection.sendPrompt(text, options),
    abort: () => connection.abort(),
    onEvent: listener => connection.onEvent(listener),
    registerTool: tool => connection.registerTool(tool),
    registerContext: provider => connection.registerContext(provider),
    registerHook: hook => connection.registerHook(hook),
    dispose: () => connection.dispose(),
  });
}
