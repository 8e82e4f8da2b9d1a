/* What VS Code and its other extensions get from Folio, and Folio from them: tools and servers. */

import { homedir } from 'node:os';
import { window, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { once } from '../base/once.ts';
import type { Consent } from '../core/consent/consent.ts';
import type { Customization } from '../core/customizations/files/customization.ts';
import type { AnyTool } from '../core/tool.ts';
import type { Clock } from '../platform/clock.ts';
import type { FileSystem } from '../platform/fileSystem.ts';
import type { Search } from '../platform/search.ts';
import type { Settings } from '../platform/settings.ts';
import type { SettingsDocuments } from '../platform/settingsDocuments.ts';
import type { CheckSchema } from '../vscode/api/guestTool.ts';
import type { WindowAdditions } from '../vscode/features/customizations/windowAdditions.ts';
import { type OfferedServer, registerOfferedServers } from '../vscode/features/neighbours/offerServers.ts';
import { registerOfferedTools } from '../vscode/features/neighbours/offerTools.ts';
import { workspaceFolders } from '../vscode/surroundings.ts';
import type { WindowTrust } from '../vscode/windowTrust.ts';

export interface NeighbourPorts {
  readonly files: FileSystem;
  readonly search: () => Promise<Search>;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly documents: SettingsDocuments;
  readonly consent: Consent;
  readonly additions: WindowAdditions;
  readonly trust: Pick<WindowTrust, 'isTrusted'>;
}

export function offerToNeighbours(ports: NeighbourPorts): Disposable {
  const store = new DisposableStore();
  store.add(registerOfferedTools(once(() => makeOfferedTools(ports))));
  store.add(registerOfferedServers(ports.additions, ports.trust, readOfferedServer));
  return store;
}

/** Of the tools of other extensions; it takes a library that is loaded with the first of them. */
export async function loadSchemaCheck(): Promise<CheckSchema> {
  return (await import('../mcp/tools/schemaChecker.ts')).checkSchema;
}

/** Those that VS Code knows, where the person wants them; asked before each request. A workspace cannot say so. */
export async function loadVscodeTools(): Promise<() => readonly AnyTool[]> {
  const { vscodeTools } = await import('../vscode/features/neighbours/vscodeTools.ts');
  const tell = (sentence: string) => void window.showWarningMessage(sentence);
  return vscodeTools(() => workspace.getConfiguration('folio').get('useVscodeTools') === true, tell);
}

/** Folio's own that read, for VS Code. */
async function makeOfferedTools(ports: NeighbourPorts) {
  const { files, search, clock, settings, documents, consent, additions, trust } = ports;
  const { OfferedTools } = await import('../vscode/features/neighbours/offeredTools.ts');
  const { policyFilesWith } = await import('./extensions.ts');
  return new OfferedTools({
    disk: files,
    search: await search(),
    clock,
    home: homedir(),
    folders: workspaceFolders,
    files: policyFilesWith(await additions.get(), { home: homedir(), folders: workspaceFolders }, documents),
    consent,
    trusted: () => trust.isTrusted,
    outputLimit: () => settings.get('toolOutputLimit'),
    ignoredFolders: () => settings.get('ignoredFolders'),
    heedsGeminiIgnore: () => settings.get('respectGeminiIgnore'),
    tell: sentence => void window.showWarningMessage(sentence),
  });
}

/** Of what needs an answer, a file of variables or Folio's own sign-in, nothing is offered. */
export async function readOfferedServer(item: Customization): Promise<OfferedServer | undefined> {
  const { parseServer } = await import('../mcp/config/parseServer.ts');
  const parsed = parseServer(item, { env: process.env, home: homedir(), folders: workspaceFolders() });
  if (!parsed.ok || parsed.config.inputs.length > 0) return undefined;
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
