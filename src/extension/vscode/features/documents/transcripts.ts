import { EventEmitter, Position, Range, Selection, Uri, window, workspace } from 'vscode';
import { t } from '../../../../protocol/language.ts';
import { newestChapter, type SessionState } from '../../../../protocol/state.ts';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { sanitiseLine } from '../../../base/text.ts';
import { sessionMarkdown } from '../../../core/export/sessionMarkdown.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { SessionLibrary } from '../../sessionLibrary.ts';

const scheme = 'folio-transcript';

/** Minimal pause between updates of a growing text in milliseconds, and maximal share of time spent on them. */
const pause = 500;
const shareOfTime = 0.1;

/**
 * Sessions as documents for screen readers, which navigate an editor more easily than a webview. They have the format
 * of an export and are updated while open.
 */
export class Transcripts implements Disposable {
  private readonly session: Pick<ActiveSession, 'open' | 'opened'>;
  private readonly library: Pick<SessionLibrary, 'read'>;
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new EventEmitter<Uri>());
  /** Sessions changed since the last update, with the timer of the next. */
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private lastWriting = 0;

  constructor(session: Transcripts['session'], library: Transcripts['library']) {
    this.session = session;
    this.library = library;
    const provider = {
      onDidChange: this.changed.event,
      provideTextDocumentContent: (uri: Uri) => this.write(uri),
    };
    this.store.add(workspace.registerTextDocumentContentProvider(scheme, provider));
    this.store.add(session.opened.onEvent(reported => this.follow(reported.session.id)));
    this.store.add(session.opened.onAgentEvent(reported => this.follow(reported.session.id)));
  }

  /** Opens the shown session, with the cursor at the current chapter. */
  async show(): Promise<void> {
    const { id, state } = await this.session.open();
    if (state.title === '') {
      void window.showInformationMessage(t('This session is empty.'));
      return;
    }
    const uri = addressOf(id, state);
    this.changed.fire(uri);
    const editor = await window.showTextDocument(await workspace.openTextDocument(uri), { preview: true });
    const at = findHeading(editor.document.getText(), newestChapter(state).number);
    editor.selection = new Selection(at, 0, at, 0);
    editor.revealRange(new Range(new Position(at, 0), new Position(at, 0)));
  }

  dispose(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.store.dispose();
  }

  private follow(id: string): void {
    if (this.timers.has(id)) return;
    const isOpen = workspace.textDocuments.some(({ uri }) => uri.scheme === scheme && idOf(uri) === id);
    if (!isOpen) return;
    const wait = Math.max(pause, this.lastWriting / shareOfTime);
    this.timers.set(
      id,
      setTimeout(() => {
        this.timers.delete(id);
        for (const { uri } of workspace.textDocuments) {
          if (uri.scheme === scheme && idOf(uri) === id) this.changed.fire(uri);
        }
      }, wait),
    );
  }

  private async write(uri: Uri): Promise<string> {
    const id = idOf(uri);
    const state = this.session.opened.find(id)?.state ?? (await this.library.read(id));
    const before = performance.now();
    const text = sessionMarkdown(state);
    this.lastWriting = performance.now() - before;
    return text;
  }
}

/** The title names the tab. */
function addressOf(id: string, { title }: SessionState): Uri {
  const name = sanitiseLine(title, 60)
    .replaceAll(/[\\/?#%:*"<>|]/g, ' ')
    .trim();
  return Uri.from({ scheme, path: `/${id}/${name || t('Session')}.md` });
}

function idOf({ path }: Uri): string {
  return path.split('/')[1] ?? '';
}

/** Returns the line of the chapter's heading; the first line if there is only one chapter. */
function findHeading(text: string, chapter: number): number {
  return Math.max(
    text.split('\n').findLastIndex(line => line.startsWith(`## ${chapter}. `)),
    0,
  );
}
