import type { Intention } from '../../../../protocol/intentions.ts';
import type { Disposable } from '../../../base/disposable.ts';
import type { PanelPage } from '../../panel/panelPage.ts';
import type { PanelView } from '../../panel/panelView.ts';
import type { SessionLibrary } from '../../sessionLibrary.ts';

interface DraftStore extends Disposable {
  readonly drafts: readonly (readonly [session: string, text: string])[];
  keep(of: string, text: string): void;
  prune(): void;
}

/** Keeps drafts for the next window, which in a browser gets what VS Code remembers of a page some seconds late. */
export class KeptDrafts implements Disposable {
  private readonly file: DraftStore | undefined;
  private readonly panel: Pick<PanelView, 'isInSidebar'>;
  private readonly subscription: Disposable;

  /** @param file absent: nothing is kept */
  constructor(
    file: DraftStore | undefined,
    panel: Pick<PanelView, 'isInSidebar'>,
    library: Pick<SessionLibrary, 'onDidChange'>,
  ) {
    this.file = file;
    this.panel = panel;
    this.subscription = library.onDidChange(() => file?.prune());
  }

  /** Gives the page what was kept. */
  notify(page: PanelPage): void {
    const drafts = (this.file?.drafts ?? []).filter(([of]) => this.isKept(of, page));
    page.feed.notify({ type: 'drafts.kept', drafts });
  }

  keep({ of, text }: Intention<'panel.drafted'>, page: PanelPage): void {
    if (this.isKept(of, page)) this.file?.keep(of, text);
  }

  dispose(): void {
    this.subscription.dispose();
    this.file?.dispose();
  }

  /** The side bar alone has one new session: those of tabs could not be told apart. */
  private isKept(of: string, page: PanelPage): boolean {
    return of !== 'new' || this.panel.isInSidebar(page);
  }
}
