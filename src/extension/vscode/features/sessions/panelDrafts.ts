import type { Intention } from '../../../../protocol/intentions.ts';
import type { Disposable } from '../../../base/disposable.ts';
import type { PanelFeed } from '../../panel/panelFeed.ts';
import type { PanelPage } from '../../panel/panelPage.ts';
import type { SessionLibrary } from '../../sessionLibrary.ts';

interface DraftStore extends Disposable {
  readonly drafts: readonly (readonly [session: string, text: string])[];
  keep(of: string, text: string): void;
  prune(): void;
}

type NamedPage = Pick<PanelPage, 'name'>;

/**
 * Saves unsent text of the composer for the next window: in a browser, VS Code saves the state of a webview some
 * seconds late. Each page calls its own new session `new`. Here only the side bar's has that name, and those of tabs
 * have the name of their page.
 */
export class PanelDrafts implements Disposable {
  private readonly file: DraftStore;
  private readonly subscription: Disposable;

  constructor(file: DraftStore, library: Pick<SessionLibrary, 'onDidChange'>) {
    this.file = file;
    this.subscription = library.onDidChange(() => file.prune());
  }

  /** Sends the saved drafts to a page. */
  notify({ name, feed }: NamedPage & { readonly feed: Pick<PanelFeed, 'notify'> }): void {
    const drafts = this.file.drafts.flatMap(([of, text]) => {
      if (of === name) return [['new', text] as const];
      return of.startsWith('new') ? [] : [[of, text] as const];
    });
    feed.notify({ type: 'drafts.kept', drafts, page: name });
  }

  keep({ of, text }: Pick<Intention<'panel.drafted'>, 'of' | 'text'>, { name }: NamedPage): void {
    this.file.keep(of === 'new' ? name : of, text);
  }

  dispose(): void {
    this.subscription.dispose();
    this.file.dispose();
  }
}
