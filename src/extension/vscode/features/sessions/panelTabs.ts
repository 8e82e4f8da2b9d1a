/* Tabs of the editor that show a page of the panel. */

import { commands, Uri, ViewColumn, type WebviewPanel, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { Log } from '../../../platform/log.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { PanelView } from '../../panel/panelView.ts';
import { registerCommands } from '../commands.ts';

const tabType = 'folio.editor';

/** @param media the folder of the icons */
export function registerPanelTabs(
  panel: PanelView,
  session: ActiveSession,
  media: Uri,
  log: Log,
): Disposable {
  const fill = (tab: WebviewPanel, sessionId: string | undefined) => {
    const icon = (theme: string) => Uri.joinPath(media, `tab-${theme}.svg`);
    tab.iconPath = { light: icon('light'), dark: icon('dark') };
    return panel.openTab(tab, sessionId);
  };
  const open = (column: ViewColumn, sessionId: string | undefined) =>
    fill(window.createWebviewPanel(tabType, 'Folio', column), sessionId);
  const movePresent = async (column: ViewColumn) => {
    await session.restore();
    if (panel.isTabActive) return panel.reveal();
    await open(column, session.present?.id);
    panel.leaveSidebar();
  };
  const store = new DisposableStore();
  store.add(
    registerCommands(log, {
      'folio.openInEditor': () => movePresent(ViewColumn.Active),
      'folio.openInWindow': async () => {
        await movePresent(ViewColumn.Active);
        await commands.executeCommand('workbench.action.moveEditorToNewWindow');
      },
      'folio.newInEditor': () => open(ViewColumn.Beside, undefined),
    }),
  );
  store.add(
    window.registerWebviewPanelSerializer(tabType, {
      deserializeWebviewPanel: (tab, memory: unknown) => fill(tab, sessionIdIn(memory)),
    }),
  );
  return store;
}

/** @param memory what the page remembered; see `Memory` of the webview */
function sessionIdIn(memory: unknown): string | undefined {
  if (typeof memory !== 'object' || memory === null || !('sessionId' in memory)) return undefined;
  const { sessionId } = memory;
  return typeof sessionId === 'string' && sessionId !== '' ? sessionId : undefined;
}
