/* Additions to Folio in a window. */

import { homedir } from 'node:os';
import type { ExtensionContext } from 'vscode';
import type { Consent } from '../core/consent/consent.ts';
import type { Additions } from '../core/customizations/additions.ts';
import type { Settings } from '../platform/settings.ts';
import type { SettingsDocuments } from '../platform/settingsDocuments.ts';
import { workspaceFolders } from '../vscode/workspaceFolders.ts';

/** Reads the additions once the window is open, or with the agent. */
export async function makeAdditions(
  { secrets, workspaceState }: ExtensionContext,
  settings: Settings,
  consent: Consent,
  documents: SettingsDocuments,
): Promise<Additions> {
  const { Additions } = await import('../core/customizations/additions.ts');
  const { NodeCustomFiles } = await import('../node/customizations/customFiles.ts');
  const { NodeExtensionVariables } = await import('../node/customizations/extensionVariables.ts');
  const { VscodeKeptSecrets } = await import('../vscode/ports/vscodeKeptSecrets.ts');
  const { ServerSettings } = await import('../vscode/serverSettings.ts');
  const { readServerSettings } = await import('../vscode/ports/readServerSettings.ts');
  const { SwitchedOff } = await import('../vscode/switchedOff.ts');
  const { switchPlaces } = await import('../vscode/ports/switchPlaces.ts');
  const own = new NodeCustomFiles({ home: homedir(), folders: workspaceFolders }, documents);
  const switches = new SwitchedOff(switchPlaces(settings, workspaceState));
  return new Additions({
    files: new ServerSettings(own, readServerSettings),
    consent,
    disabled: () => switches.off(),
    switches,
    extensionValues: { variables: new NodeExtensionVariables(), secrets: new VscodeKeptSecrets(secrets) },
  });
}
