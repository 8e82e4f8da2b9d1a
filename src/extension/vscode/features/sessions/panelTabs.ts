/* Tabs of the editor that show a page of the panel. */

import { commands, Disposable, type Uri, ViewColumn, type WebviewPanel, window } from 'vscode';
import { isRecord } from '../../../base/record.ts';
import type { Log } from '../../../platform/log.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { PanelView } from '../../panel/panelView.ts';
import { svgIcon } from '../../svgIcon.ts';
import { registerCommands } from '../commands.ts';

const tabType = 'folio.editor';

export function registerPanelTabs(panel: PanelView, session: ActiveSession, log: Log): Disposable {
  const fill = (tab: WebviewPanel, sessionId: string | undefined, name?: string) => {
    tab.iconPath = { light: tabIcon('3b3b3b'), dark: tabIcon('cccccc') };
    return panel.openTab(tab, sessionId, name);
  };
  const open = (column: ViewColumn, sessionId: string | undefined) =>
    fill(window.createWebviewPanel(tabType, 'Folio', column), sessionId);
  const movePresent = async (column: ViewColumn) => {
    await session.restore();
    if (panel.isTabActive) return panel.reveal();
    await open(column, session.present?.id);
    panel.leaveSidebar();
  };
  return Disposable.from(
    registerCommands(log, {
      'folio.openInEditor': () => movePresent(ViewColumn.Active),
      'folio.openInWindow': async () => {
        await movePresent(ViewColumn.Active);
        await commands.executeCommand('workbench.action.moveEditorToNewWindow');
      },
      'folio.newInEditor': () => open(ViewColumn.Beside, undefined),
    }),
    window.registerWebviewPanelSerializer(tabType, {
      deserializeWebviewPanel: (tab, memory: unknown) => fill(tab, sessionIdIn(memory), nameIn(memory)),
    }),
  );
}

/** @param memory what the page remembered; see `Memory` of the webview */
function sessionIdIn(memory: unknown): string | undefined {
  const sessionId = isRecord(memory) ? memory.sessionId : undefined;
  // A session without a prompt has no journal to be opened from.
  return typeof sessionId === 'string' && !['', 'new'].includes(sessionId) ? sessionId : undefined;
}

function nameIn(memory: unknown): string | undefined {
  const name = isRecord(memory) ? memory.page : undefined;
  return typeof name === 'string' && name.startsWith('new:') ? name : undefined;
}

/** As media/icon.svg, which follows the colour of the side bar alone. */
function tabIcon(colour: string): Uri {
  const strokes = `fill="none" stroke="#${colour}" stroke-width="1.6" stroke-linejoin="round" stroke-linecap="round"`;
  return svgIcon(24, strokes, '<path d="M4.5 3h15v12l-6 6h-9zM19.5 15h-6v6M9 17V7.5h6.5M9 12h4.5"/>');
}
