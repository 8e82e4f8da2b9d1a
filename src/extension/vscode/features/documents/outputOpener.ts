import { Uri, window, workspace } from 'vscode';
import { DisposableOwner } from '../../../base/disposable.ts';
import type { FileSystem } from '../../../platform/fileSystem.ts';
import type { ActiveSession } from '../../activeSession.ts';
import { findItem } from '../../findCall.ts';

const scheme = 'folio-output';
const loadReading = () => import('./readOutput.ts');

/** Opens complete outputs of calls, long prompts and thoughts for reading, without showing the saved file itself. */
export class OutputOpener extends DisposableOwner {
  private readonly session: ActiveSession;
  private readonly files: Pick<FileSystem, 'readText'>;

  constructor(session: ActiveSession, files: Pick<FileSystem, 'readText'>) {
    super();
    this.session = session;
    this.files = files;
    const provideTextDocumentContent = (uri: Uri) => this.read(uri.query);
    this.store.add(workspace.registerTextDocumentContentProvider(scheme, { provideTextDocumentContent }));
  }

  /** @param id of a call, prompt or thought */
  async open(id: string): Promise<void> {
    const item = findItem(this.session.state, id);
    if (!item) return;
    const { outputName } = await loadReading();
    const uri = Uri.from({ scheme, path: `/${outputName(item)}`, query: id });
    const document = await workspace.openTextDocument(uri);
    await window.showTextDocument(document, { preview: true });
  }

  private async read(id: string): Promise<string> {
    const { readOutput } = await loadReading();
    return readOutput(findItem(this.session.state, id), this.files);
  }
}
