import { randomUUID } from 'node:crypto';
import { commands, type Memento, type Uri, ViewColumn, type WebviewPanel, window } from 'vscode';
import type { ActiveSession } from '../../activeSession.ts';
import { pageOptions } from '../../panel/panelPage.ts';
import type { PanelView } from '../../panel/panelView.ts';
import { svgIcon } from '../../svgIcon.ts';
import { TabSessions } from './tabSessions.ts';

const tabType = 'folio.editor';

/** Opens pages of the panel in editor tabs. */
export class TabOpener {
  private readonly panel: PanelView;
  private readonly session: ActiveSession;
  private readonly sessions: TabSessions;

  constructor(panel: PanelView, session: ActiveSession, memory: Memento) {
    this.panel = panel;
    this.session = session;
    this.sessions = new TabSessions(memory);
    session.onDidSwitch(() => this.keepSessions());
    session.opened.onDidChange(() => this.keepSessions());
  }

  /** Fills a tab that VS Code restored. */
  restore(tab: WebviewPanel): Promise<void> {
    const name = tab.webview.options.localResourceRoots?.[1]?.fragment || makeName();
    return this.fill(tab, name, this.sessions.find(name));
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
    const { active, sidebar } = panel;
    const isShown = active === sidebar || sidebar.isVisible;
    const sessionId = (isShown && panel.stateOf(sidebar).sessionId) || undefined;
    if (active !== sidebar && sessionId === undefined) return panel.reveal();
    await this.open(column, sessionId);
    panel.leaveSidebar();
  }

  async moveToWindow(): Promise<void> {
    const { panel } = this;
    if (panel.active !== panel.sidebar) await panel.reveal();
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
    const name = makeName();
    const tab = window.createWebviewPanel(tabType, 'Folio', column, pageOptions(this.panel.extension, name));
    return this.fill(tab, name, sessionId);
  }

  private fill(tab: WebviewPanel, name: string, sessionId: string | undefined): Promise<void> {
    tab.iconPath = { light: tabIcon('3b3b3b'), dark: tabIcon('cccccc') };
    const opened = this.panel.openTab(tab, sessionId, name);
    // The page is gone by then, so that its session is not kept again.
    tab.onDidDispose(() => this.sessions.forget(name));
    return opened;
  }

  private keepSessions(): void {
    const { panel, sessions } = this;
    for (const page of panel.pages) {
      // A page that was never seen since the reload has an id, and its session is not open.
      const closed = page === panel.active ? undefined : page.sessionId;
      if (page !== panel.sidebar) sessions.keep(page.name, panel.stateOf(page).sessionId || closed);
    }
  }
}

function makeName(): string {
  return `new:${randomUUID()}`;
}

/** Same as media/icon.svg, which follows only the side bar's colour. */
function tabIcon(colour: string): Uri {
  const strokes = `fill="none" stroke="#${colour}" stroke-width="1.6" stroke-linejoin="round" stroke-linecap="round"`;
  return svgIcon(24, strokes, '<path d="M4.5 3h15v12l-6 6h-9zM19.5 15h-6v6M9 17V7.5h6.5M9 12h4.5"/>');
}
