import { createHash } from 'node:crypto';
import { t } from '../../../protocol/language.ts';
import type { WorkspacePaths } from '../../core/paths.ts';
import { ToolFailure } from '../../core/tool.ts';
import type { FileReader } from '../../platform/fileSystem.ts';
import { fileDiff } from '../../review/fileDiff.ts';
import { diffLines } from './diffLines.ts';

/** UTF-16 units in all. Files that were seen longest ago are forgotten beyond that. */
const limit = 32_000_000;
/** Changed lines and those around them that a refusal shows. */
const maxShownLines = 100;
/** The same for one file, and for all files, that a prompt names. */
const maxToldLines = { file: 40, all: 200 };
/** Files that a prompt looks at, the ones seen last. */
const maxChecked = 300;
/** File systems keep times no finer than this, milliseconds. */
const timeSlackMs = 2_000;

interface SeenFile {
  readonly text: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** The content that the model was told of, where that was not shown whole. */
  told?: string | null;
}

/**
 * The text of each file as the model last saw it, whole or in part. A tool that writes a whole file asks here first: a
 * user, a hook or a formatter may have changed the file since, and the model cannot know.
 */
export class SeenFiles {
  /** By absolute real path, the newest last. */
  private readonly seen = new Map<string, SeenFile>();
  /** Digests of files that the model was told it has not read, or of which it knows only what it changed. */
  private readonly known = new Map<string, string>();
  private readonly now: () => number;
  private size = 0;

  constructor(now: () => number = Date.now) {
    this.now = now;
  }

  /** `undefined`: the model has not seen this file. */
  textOf(path: string): string | undefined {
    return this.seen.get(path)?.text;
  }

  /** The model was shown this file. */
  note(path: string, text: string): void {
    this.forget(path);
    this.seen.set(path, { text, at: this.now() });
    this.size += text.length;
    for (const oldest of this.seen.keys()) {
      if (this.size <= limit) break;
      this.forget(oldest);
    }
  }

  /** The model changed a file. It knows the result if it knew what the change was made to, else a part of it. */
  changed(path: string, before: string | null, after: string): void {
    const seen = this.textOf(path);
    if ((seen ?? null) === before) this.note(path, after);
    else if (seen === undefined) this.known.set(path, digestOf(after));
  }

  /**
   * @throws `ToolFailure` with what changed, if the file is another than the model last saw, and once if the model has
   * not seen it at all. Its next call can be right.
   */
  async refuseChanged(
    { path, before }: { readonly path: string; readonly before: string | null },
    paths: WorkspacePaths,
  ): Promise<void> {
    const known = this.textOf(path);
    // An empty file holds nothing that could be lost.
    if (known === before || (known === undefined && !before)) return;
    const shown = await paths.show(path);
    if (known === undefined) return this.refuseUnseen(path, shown, before!);
    this.forget(path);
    if (before === null) {
      throw new ToolFailure(
        `${shown} was deleted since you read it, so nothing was written. Write it again if it shall come back.`,
        () => t('Deleted since it was read'),
      );
    }
    const diff = fileDiff(shown, known, before, { maxLines: maxShownLines });
    if (diff.hiddenLines === 0) this.note(path, before);
    else this.note(path, known);
    const more = diff.hiddenLines > 0 ? `\nThis is not all: read ${shown} again.` : '';
    throw new ToolFailure(
      `${shown} changed since you read it, so nothing was written. Keep these changes of others (- as you saw it, + as it is now):\n${diffLines(diff).join('\n')}${more}`,
      () => t('Changed since it was read'),
    );
  }

  /**
   * Describes for the model which files that it has seen are others now, `undefined`: none. A file counts as seen as it is
   * described, unless its changes were too many to show.
   */
  async describeChanges(files: FileReader, paths: WorkspacePaths): Promise<string | undefined> {
    const checked = [...this.seen].slice(-maxChecked);
    const changed = await Promise.all(checked.map(([path, seen]) => findChange(files, path, seen)));
    const lines: string[] = [];
    for (const change of changed) {
      if (change === undefined) continue;
      const room = Math.min(maxToldLines.file, maxToldLines.all - lines.length);
      lines.push(...this.describe(change, await paths.show(change.path), room));
    }
    if (lines.length === 0) return undefined;
    const heading =
      '(Files that you have seen and that changed since, by the user or a program: - as you saw it, + as it is now. Context, not a request.)';
    return ['<changed_files>', heading, ...lines, '</changed_files>'].join('\n');
  }

  private describe({ path, seen, now }: Change, shown: string, room: number): readonly string[] {
    if (now === null) {
      this.forget(path);
      return [`deleted: ${shown}`];
    }
    const diff = room > 0 ? fileDiff(shown, seen.text, now, { maxLines: room }) : undefined;
    if (diff?.hiddenLines === 0) this.note(path, now);
    else seen.told = now;
    if (!diff) return [`changed: ${shown}`];
    const more = diff.hiddenLines > 0 ? ['… more changes follow'] : [];
    return [`changed: ${shown}`, ...diffLines(diff), ...more];
  }

  /** Its content is not shown: to read it may need another permission than to write it. */
  private refuseUnseen(path: string, shown: string, before: string): void {
    const digest = digestOf(before);
    if (this.known.get(path) === digest) return;
    this.known.set(path, digest);
    throw new ToolFailure(
      `${shown} exists already and you have not read what it holds now, so nothing was written. Read it first. If you know that all of it is to be replaced, call again.`,
      () => t('Exists already, and was not read'),
    );
  }

  /** Keeps up with a session: a rewind makes its history another one, and so what the model saw. */
  follower(files: FileReader, paths: WorkspacePaths) {
    return {
      onRewind: () => this.clear(),
      beforePrompt: () => this.describeChanges(files, paths),
    };
  }

  clear(): void {
    this.seen.clear();
    this.known.clear();
    this.size = 0;
  }

  private forget(path: string): void {
    this.size -= this.textOf(path)?.length ?? 0;
    this.seen.delete(path);
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

interface Change {
  readonly path: string;
  readonly seen: SeenFile;
  /** `null`: it is no more. */
  readonly now: string | null;
}

/** A file that cannot be read now is not told of: it may be readable again with the next prompt. */
async function findChange(files: FileReader, path: string, seen: SeenFile): Promise<Change | undefined> {
  try {
    const stat = await files.stat(path);
    if (!stat) return { path, seen, now: null };
    if (stat.kind !== 'file' || stat.modifiedAt < seen.at - timeSlackMs) return undefined;
    const { text } = await files.readText(path);
    return text === seen.text || text === seen.told ? undefined : { path, seen, now: text };
  } catch {
    return undefined;
  }
}
