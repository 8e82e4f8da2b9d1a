import type { ReviewedFile } from '../../../protocol/changes.ts';
import { type Chapter, newestChapter, type SessionState } from '../../../protocol/state.ts';
import type { Writer } from '../../../protocol/values.ts';
import { workspaceFoldersOf } from '../../../protocol/worktree.ts';
import { maskSecrets } from '../../base/maskSecrets.ts';
import { CommandError } from '../../core/commandError.ts';
import { chapterMarkdown } from '../../core/export/chapterMarkdown.ts';
import { describeTotals } from '../../core/export/workTotals.ts';
import type { SessionCatalog } from '../../core/recording/sessionCatalog.ts';
import type { ServedFolders } from './servedFolders.ts';

interface ServedSession {
  readonly id: string;
  readonly title: string;
  readonly changedAt: string;
  readonly folder: string;
}

/** Maximum characters per answer, to fit a client's context. The rest is read from where it ends. */
const pageLength = 40_000;
const listedSessions = 50;

/** The sessions of the served folders, from their journals, with known secrets masked. */
export class ServedSessions {
  private readonly catalog: Pick<SessionCatalog, 'placed' | 'read'>;
  private readonly folders: ServedFolders;

  constructor(catalog: Pick<SessionCatalog, 'placed' | 'read'>, folders: ServedFolders) {
    this.catalog = catalog;
    this.folders = folders;
  }

  /** Newest first. */
  async list(query?: string): Promise<readonly ServedSession[]> {
    const sessions: ServedSession[] = [];
    for await (const { sessionId: id, title, changedAt, folders } of this.catalog.placed(query)) {
      if (!(await this.folders.holdOne(folders))) continue;
      const masked = maskSecrets(title);
      sessions.push({
        id,
        title: masked,
        changedAt: new Date(changedAt).toISOString(),
        folder: folders[0] ?? '',
      });
      if (sessions.length === listedSessions) break;
    }
    return sessions;
  }

  /** Throws the same `CommandError` for a missing session and for one of other folders. */
  async read(sessionId: string): Promise<SessionState> {
    const state = /^[\w-]{1,100}$/.test(sessionId)
      ? await this.catalog.read(sessionId).catch(() => undefined)
      : undefined;
    if (!state || !(await this.folders.holdOne(workspaceFoldersOf(state))))
      throw new CommandError(`There is no session ${sessionId} of these folders.`);
    return state;
  }

  /** One line per chapter. */
  async describe(sessionId: string): Promise<string> {
    const state = await this.read(sessionId);
    const lines = state.chapters.map(chapter => {
      const facts = [chapter.summary, describeTotals(chapter)].filter(Boolean).join(' · ');
      return `${chapter.number}. ${chapter.title || 'Opening'}${facts === '' ? '' : ` — ${facts}`}`;
    });
    const live = newestChapter(state).number;
    return `${maskSecrets([`# ${state.title}`, ...lines].join('\n'))}\n\nThe newest chapter is ${live}.\n`;
  }

  /** @param from index of the first character, for long chapters */
  async readChapter(sessionId: string, number: number, from = 0): Promise<string> {
    const state = await this.read(sessionId);
    const text = chapterMarkdown(chapterOf(state, number), state);
    const end = from + pageLength;
    const rest =
      text.length > end ? `\n\n[${text.length - end} more characters: read on from ${end}.]\n` : '';
    return `${text.slice(from, end)}${rest}`;
  }

  /** Files with changes to review, and who wrote them. */
  async describeReviews(sessionId: string): Promise<string> {
    const { reviews } = await this.read(sessionId);
    if (reviews.length === 0) return 'No changes wait for review.';
    return maskSecrets(reviews.map(describeReview).join('\n\n'));
  }
}

function chapterOf({ sessionId, chapters }: SessionState, number: number): Chapter {
  const chapter = chapters.find(each => each.number === number);
  if (!chapter) throw new CommandError(`Session ${sessionId} has no chapter ${number}.`);
  return chapter;
}

const signs = { context: ' ', added: '+', removed: '-' } as const;

function describeReview({ shown, change, hunks }: ReviewedFile): string {
  const described = hunks.map(({ status, start, lines, hiddenLines, writers = [] }) => {
    const by = writers.map(describeWriter).join(', ');
    const head = `@@ line ${start + 1}, ${status}${by === '' ? '' : `, by ${by}`}`;
    const body = lines.map(({ kind, text }) => `${signs[kind]}${text}`);
    return [head, ...body, ...(hiddenLines > 0 ? [`… ${hiddenLines} more lines`] : [])].join('\n');
  });
  return [`${change} ${shown}`, ...described].join('\n');
}

function describeWriter(writer: Writer): string {
  switch (writer.kind) {
    case 'call':
    case 'meanwhile':
      return writer.words;
    case 'command':
      return writer.line;
    case 'session':
      return `the session ${writer.name}`;
    case 'person':
      return 'the user';
  }
}
