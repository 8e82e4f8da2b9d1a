import type { Uri } from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import { once } from '../../../base/once.ts';
import type { SessionBrowsers } from '../../../platform/browser/browser.ts';
import type { Log } from '../../../platform/log.ts';
import type { ActiveSession } from '../../activeSession.ts';
import { registerCommands } from '../commands.ts';

/**
 * Hands the page of the shown session to the user and back, and shares a tab of theirs with the session. Loads the code
 * on first use.
 */
export function registerPageCommands(
  session: Pick<ActiveSession, 'presentId' | 'open'>,
  { pages, log }: { readonly pages: SessionBrowsers; readonly log: Log },
  extension: Uri,
): Disposable {
  const load = once(async () => {
    const { PageTabs } = await import('./pageTabs.ts');
    return new PageTabs(extension, log);
  });
  const shown = () => pages.get(session.presentId ?? '');
  return registerCommands(log, {
    'folio.browser.takeOver': async () => (await load()).takeOver(shown()),
    'folio.browser.giveBack': async () => (await load()).giveBack(shown()),
    'folio.browser.shareTab': async () => (await load()).sharer.share(session, pages),
    'folio.browser.stopSharing': async () => (await load()).sharer.stop(),
  });
}
