import { commands, type Uri, ViewColumn, type WebviewPanel, window } from 'vscode';
import { isRecord } from '../../../base/record.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { PanelView } from '../../panel/panelView.ts';
import { svgIcon } from '../../svgIcon.ts';

const tabType = 'folio.editor';

/** Opens pages of the panel in editor tabs. */
export class TabOpener {
  private readonly panel: PanelView;
  private readonly session: ActiveSession;

  constructor(panel: PanelView, session: ActiveSession) {
    this.panel = panel;
    this.session = session;
  }

  /** @param memory state of the tab's page before a reload; see `Memory` of the webview */
  restore(tab: WebviewPanel, memory: unknown): Promise<void> {
    return this.fill(tab, sessionIdIn(memory), nameIn(memory));
  }

  openNew(): Promise<void> {
    return this.open(ViewColumn.Beside, undefined);
  }

  /**
   * Moves the session of the side bar into a tab. Closing the palette gives the focus to a tab behind it, so an active
   * tab matters only where the side bar shows no session.
   */
  async movePresent(column: ViewColumn): Promise<void> {
    const { panel, session } = this;
    await session.restore();
    const sessionId = panel.isTabActive ? panel.sidebarId : panel.shownId;
    if (panel.isTabActive && sessionId === undefined) return panel.reveal();
    await this.open(column, sessionId);
    panel.leaveSidebar();
  }

  async moveToWindow(): Promise<void> {
    if (this.panel.isTabActive) await this.panel.reveal();
    else await this.movePresent(ViewColumn.Active);
    await commands.executeCommand('workbench.action.moveEditorToNewWindow');
  }

  /** Moves a session that the side bar shows; opens any other beside. */
  async openBeside(sessionId: string): Promise<void> {
    const { panel, session } = this;
    await session.restore();
    if (panel.revealTab(sessionId)) return;
    if (panel.shownId === sessionId) return this.movePresent(ViewColumn.Beside);
    if (panel.hosted?.has(sessionId)) {
      await this.openNew();
      await panel.showSession(sessionId);
      return;
    }
    // Before creating a tab, so that the user sees why a session cannot be opened.
    await session.opened.open(sessionId);
    await this.open(ViewColumn.Beside, sessionId);
  }

  private open(column: ViewColumn, sessionId: string | undefined): Promise<void> {
    return this.fill(window.createWebviewPanel(tabType, 'Folio', column), sessionId);
  }

  private fill(tab: WebviewPanel, sessionId: string | undefined, name?: string): Promise<void> {
    tab.iconPath = { light: tabIcon('3b3b3b'), dark: tabIcon('cccccc') };
    return this.panel.openTab(tab, sessionId, name);
  }
}

function sessionIdIn(memory: unknown): string | undefined {
  const sessionId = isRecord(memory) ? memory.sessionId : undefined;
  // A session without a prompt has no journal to open.
  return typeof sessionId === 'string' && !['', 'new'].includes(sessionId) ? sessionId : undefined;
}

function nameIn(memory: unknown): string | undefined {
  const name = isRecord(memory) ? memory.page : undefined;
  return typeof name === 'string' && name.startsWith('new:') ? name : undefined;
}

/** Same as media/icon.svg, which follows only the side bar's colour. */
function tabIcon(colour: string): Uri {
  const strokes = `fill="none" stroke="#${colour}" stroke-width="1.6" stroke-linejoin="round" stroke-linecap="round"`;
  return svgIcon(24, strokes, '<path d="M4.5 3h15v12l-6 6h-9zM19.5 15h-6v6M9 17V7.5h6.5M9 12h4.5"/>');
}
