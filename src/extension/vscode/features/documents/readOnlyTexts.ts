import { EventEmitter, Uri, window, workspace } from 'vscode';
import { t } from '../../../../protocol/language.ts';
import { DisposableOwner } from '../../../base/disposable.ts';

const scheme = 'folio-text';

/** Read-only texts in an editor, the latest per title. */
export class ReadOnlyTexts extends DisposableOwner {
  private readonly changed = this.store.add(new EventEmitter<Uri>());
  private readonly texts = new Map<string, string>();

  constructor() {
    super();
    const provider = {
      onDidChange: this.changed.event,
      provideTextDocumentContent: ({ path }: Uri) =>
        this.texts.get(path) ?? `${t('Its window was closed, so this text is gone. Ask for it again.')}\n`,
    };
    this.store.add(workspace.registerTextDocumentContentProvider(scheme, provider));
  }

  /** @param title names the tab; letters, digits and blanks */
  async show(title: string, text: string): Promise<void> {
    const uri = Uri.from({ scheme, path: `/${title}.md` });
    this.texts.set(uri.path, text);
    this.changed.fire(uri);
    await window.showTextDocument(await workspace.openTextDocument(uri), { preview: true });
  }
}
