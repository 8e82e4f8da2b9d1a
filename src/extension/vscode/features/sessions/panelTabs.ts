/* Editor tabs that show a page of the panel. Their code is loaded on first use. */

import { Disposable, type Memento, ViewColumn, window } from 'vscode';
import { once } from '../../../base/once.ts';
import type { Log } from '../../../platform/log.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { PanelView } from '../../panel/panelView.ts';
import { registerCommands } from '../commands.ts';

export function registerPanelTabs(
  panel: PanelView,
  session: ActiveSession,
  memory: Memento,
  log: Log,
): Disposable {
  const tabs = once(async () => new (await import('./tabOpener.ts')).TabOpener(panel, session, memory));
  return Disposable.from(
    registerCommands(log, {
      'folio.openInEditor': async (sessionId?: unknown) =>
        typeof sessionId === 'string'
          ? (await tabs()).openBeside(sessionId)
          : (await tabs()).movePresent(ViewColumn.Active),
      'folio.openInWindow': async () => (await tabs()).moveToWindow(),
      'folio.newInEditor': async () => (await tabs()).openNew(),
    }),
    window.registerWebviewPanelSerializer('folio.editor', {
      deserializeWebviewPanel: async tab => (await tabs()).restore(tab),
    }),
  );
}
