import {
  FileChangeType,
  FilePermission,
  type FileStat,
  FileSystemError,
  FileType,
  type TextDocument,
  Uri,
} from 'vscode';
import type { CompressionPlan } from '../../../../protocol/compression.ts';
import { t } from '../../../../protocol/language.ts';
import type { SessionState } from '../../../../protocol/state.ts';
import type { ActiveSession } from '../../activeSession.ts';
import { nextMtime, VirtualFileProvider } from './virtualFileProvider.ts';

export const summaryScheme = 'folio-summary';

interface Summary {
  readonly uri: Uri;
  /** Text in the editor. */
  readonly text: string;
  /** Text in the session at that time, possibly normalized. */
  readonly source: string;
  readonly writtenAt: number;
}

const gone = () => t('This summary no longer exists: it was discarded, undone or replaced.');
const elsewhere = () =>
  t('This summary belongs to another session. Open that session from the history to change it.');

/**
 * Summaries of compressions as UTF-8 files. Saving one changes the compression. Incomplete summaries are refused with a
 * reason and stay in the editor.
 */
export class SummaryFiles extends VirtualFileProvider {
  private readonly session: ActiveSession;
  private readonly saved: (plan: CompressionPlan) => void;
  private readonly known = new Map<string, Summary>();
  private saving = false;

  /** @param saved gets the plan after an edit */
  constructor(session: ActiveSession, saved: (plan: CompressionPlan) => void) {
    super();
    this.session = session;
    this.saved = saved;
  }

  /** Notifies editors of changed summaries. Returns those whose compression no longer exists. */
  follow(): readonly Uri[] {
    if (this.saving) return [];
    const summaries = [...this.known.values()].filter(({ uri }) => this.isHere(uri));
    const lost = summaries.filter(({ uri }) => this.findPlan(uri) === undefined);
    const other = summaries.filter(({ uri, source }) => {
      const plan = this.findPlan(uri);
      return plan !== undefined && plan.snapshot !== source;
    });
    if (other.length > 0) this.changed.fire(other.map(({ uri }) => ({ type: FileChangeType.Changed, uri })));
    return lost.map(({ uri }) => uri);
  }

  forget({ uri }: TextDocument): void {
    this.known.delete(uri.toString());
  }

  async stat(uri: Uri): Promise<FileStat> {
    const { text, writtenAt } = await this.read(uri);
    const permissions = this.known.has(uri.toString()) ? undefined : FilePermission.Readonly;
    const size = new TextEncoder().encode(text).length;
    return { type: FileType.File, ctime: 0, mtime: writtenAt, size, permissions };
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    return new TextEncoder().encode((await this.read(uri)).text);
  }

  async writeFile(uri: Uri, bytes: Uint8Array): Promise<void> {
    const text = new TextDecoder().decode(bytes);
    const { present } = this.session;
    if (!present || !this.isHere(uri)) throw new FileSystemError(elsewhere());
    if (this.findPlan(uri) === undefined) throw new FileSystemError(gone());
    this.saving = true;
    try {
      await present.compressions.edit(placeOf(uri).compressionId, text);
    } finally {
      this.saving = false;
    }
    const plan = this.findPlan(uri);
    if (plan === undefined) throw new FileSystemError(gone());
    this.keep(uri, text, plan.snapshot);
    this.saved(plan);
  }

  /**
   * Restores the session first after a reload. Keeps a known summary until its editor closes, since it may have edits.
   */
  private async read(uri: Uri): Promise<Pick<Summary, 'text' | 'writtenAt'>> {
    await this.session.restore();
    const known = this.known.get(uri.toString());
    const plan = this.findPlan(uri);
    if (plan && plan.snapshot !== known?.source) return this.keep(uri, plan.snapshot, plan.snapshot);
    return known ?? { text: `${this.isHere(uri) ? gone() : elsewhere()}\n`, writtenAt: 0 };
  }

  private keep(uri: Uri, text: string, source: string): Summary {
    const key = uri.toString();
    const summary = { uri, text, source, writtenAt: nextMtime(this.known.get(key)?.writtenAt) };
    this.known.set(key, summary);
    return summary;
  }

  private findPlan(uri: Uri): CompressionPlan | undefined {
    return this.isHere(uri) ? findCompressionPlan(this.session.state, placeOf(uri).compressionId) : undefined;
  }

  private isHere(uri: Uri): boolean {
    return this.session.present?.id === placeOf(uri).sessionId;
  }
}

export function summaryUri(sessionId: string, compressionId: string): Uri {
  const query = `${sessionId}/${compressionId}`;
  return Uri.from({ scheme: summaryScheme, path: '/Summary of earlier chapters.xml', query });
}

/** Finds the plan of a compression that is pending or active. */
export function findCompressionPlan(
  { compression, compressions }: SessionState,
  id: string,
): CompressionPlan | undefined {
  if (compression?.status === 'proposed' && compression.id === id) return compression.plan;
  return compressions.find(each => each.id === id)?.plan;
}

function placeOf({ query }: Uri): { readonly sessionId: string; readonly compressionId: string } {
  const [sessionId = '', compressionId = ''] = query.split('/');
  return { sessionId, compressionId };
}
