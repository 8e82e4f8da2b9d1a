import type { SessionEvent } from '../../../protocol/events.ts';
import type { FileReader } from '../../platform/fileSystem.ts';
import type { BlobStore } from '../../platform/storage.ts';
import { lineEdits, splitLines } from '../../review/lineEdits.ts';

/** Files that are compared, the newest. */
const maxFiles = 200;

/** The lines of each file that differ from before the session first wrote it. */
export class ChangedLines {
  private readonly blobs: Pick<BlobStore, 'get'>;
  private readonly files: Pick<FileReader, 'stat' | 'readText'>;
  /** By path; `null`: there was no file. */
  private readonly before = new Map<string, string | null>();

  constructor(blobs: Pick<BlobStore, 'get'>, files: Pick<FileReader, 'stat' | 'readText'>) {
    this.blobs = blobs;
    this.files = files;
  }

  onEvent(event: SessionEvent): void {
    if (event.type !== 'checkpoint.taken' || this.before.has(event.path)) return;
    this.before.set(event.path, event.before);
  }

  /** From 1, by absolute path. Files that are gone, or are as they were, are left out. */
  async read(): Promise<ReadonlyMap<string, readonly number[]>> {
    const found = new Map<string, readonly number[]>();
    for (const [path, id] of [...this.before].slice(-maxFiles)) {
      if ((await this.files.stat(path))?.kind !== 'file') continue;
      const bytes = id === null ? new Uint8Array() : await this.blobs.get(id);
      if (!bytes) continue;
      const before = new TextDecoder().decode(bytes).replaceAll('\r\n', '\n');
      const { text } = await this.files.readText(path);
      const edits = lineEdits(splitLines(before), splitLines(text.replaceAll('\r\n', '\n')));
      const lines = edits.flatMap(({ newStart, newCount }) =>
        Array.from({ length: newCount }, (_each, at) => newStart + 1 + at),
      );
      if (lines.length > 0) found.set(path, lines);
    }
    return found;
  }
}

/** Those of one session, whose events it follows. */
export function changedLines(
  session: {
    follow(follower: { onEvent(event: SessionEvent): void; beforePrompt(): Promise<undefined> }): unknown;
  },
  blobs: Pick<BlobStore, 'get'>,
  files: Pick<FileReader, 'stat' | 'readText'>,
): ChangedLines {
  const changed = new ChangedLines(blobs, files);
  session.follow({ onEvent: event => changed.onEvent(event), beforePrompt: async () => undefined });
  return changed;
}
