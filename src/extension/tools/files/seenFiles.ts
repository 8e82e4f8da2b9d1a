import { createHash } from 'node:crypto';
import type { Message, SessionEvent } from '../../../protocol/events.ts';
import { t } from '../../../protocol/language.ts';
import type { WorkspacePaths } from '../../core/paths.ts';
import { ToolFailure } from '../../core/tool.ts';
import type { FileReader } from '../../platform/fileSystem.ts';
import { fileDiff } from '../../review/fileDiff.ts';
import { formatDiff } from './formatDiff.ts';

/** Total UTF-16 units. Beyond that, the texts seen longest ago are dropped. */
const limit = 32_000_000;
/** Changed and surrounding lines that a refusal shows. */
const maxShownLines = 100;
/** Lines that a prompt shows per file, and in total. */
const maxReportedLines = { file: 40, all: 200 };
/** Files that a prompt checks, most recently seen first. */
const maxChecked = 300;
/** Coarsest timestamp resolution of file systems, milliseconds. */
const timeSlackMs = 2_000;

interface SeenFile {
  readonly digest: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** Digest of content that was reported but not fully shown to the model; `null` if the file was deleted. */
  reported?: string | null;
}

/** One time that a file was shown to the model, with its position in the history. */
interface Sight {
  readonly path: string;
  readonly digest: string;
  readonly at: number;
  /** Number of messages before it. */
  readonly messages: number;
}

interface SeenFilesOptions {
  readonly now?: () => number;
  /** Returns the text of a file that the system prompt contains in full. */
  readonly standing?: (path: string) => string | undefined;
}

interface SeenRecord {
  /** Folds the event before it returns. */
  noteFile(path: string, digest: string): void;
  said(): readonly Message[];
}

/**
 * The content of each file as the model last saw it, completely or in part. Tools that overwrite a file check it first:
 * a user, hook or formatter may have changed the file without the model knowing. The journal holds digests, so that
 * this survives a resume and follows a rewind. Texts, to describe changes, are cached or found in past messages.
 */
export class SeenFiles {
  /** In order, as far as the history goes. */
  private sights: Sight[] = [];
  private beforeRewind: { readonly sights: Sight[]; readonly messages: number } | undefined;
  private messages = 0;
  /** By absolute real path, newest last. */
  private readonly seen = new Map<string, SeenFile>();
  /** Texts by digest, newest last. */
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

  /** Returns `undefined` if the model has not seen this file, or its text is not cached. */
  textOf(path: string): string | undefined {
    const digest = this.seen.get(path)?.digest;
    if (digest === undefined) return this.standing(path);
    if (!this.texts.has(digest)) this.recall();
    return this.texts.get(digest);
  }

  /** Recovers texts once from messages of earlier processes. */
  private recall(): void {
    if (this.hasRecalled) return;
    this.hasRecalled = true;
    const wanted = new Set([...this.seen.values()].map(({ digest }) => digest));
    for (const text of (this.record?.said() ?? []).flatMap(saidTexts)) {
      const digest = digestOf(text);
      if (wanted.has(digest)) this.remember(digest, text);
    }
  }

  /** Records that the model was shown this file. */
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
   * Records that the model changed a file and knows the result, unless others changed it before. Caches the text only
   * if the model knew all of it: reading a file may need another permission than changing it.
   */
  changed(path: string, before: string | null, after: string): void {
    const seen = this.seen.get(path)?.digest;
    if (before !== null && seen !== undefined && seen !== digestOf(before)) return;
    if (before === null || this.textOf(path) === before) this.note(path, after);
    else this.noteDigest(path, digestOf(after));
  }

  /**
   * @throws `ToolFailure` with the changes, if the file differs from what the model last saw, and once if the model has
   * not seen it at all. The repeated call can succeed.
   */
  async refuseChanged(
    { path, before }: { readonly path: string; readonly before: string | null },
    paths: WorkspacePaths,
  ): Promise<void> {
    const digest = before === null ? undefined : digestOf(before);
    const standing = this.seen.has(path) ? undefined : this.standing(path);
    const known = this.seen.get(path)?.digest ?? (standing === undefined ? undefined : digestOf(standing));
    // An empty file has nothing to lose.
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
      `${shown} changed since you read it, so nothing was written. Keep these changes of others (- as you saw it, + as it is now):\n${formatDiff(diff).join('\n')}${more}`,
      summary,
    );
  }

  /**
   * Describes to the model which seen files have changed; `undefined` if none. A described file counts as seen, unless
   * its changes were too many to show.
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
    return [`changed: ${shown}`, ...formatDiff(diff), ...more];
  }

  /** Does not show the content: reading may need another permission than writing. */
  private refuseUnseen(path: string, shown: string, digest: string): void {
    if (this.known.get(path) === digest) return;
    this.known.set(path, digest);
    throw new ToolFailure(
      `${shown} exists already and you have not read what it holds now, so nothing was written. Read it first. If you know that all of it is to be replaced, call again.`,
      () => t('Already exists, but was not read'),
    );
  }

  /** Follows a session: a rewind changes its history, and thus what the model saw. */
  follower(files: FileReader, paths: WorkspacePaths) {
    return {
      onEvent: (event: SessionEvent) => this.foldEvent(event),
      beforePrompt: () => this.describeChanges(files, paths),
    };
  }

  /** From now on sights are recorded in the session, whose follower receives them. */
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
 * Returns texts of files that a message may show: the content argument of a call, and a result without its header line,
 * with the final line break that reading omits.
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
  /** `null` if the file was deleted. */
  readonly now: string | null;
}

/** An unreadable file is not reported: it may be readable with the next prompt. */
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
