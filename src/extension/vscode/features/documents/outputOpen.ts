import { Uri, window, workspace } from 'vscode';
import { t } from '../../../../protocol/language.ts';
import type { CallItem, Item, SessionState } from '../../../../protocol/state.ts';
import type { Report } from '../../../../protocol/values.ts';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { headOf } from '../../../base/text.ts';
import type { FileSystem } from '../../../platform/fileSystem.ts';
import type { ActiveSession } from '../../activeSession.ts';
import { findItem } from '../../findCall.ts';

const scheme = 'folio-output';

/**
 * Whole outputs of calls, and prompts and thoughts that are long, opened for reading. The saved file itself stays out
 * of the user's way.
 */
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

  /** @param id a call's, or that of a prompt or thought */
  async open(id: string): Promise<void> {
    const item = findItem(this.session.state, id);
    if (!item) return;
    const name = `${headOf(
      titleOf(item)
        .replace(/[^\w.-]+/g, ' ')
        .trim(),
      40,
    )}.txt`;
    const uri = Uri.from({ scheme, path: `/${name}`, query: id });
    const document = await workspace.openTextDocument(uri);
    await window.showTextDocument(document, { preview: true });
  }

  /** The file with the picture of a call in the session that is shown. */
  picturePath(callId: string): string | undefined {
    return picturePathIn(this.session.state, callId);
  }

  dispose(): void {
    this.store.dispose();
  }

  private async read(id: string): Promise<string> {
    const item = findItem(this.session.state, id);
    if (item?.type === 'prompt' || item?.type === 'thought') return item.text;
    const report = item?.type === 'call' ? reportOf(item) : undefined;
    if (report) {
      const { reportMarkdown } = await import('../../../core/export/reportMarkdown.ts');
      return reportMarkdown(report, 0);
    }
    const source = item?.type === 'call' ? sourceOf(item) : undefined;
    if (!source) return t('The output of this call is not kept.');
    return source.path === undefined ? source.text : (await this.files.readText(source.path)).text;
  }
}

export function picturePathIn(state: SessionState, callId: string): string | undefined {
  const item = findItem(state, callId);
  if (item?.type !== 'call' || item.status.kind !== 'ended') return undefined;
  return item.status.display.picture?.path;
}

function titleOf(item: Item): string {
  if (item.type === 'call') return item.title;
  return item.type === 'prompt' ? t('Prompt') : t('Thought');
}

function reportOf({ status }: CallItem): Report | undefined {
  const detail = status.kind === 'ended' ? status.display.detail : undefined;
  return detail?.kind === 'report' ? detail.report : undefined;
}

function sourceOf({ status }: CallItem): { readonly text: string; readonly path?: string } | undefined {
  if (status.kind === 'running') return { text: status.output };
  if (status.kind !== 'ended') return undefined;
  const { detail, summary } = status.display;
  if (detail?.kind === 'text') return { text: detail.text, path: detail.outputPath };
  if (detail?.kind === 'command') return { text: detail.output, path: detail.outputPath };
  return { text: summary };
}
