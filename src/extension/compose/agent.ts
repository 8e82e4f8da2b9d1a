import { homedir } from 'node:os';
import { join } from 'node:path';
import { type ExtensionContext, window } from 'vscode';
import type { Agent } from '../core/session/agent.ts';
import { providers, resolveModel } from '../models/providers.ts';
import type { Settings } from '../platform/settings.ts';
import type { Connection } from '../vscode/connection.ts';
import { workspaceFolders } from '../vscode/surroundings.ts';
import { loadVscodeTools } from './neighbours.ts';
import type { Ports } from './ports.ts';
import { loadServerTools } from './serverTools.ts';

/** The core and its tools are loaded here, and not before. */
export async function makeAgent(
  context: ExtensionContext,
  ports: Ports,
  connection: Connection,
): Promise<Agent> {
  const { assembleAgent } = await import('../assemble.ts');
  const { lazyHttp } = await import('../node/http/lazyHttp.ts');
  const { policyFilesWith } = await import('./extensions.ts');
  const { NodeSessionStore } = await import('../node/sessions/nodeSessionStore.ts');
  const { NodeBlobStore } = await import('../node/sessions/nodeBlobStore.ts');
  const { GitDiff } = await import('../node/git/gitDiff.ts');
  const { GitFiles } = await import('../node/git/gitFiles.ts');
  const { log, settings, clock, processes, editor, diagnostics, workbench, files } = ports;
  const guests = await ports.guests();
  const additions = await ports.additions.get();
  // The first session begins with what the workspace's settings say.
  await additions.refresh();
  const vscodeTools = await loadVscodeTools();
  const serverTools = await loadServerTools(() => ports.servers.present);
  const { fsPath: storage } = context.storageUri ?? context.globalStorageUri;
  return assembleAgent({
    log,
    settings,
    clock,
    processes,
    editor,
    workbench,
    files,
    env: ports.env,
    diagnostics: () => diagnostics,
    // A getter: a session made later works in the folders that are open then.
    get folders() {
      return workspaceFolders();
    },
    search: await ports.search(),
    http: lazyHttp(),
    store: new NodeSessionStore(join(storage, 'sessions')),
    blobs: new NodeBlobStore(join(storage, 'blobs'), undefined, log),
    versionControl: new GitFiles(),
    workingDiff: new GitDiff(),
    hooks: await ports.hooks.get(),
    additions,
    moreTools: [() => () => guests.tools, () => vscodeTools, serverTools],
    promptContext: (prompt, signal) => guests.readContext(prompt, signal),
    policyFiles: policyFilesWith(additions, { home: homedir(), folders: workspaceFolders }, ports.documents),
    consent: ports.consent,
    provider: () => connection.provider,
    contextLimit: model => contextLimitOf(model, connection, settings),
    searchesWeb: () => providers[connection.name].searchesWeb,
    ownModels: auto => providers[connection.name].ownModels?.(auto),
    resolveModel: name => resolveInWindow(name, connection, settings),
    costOf: (model, usage) => providers[connection.name].costOf(model, usage),
    trusted: () => ports.trust.isTrusted,
    servers: () => ports.servers.present,
    trustedServers: () => ports.servers.present?.trusted ?? [],
    keyChanges: () => ports.secrets.changes,
    interactive: true,
    home: homedir(),
    platform: process.platform,
    tell: sentence => void window.showWarningMessage(sentence),
  });
}

/** While nothing was chosen, a chat server's first model is the one. */
export function resolveInWindow(
  name: string,
  connection: Pick<Connection, 'name' | 'models'>,
  settings: Settings,
): string {
  const isChosen = settings.isSet('model') || name !== settings.get('model');
  return resolveModel(
    connection.name,
    { name, isChosen },
    connection.models.map(({ id }) => id),
  );
}

function contextLimitOf(model: string, connection: Connection, settings: Settings): number {
  const listed = connection.models.find(({ id }) => id === model)?.contextLimit;
  if (listed !== undefined) return listed;
  return providers[connection.name].contextLimit(model, settings.get('openai.contextLimit'));
}
