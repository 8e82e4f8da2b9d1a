import type { EmittedBody } from '../../support/emitted.ts';
import { fold } from '../journal.ts';
import type { PanelOptions, PanelPage } from '../panelPage.ts';

/** One state that the panel can be in, to be checked and to be classified by what holds for all of them. */
export interface Scene {
  readonly name: string;
  /** What has happened in the session; without it the session is empty. */
  readonly events?: readonly EmittedBody[];
  readonly options?: PanelOptions;
  /** Brings the page from the session's state to the one that is meant, pressing what is named in English. */
  readonly act?: (panel: PanelPage) => Promise<void>;
  /** The same, where it presses and awaits nothing by its name, so that it is done in every language. */
  readonly actAnywhere?: (panel: PanelPage) => Promise<void>;
}

type Open = (options: PanelOptions) => Promise<PanelPage>;

/**
 * Opens a panel and returns once all of the scene can be seen. Steps press what is named in English: in another
 * language the session is shown as it is.
 */
export async function showScene(scene: Scene, open: Open, view: PanelOptions): Promise<PanelPage> {
  const { events, options, act, actAnywhere } = scene;
  const panel = await open({ ...view, ...options, state: events && fold(events) });
  await actAnywhere?.(panel);
  if ((view.language ?? 'en') === 'en') await act?.(panel);
  await panel.page.evaluate(() => document.fonts.ready.then(() => undefined));
  return panel;
}

/** How far the page reaches out of its frame to the side: nobody scrolls a panel sideways. */
export function sidewaysOverflow({ page }: PanelPage): Promise<number> {
  return page.evaluate(() => {
    const log = document.querySelector('[role=log]');
    const ofLog = log ? log.scrollWidth - log.clientWidth : 0;
    return Math.max(ofLog, document.documentElement.scrollWidth - window.innerWidth);
  });
}
