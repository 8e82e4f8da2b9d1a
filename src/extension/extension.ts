import type { ExtensionContext } from 'vscode';
import { compose } from './compose.ts';
import type { FolioApi } from './vscode/api/folioApi.ts';
import { PanelView } from './vscode/panel/panelView.ts';
import { setWindowLanguage } from './vscode/windowLanguage.ts';

let shutDown: (() => Promise<void>) | undefined;

/**
 * VS Code calls this when the view is first shown or a command first used. Other extensions get its result as the API.
 */
export async function activate(context: ExtensionContext): Promise<FolioApi> {
  setWindowLanguage();
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

/** VS Code waits some seconds for this, so that the journal is flushed. */
export async function deactivate(): Promise<void> {
  await shutDown?.();
}
