import type { ExtensionContext } from 'vscode';
import { compose } from './compose.ts';
import type { FolioApi } from './vscode/api/folioApi.ts';
import { PanelView } from './vscode/panel/panelView.ts';
import { useWindowLanguage } from './vscode/windowLanguage.ts';

let shutDown: (() => Promise<void>) | undefined;

/** VS Code calls this when the view is first seen or a command first used. Other extensions get what it resolves to. */
export async function activate(context: ExtensionContext): Promise<FolioApi> {
  useWindowLanguage();
  try {
    const composed = await compose(context);
    shutDown = composed.shutDown;
    return composed.api;
  } catch (error) {
    const { showFailedActivation } = await import('./compose/failedActivation.ts');
    showFailedActivation(PanelView.viewId, error);
    throw error;
  }
}

/** VS Code waits for this, for some seconds, so that the journal gets to the disk. */
export async function deactivate(): Promise<void> {
  await shutDown?.();
}
