import { ConfigurationTarget, type Memento, workspace } from 'vscode';
import type { Settings } from '../../platform/settings.ts';
import type { DisabledItemStores } from '../vscodeDisabledItems.ts';

const key = 'switchedOff';

/** @param memento of the workspace */
export function disabledItemStores(settings: Settings, memento: Memento): DisabledItemStores {
  const configuration = () => workspace.getConfiguration('folio');
  return {
    everywhere: () => settings.get('disabled'),
    setEverywhere: names => configuration().update('disabled', names, ConfigurationTarget.Global),
    ofWorkspace: () => configuration().inspect('disabled')?.workspaceValue,
    here: () =>
      workspace.workspaceFolders && {
        read: () => memento.get<unknown>(key),
        write: value => memento.update(key, value),
      },
  };
}
