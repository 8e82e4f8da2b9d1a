import type { SessionEvent } from '../../../protocol/events.ts';
import type { FileReader } from '../../platform/fileSystem.ts';
import type { BlobStore } from '../../platform/storage.ts';
import { lineEdits, splitLines } from '../../review/lineEdits.ts';

/** Maximal number of files to compare, newest first. */
const maxFiles = 200;

/** Lines of each file that differ from the file before the session's first write. */
export class ChangedLines {
  private readonly blobs: Pick<BlobStore, 'get'>;
  private readonly files: Pick<FileReader, 'stat' | 'readText'>;
  /** By path; `null` if there was no file. */
  private readonly before = new Map<string, string | null>();

  constructor(blobs: Pick<BlobStore, 'get'>, files: Pick<FileReader, 'stat' | 'readText'>) {
    this.blobs = blobs;
    this.files = files;
  }

  onEvent(event: SessionEvent): void {
    if (event.type !== 'checkpoint.taken' || this.before.has(event.path)) return;
    this.before.set(event.path, event.before);
  }

  /** Returns lines from 1 by absolute path. Leaves out deleted and unchanged files. */
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

/** Tracks the changed lines of one session through its events. */
export function trackChangedLines(
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
