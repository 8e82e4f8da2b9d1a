/* Sends a page that has loaded its content. Loaded with the first page. */

import type { ActiveSession } from '../../activeSession.ts';
import type { WindowEnvironment } from '../../environment.ts';
import type { PanelDrafts } from '../../features/sessions/panelDrafts.ts';
import type { PanelPage } from '../panelPage.ts';
import type { PanelView } from '../panelView.ts';
import { ShownSession } from '../shownSession.ts';

/** @param prepare finds the ways to reach a model, so that the panel can say what is missing */
export async function initializePage(
  page: PanelPage,
  panel: PanelView,
  session: ActiveSession,
  environment: WindowEnvironment,
  prepare: () => Promise<void>,
  drafts: () => Promise<PanelDrafts>,
): Promise<void> {
  await Promise.all([prepare(), session.restore(), restoreTab(page, panel, session)]);
  const open = await panel.describeOpen();
  page.feed.attach(
    state => new ShownSession(state),
    [{ type: 'environment.changed', environment: environment.current }, open],
  );
  (await drafts()).notify(page);
}

/** After a reload, a tab's session is opened when its page is first visible. */
async function restoreTab(page: PanelPage, panel: PanelView, session: ActiveSession): Promise<void> {
  if (page.feed === panel.feed || page.sessionId === undefined || (await panel.showsHosted(page))) return;
  try {
    await session.opened.open(page.sessionId);
  } catch (error) {
    session.reportRefused(error);
    page.sessionId = undefined;
    panel.refresh();
  }
}
