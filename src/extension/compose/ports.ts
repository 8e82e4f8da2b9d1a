/* What everything in a window stands on. */

import { homedir } from 'node:os';
import { join } from 'node:path';
import { type ExtensionContext, env, window } from 'vscode';
import type { DisposableStore } from '../base/disposable.ts';
import { once } from '../base/once.ts';
import { Consent } from '../core/consent/consent.ts';
import { NodeFileSystem } from '../node/files/nodeFileSystem.ts';
import { NodeProcesses } from '../node/processes/nodeProcesses.ts';
import { readFileSettings } from '../node/settings/fileSettings.ts';
import { SeenFile } from '../node/settings/seenFile.ts';
import { NodeSettingsDocuments } from '../node/settings/settingsDocuments.ts';
import { saysOfTrust } from '../node/settings/trustFile.ts';
import { SystemClock } from '../node/systemClock.ts';
import type { SettingsDocuments } from '../platform/settingsDocuments.ts';
import type { Guests } from '../vscode/api/guests.ts';
import { KeylessServer } from '../vscode/connect/keylessServer.ts';
import { WindowHooks } from '../vscode/features/customizations/hooks.ts';
import { WindowAdditions } from '../vscode/features/customizations/windowAdditions.ts';
import { EditorDiagnostics } from '../vscode/ports/editorDiagnostics.ts';
import { EditorFileSystem } from '../vscode/ports/editorFileSystem.ts';
import { OutputLog } from '../vscode/ports/outputLog.ts';
import { VscodeEditor } from '../vscode/ports/vscodeEditor.ts';
import { VscodeSecrets } from '../vscode/ports/vscodeSecrets.ts';
import { VscodeSettings } from '../vscode/ports/vscodeSettings.ts';
import { VscodeWorkbench } from '../vscode/ports/vscodeWorkbench.ts';
import { workspaceFolders } from '../vscode/surroundings.ts';
import { type Distrust, WindowTrust } from '../vscode/windowTrust.ts';
import { makeAdditions } from './additions.ts';
import { composeServers } from './servers.ts';

const keylessServer = 'folio.keylessServer';

export type Ports = Awaited<ReturnType<typeof composePorts>>;

export async function composePorts(context: ExtensionContext, store: DisposableStore) {
  const log = new OutputLog(store.add(window.createOutputChannel('Folio', { log: true })));
  const homeFile = join(homedir(), '.gemini', 'settings.json');
  const fallback = await readFileSettings({ homeFile, warn: sentence => log.warn(sentence) });
  const trust = store.add(new WindowTrust(findDistrust));
  await trust.refresh();
  const settings = store.add(new VscodeSettings(fallback, trust));
  const documents = new NodeSettingsDocuments();
  const seen = new SeenFile(join(homedir(), '.folio', 'seen.txt'));
  const consent = new Consent(seen, () => trust.isTrusted);
  const additions = store.add(
    new WindowAdditions(() => makeAdditions(context, settings, consent, documents), trust, log),
  );
  store.add(additions.onDidChange(() => fallback.setWorkspace(additions.settings)));
  const clock = new SystemClock();
  const disk = new NodeFileSystem();
  const editor = store.add(new VscodeEditor());
  const guests = once(async () => new (await import('../vscode/api/guests.ts')).Guests(log));
  return {
    log,
    env: process.env,
    clock,
    disk,
    editor,
    files: new EditorFileSystem(disk, editor),
    processes: new NodeProcesses(process.env),
    settings,
    documents,
    consent,
    secrets: new VscodeSecrets(context.secrets, process.env),
    keyless: new KeylessServer({
      read: () => context.globalState.get<string>(keylessServer),
      write: address => void context.globalState.update(keylessServer, address),
    }),
    diagnostics: store.add(new EditorDiagnostics()),
    workbench: store.add(new VscodeWorkbench()),
    search: once(findSearch),
    guests,
    trust,
    hooks: new WindowHooks(
      async () => makeHooks(await guests(), documents, additions, consent),
      log,
      additions.onDidChange,
      trust.onDidChange,
    ),
    additions,
    servers: composeServers(context, additions, { clock, log, trust, env: process.env }),
  };
}

/** What runs hooks is loaded once the window stands, or with the agent. */
async function makeHooks(
  guests: Guests,
  documents: SettingsDocuments,
  additions: WindowAdditions,
  consent: Consent,
) {
  const { Hooks } = await import('../core/hooks/hooks.ts');
  const { hookExtensions } = await import('./extensions.ts');
  const { NodeHookFiles } = await import('../node/customizations/hookFiles.ts');
  const { NodeHookProcesses } = await import('../node/processes/hookProcess.ts');
  const person = ['.gemini', '.claude'].map(name => join(homedir(), name, 'settings.json'));
  return new Hooks({
    files: new NodeHookFiles(
      { person, folders: workspaceFolders, ...hookExtensions(() => additions.get()) },
      documents,
    ),
    processes: guests.processes(new NodeHookProcesses(process.env)),
    added: () => guests.hooks,
    consent,
    tell: sentence => void window.showWarningMessage(sentence),
  });
}

async function findDistrust(folders: readonly string[]): Promise<Distrust | undefined> {
  const places = { home: homedir(), env: process.env };
  if (!saysOfTrust(places)) return undefined;
  return (await import('../node/settings/trustedFolders.ts')).findDistrust(folders, places);
}

async function findSearch() {
  const { NodeSearch } = await import('../node/search/nodeSearch.ts');
  const { ripgrepsOf } = await import('../node/search/findRipgrep.ts');
  return new NodeSearch(ripgrepsOf(env.appRoot));
}
