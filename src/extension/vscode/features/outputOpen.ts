import { Uri, window, workspace } from 'vscode';
import type { CallItem } from '../../../protocol/state.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { ActiveSession } from '../activeSession.ts';
import { findCall } from '../findCall.ts';

const scheme = 'folio-output';

/** Whole outputs of calls, opened for reading. The saved file itself stays out of the person's way. */
export class OutputOpen implements Disposable {
  private readonly session: ActiveSession;
  private readonly files: Pick<FileSystem, 'readText'>;
  private readonly store = new DisposableStore();

  constructor(session: ActiveSession, files: Pick<FileSystem, 'readText'>) {
    this.session = session;
    this.files = files;
    const provideTextDocumentContent = (uri: Uri) => this.read(uri.query);
    this.store.add(workspace.registerTextDocumentContentProvider(scheme, { provideTextDocumentContent }));
  }

  async open(callId: string): Promise<void> {
    const call = findCall(this.session.state, callId);
    if (!call) return;
    const name = `${call.title
      .replace(/[^\w.-]+/g, ' ')
      .trim()
      .slice(0, 40)}.txt`;
    const uri = Uri.from({ scheme, path: `/${name}`, query: callId });
    const document = await workspace.openTextDocument(uri);
    await window.showTextDocument(document, { preview: true });
  }

  dispose(): void {
    this.store.dispose();
  }

  private async read(callId: string): Promise<string> {
    const call = findCall(this.session.state, callId);
    const source = call && sourceOf(call);
    if (!source) return 'The output of this call is not kept.';
    return source.path === undefined ? source.text : (await this.files.readText(source.path)).text;
  }
}

function sourceOf({ status }: CallItem): { readonly text: string; readonly path?: string } | undefined {
  if (status.kind === 'running') return { text: status.output };
  if (status.kind !== 'ended') return undefined;
  const { detail, summary } = status.display;
  if (detail?.kind === 'text') return { text: detail.text, path: detail.outputPath };
  if (detail?.kind === 'command') return { text: detail.output, path: detail.outputPath };
  return { text: summary };
}
