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
import { LooseFiles, timeAfter } from './looseFiles.ts';

export const summaryScheme = 'folio-summary';

interface Summary {
  readonly uri: Uri;
  /** As the editor has it. */
  readonly text: string;
  /** As the session had it then; it may have been evened out. */
  readonly source: string;
  readonly writtenAt: number;
}

const gone = () => t('This summary no longer exists: it was discarded, undone or replaced.');
const elsewhere = () =>
  t('This summary belongs to another session. Open that session from the history to change it.');

/**
 * The summaries of compressions as files, in UTF-8. Saving one changes the compression; what is not a whole summary is
 * refused with the reason, and the editor keeps it.
 */
export class SummaryFiles extends LooseFiles {
  private readonly session: ActiveSession;
  private readonly saved: (plan: CompressionPlan) => void;
  private readonly known = new Map<string, Summary>();
  private saving = false;

  /** @param saved hears what came of an edit */
  constructor(session: ActiveSession, saved: (plan: CompressionPlan) => void) {
    super();
    this.session = session;
    this.saved = saved;
  }

  /** Tells editors of summaries that changed; returns those whose compression is no more. */
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

  /** After a reload the session comes back first. A known summary stays until its editor closes: it may be typed in. */
  private async read(uri: Uri): Promise<Pick<Summary, 'text' | 'writtenAt'>> {
    await this.session.restore();
    const known = this.known.get(uri.toString());
    const plan = this.findPlan(uri);
    if (plan && plan.snapshot !== known?.source) return this.keep(uri, plan.snapshot, plan.snapshot);
    return known ?? { text: `${this.isHere(uri) ? gone() : elsewhere()}\n`, writtenAt: 0 };
  }

  private keep(uri: Uri, text: string, source: string): Summary {
    const key = uri.toString();
    const summary = { uri, text, source, writtenAt: timeAfter(this.known.get(key)?.writtenAt) };
    this.known.set(key, summary);
    return summary;
  }

  private findPlan(uri: Uri): CompressionPlan | undefined {
    return this.isHere(uri) ? findPlan(this.session.state, placeOf(uri).compressionId) : undefined;
  }

  private isHere(uri: Uri): boolean {
    return this.session.present?.id === placeOf(uri).sessionId;
  }
}

export function summaryUri(sessionId: string, compressionId: string): Uri {
  const query = `${sessionId}/${compressionId}`;
  return Uri.from({ scheme: summaryScheme, path: '/Summary of earlier chapters.xml', query });
}

/** Finds the plan of a compression that waits for a decision or is in force. */
export function findPlan(
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
