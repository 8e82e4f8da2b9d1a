import { createHash } from 'node:crypto';
import type { Message, SessionEvent } from '../../../protocol/events.ts';
import { t } from '../../../protocol/language.ts';
import type { WorkspacePaths } from '../../core/paths.ts';
import { ToolFailure } from '../../core/tool.ts';
import type { FileReader } from '../../platform/fileSystem.ts';
import { fileDiff } from '../../review/fileDiff.ts';
import { diffLines } from './diffLines.ts';

/** UTF-16 units in all. Texts that were seen longest ago are forgotten beyond that. */
const limit = 32_000_000;
/** Changed lines and those around them that a refusal shows. */
const maxShownLines = 100;
/** The same for one file, and for all files, that a prompt names. */
const maxReportedLines = { file: 40, all: 200 };
/** Files that a prompt checks, the ones seen last. */
const maxChecked = 300;
/** File systems keep times no finer than this, milliseconds. */
const timeSlackMs = 2_000;

interface SeenFile {
  readonly digest: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** Digest of the content that the model was told of, where that was not shown whole; `null`: it is gone. */
  reported?: string | null;
}

/** One showing of a file to the model, at its place in the history. */
interface Sight {
  readonly path: string;
  readonly digest: string;
  readonly at: number;
  /** Messages before it. */
  readonly messages: number;
}

interface SeenFilesOptions {
  readonly now?: () => number;
  /** The text of a file that stands in the model's instructions; `undefined`: none of it, or a part. */
  readonly standing?: (path: string) => string | undefined;
}

/** The session's record. */
interface SeenRecord {
  /** Has the sight folded, before it returns. */
  noteFile(path: string, digest: string): void;
  said(): readonly Message[];
}

/**
 * The content of each file as the model last saw it, whole or in part. A tool that writes a whole file asks here first: a
 * user, a hook or a formatter may have changed the file since, and the model cannot know. The journal holds digests, so
 * that this outlives a resume and follows a rewind; texts, to say what changed, are remembered or found in what was said.
 */
export class SeenFiles {
  /** In order, as far as the history has them. */
  private sights: Sight[] = [];
  private beforeRewind: { readonly sights: Sight[]; readonly messages: number } | undefined;
  private messages = 0;
  /** By absolute real path, the newest last. */
  private readonly seen = new Map<string, SeenFile>();
  /** Texts by digest, the newest last. */
  private readonly texts = new Map<string, string>();
  /** Digests of files that the model was told it has not read. */
  private readonly known = new Map<string, string>();
  private readonly now: () => number;
  private readonly standing: (path: string) => string | undefined;
  private record: SeenRecord | undefined;
  private size = 0;
  private hasRecalled = false;

  constructor({ now = Date.now, standing = () => undefined }: SeenFilesOptions = {}) {
    this.now = now;
    this.standing = standing;
  }

  /** `undefined`: the model has not seen this file, or its text is not remembered. */
  textOf(path: string): string | undefined {
    const digest = this.seen.get(path)?.digest;
    if (digest === undefined) return this.standing(path);
    if (!this.texts.has(digest)) this.recall();
    return this.texts.get(digest);
  }

  /** Finds texts in what was said before this process began, once. */
  private recall(): void {
    if (this.hasRecalled) return;
    this.hasRecalled = true;
    const wanted = new Set([...this.seen.values()].map(({ digest }) => digest));
    for (const text of (this.record?.said() ?? []).flatMap(saidTexts)) {
      const digest = digestOf(text);
      if (wanted.has(digest)) this.remember(digest, text);
    }
  }

  /** The model was shown this file. */
  note(path: string, text: string): void {
    const digest = digestOf(text);
    this.remember(digest, text);
    this.noteDigest(path, digest);
  }

  private noteDigest(path: string, digest: string): void {
    const seen = this.seen.get(path);
    if (seen?.digest === digest) this.add({ path, digest, at: this.now() });
    else if (this.record) this.record.noteFile(path, digest);
    else this.fold({ path, digest, at: this.now() });
  }

  private fold(sight: Omit<Sight, 'messages'>): void {
    this.sights.push({ ...sight, messages: this.messages });
    this.add(sight);
  }

  private add({ path, digest, at }: Omit<Sight, 'messages'>): void {
    this.seen.delete(path);
    this.seen.set(path, { digest, at });
  }

  private remember(digest: string, text: string): void {
    this.size += text.length - (this.texts.get(digest)?.length ?? 0);
    this.texts.delete(digest);
    this.texts.set(digest, text);
    for (const [oldest, { length }] of this.texts) {
      if (this.size <= limit) break;
      this.texts.delete(oldest);
      this.size -= length;
    }
  }

  /**
   * The model changed a file, and knows the result, unless others changed the file before. Remembers the text only where
   * the model knew all of it: to read a file may need another permission than to change it.
   */
  changed(path: string, before: string | null, after: string): void {
    const seen = this.seen.get(path)?.digest;
    if (before !== null && seen !== undefined && seen !== digestOf(before)) return;
    if (before === null || this.textOf(path) === before) this.note(path, after);
    else this.noteDigest(path, digestOf(after));
  }

  /**
   * @throws `ToolFailure` with what changed, if the file is another than the model last saw, and once if the model has
   * not seen it at all. Its next call can be right.
   */
  async refuseChanged(
    { path, before }: { readonly path: string; readonly before: string | null },
    paths: WorkspacePaths,
  ): Promise<void> {
    const digest = before === null ? undefined : digestOf(before);
    const standing = this.seen.has(path) ? undefined : this.standing(path);
    const known = this.seen.get(path)?.digest ?? (standing === undefined ? undefined : digestOf(standing));
    // An empty file holds nothing that could be lost.
    if (known === digest || (known === undefined && !before)) return;
    const shown = await paths.show(path);
    if (known === undefined) return this.refuseUnseen(path, shown, digest!);
    if (before === null) {
      this.seen.delete(path);
      if (standing !== undefined) return;
      throw new ToolFailure(
        `${shown} was deleted since you read it, so nothing was written. Write it again if it shall come back.`,
        () => t('Deleted since it was read'),
      );
    }
    throw this.describeRefusal(path, shown, before);
  }

  private describeRefusal(path: string, shown: string, before: string): ToolFailure {
    const summary = () => t('Changed since it was read');
    const then = this.textOf(path);
    if (then === undefined)
      return new ToolFailure(
        `${shown} changed since you read it, so nothing was written. It is not known any more what it held then: read it again.`,
        summary,
      );
    const diff = fileDiff(shown, then, before, { maxLines: maxShownLines });
    if (diff.hiddenLines === 0) this.note(path, before);
    const more = diff.hiddenLines > 0 ? `\nThis is not all: read ${shown} again.` : '';
    return new ToolFailure(
      `${shown} changed since you read it, so nothing was written. Keep these changes of others (- as you saw it, + as it is now):\n${diffLines(diff).join('\n')}${more}`,
      summary,
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
      const room = Math.min(maxReportedLines.file, maxReportedLines.all - lines.length);
      lines.push(...this.describe(change, await paths.show(change.path), room));
    }
    if (lines.length === 0) return undefined;
    const heading =
      '(Files that you have seen and that changed since, by the user or a program: - as you saw it, + as it is now. Context, not a request.)';
    return ['<changed_files>', heading, ...lines, '</changed_files>'].join('\n');
  }

  private describe({ path, seen, now }: Change, shown: string, room: number): readonly string[] {
    if (now === null) {
      this.seen.delete(path);
      return [`deleted: ${shown}`];
    }
    const then = room > 0 ? this.textOf(path) : undefined;
    const diff = then === undefined ? undefined : fileDiff(shown, then, now, { maxLines: room });
    if (diff?.hiddenLines === 0) this.note(path, now);
    else seen.reported = digestOf(now);
    if (!diff) return [`changed: ${shown}`];
    const more = diff.hiddenLines > 0 ? ['… more changes follow'] : [];
    return [`changed: ${shown}`, ...diffLines(diff), ...more];
  }

  /** Its content is not shown: to read it may need another permission than to write it. */
  private refuseUnseen(path: string, shown: string, digest: string): void {
    if (this.known.get(path) === digest) return;
    this.known.set(path, digest);
    throw new ToolFailure(
      `${shown} exists already and you have not read what it holds now, so nothing was written. Read it first. If you know that all of it is to be replaced, call again.`,
      () => t('Already exists, but was not read'),
    );
  }

  /** Keeps up with a session: a rewind makes its history another one, and so what the model saw. */
  follower(files: FileReader, paths: WorkspacePaths) {
    return {
      onEvent: (event: SessionEvent) => this.foldEvent(event),
      beforePrompt: () => this.describeChanges(files, paths),
    };
  }

  /** From now on the session's record holds what is seen, and the follower hears of it. */
  attach(record: SeenRecord): void {
    this.record = record;
  }

  private foldEvent(event: SessionEvent): void {
    switch (event.type) {
      case 'message.added':
        this.messages++;
        return;
      case 'file.seen':
        this.fold(event);
        return;
      case 'session.rewound': {
        const { sights, messages } = this;
        this.beforeRewind = { sights, messages };
        const kept = sights.filter(each => each.messages < event.keptMessages);
        this.restore({ sights: kept, messages: event.keptMessages });
        return;
      }
      case 'rewind.undone':
        if (this.beforeRewind) this.restore(this.beforeRewind);
        return;
    }
  }

  private restore({ sights, messages }: { readonly sights: Sight[]; readonly messages: number }): void {
    this.sights = [...sights];
    this.messages = messages;
    this.seen.clear();
    this.known.clear();
    for (const sight of sights) this.add(sight);
  }
}

/**
 * Texts of files that a message may show: the content of a call, and of a result without what stands above it, with the
 * line break that a reading leaves out.
 */
function saidTexts({ parts }: Message): readonly string[] {
  return parts.flatMap(part => {
    const said = part.kind === 'call' ? part.args.content : part.kind === 'result' ? part.text : undefined;
    if (typeof said !== 'string') return [];
    const body = said.replace(/^(?:\[[^\n]*\]\n){1,3}/, '');
    return [...new Set([said, body])].flatMap(each => {
      const crlf = each.replaceAll('\n', '\r\n');
      return [each, `${each}\n`, crlf, `${crlf}\r\n`];
    });
  });
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
    const digest = digestOf(text);
    return digest === seen.digest || digest === seen.reported ? undefined : { path, seen, now: text };
  } catch {
    return undefined;
  }
}
