/* Exchanges tools and servers with VS Code and other extensions. */

import { homedir } from 'node:os';
import { window, workspace } from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import { once } from '../base/once.ts';
import type { Customization } from '../core/customizations/files/customization.ts';
import type { WorkspacePaths } from '../core/paths.ts';
import type { Restrictions } from '../platform/managed/restrictions.ts';
import type { CheckSchema } from '../vscode/api/clientTool.ts';
import {
  type ExposedMcpServer,
  registerMcpServerProvider,
} from '../vscode/features/otherExtensions/offerServers.ts';
import { registerExposedTools } from '../vscode/features/otherExtensions/offerTools.ts';
import { workspaceFolders } from '../vscode/workspaceFolders.ts';
import type { WindowPorts } from './ports.ts';

export function exposeTools(ports: WindowPorts): Disposable {
  return registerExposedTools(once(() => makeOfferedTools(ports)));
}

export function exposeMcpServers({ additions, trust, settings }: WindowPorts): Disposable {
  const read = (item: Customization) => readExposedMcpServer(item, settings.restrictions);
  return registerMcpServerProvider(additions, trust, read);
}

/** Checks arguments of other extensions' tools. The validator is loaded on first use. */
export async function loadSchemaCheck(): Promise<CheckSchema> {
  return (await import('../mcp/tools/schemaChecker.ts')).schemaChecker;
}

/** Tools registered in VS Code, if the user enabled them. Read before each request. A workspace cannot enable them. */
export async function loadVscodeTools() {
  const { VscodeTools } = await import('../vscode/features/otherExtensions/vscodeTools.ts');
  const notify = (sentence: string) => void window.showWarningMessage(sentence);
  return new VscodeTools(() => workspace.getConfiguration('folio').get('useVscodeTools') === true, notify);
}

/** Makes the read-only tools that Folio offers to VS Code. */
async function makeOfferedTools(ports: WindowPorts) {
  const { files, search, clock, settings } = ports;
  const { ExposedTools } = await import('../vscode/features/otherExtensions/exposedTools.ts');
  return new ExposedTools(files, await search(), clock, settings, await policyMaker(ports));
}

/** Makes a policy for calls outside of any session. None of their tools runs a command. */
async function policyMaker({ additions, documents, consent, trust }: WindowPorts) {
  const { Policy } = await import('../core/policy/policy.ts');
  const { policyFilesWith } = await import('./extensions.ts');
  const home = homedir();
  const files = policyFilesWith(await additions.get(), { home, folders: workspaceFolders }, documents);
  return (gate: WorkspacePaths) =>
    new Policy({
      trusted: () => trust.isTrusted,
      interactive: true,
      gate,
      analyse: async () => noCommand,
      files,
      consent,
      home,
      workspace: workspaceFolders()[0],
      notify: sentence => void window.showWarningMessage(sentence),
    });
}

const noCommand = { commands: [], unparsed: () => '', doubts: [], background: false, writes: [], reads: [] };

/** Returns a server to offer, except those that need an answer, a file of variables or Folio's own sign-in. */
export async function readExposedMcpServer(
  item: Customization,
  restrictions?: Restrictions,
): Promise<ExposedMcpServer | undefined> {
  const { parseServer, serverToStart } = await import('../mcp/config/parseServer.ts');
  const parsed = parseServer(item, { env: process.env, home: homedir(), folders: workspaceFolders() });
  if (!parsed.ok || parsed.config.inputs.length > 0) return undefined;
  if (restrictions?.refuseServer(serverToStart(parsed.config)) !== undefined) return undefined;
  const { source } = parsed.config;
  switch (source.kind) {
    case 'stdio':
      return source.envFile === undefined ? source : undefined;
    case 'http':
    case 'sse':
      return { ...source, kind: 'http' };
    case 'vscode':
      return undefined;
  }
}
