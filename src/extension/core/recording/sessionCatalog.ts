import type { SessionEventBody } from '../../../protocol/events.ts';
import { eventOf, isAgentEvent } from '../../../protocol/fold/agents.ts';
import type { SessionEntry } from '../../../protocol/panel/sessions.ts';
import type { SessionState } from '../../../protocol/state.ts';
import { messageOf } from '../../base/errors.ts';
import { oneLine, sanitiseLine } from '../../base/text.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { SessionStore } from '../../platform/storage.ts';
import { formatAgentLine, parseEvent, parseJournalLine } from './parseEvent.ts';
import { type JournalLines, readJournalLines, readJournals } from './readEvents.ts';
import { readSession, restoreSession } from './restore.ts';
import { SessionIndex, type SummarisedSession } from './sessionIndex.ts';
import { fileWithFolder, type SessionSummary } from './sessionSummary.ts';

const listedSessions = 100;
const titleLimit = 80;
const dayMs = 24 * 60 * 60 * 1000;
/** Long enough to notice a loss after a holiday. */
const trashDays = 7;

interface SessionList {
  /** Newest first, without sessions that have no prompt. */
  readonly sessions: readonly SessionEntry[];
  /** More sessions match. */
  readonly limited: boolean;
}

interface PlacedSession extends Pick<SessionEntry, 'sessionId' | 'changedAt' | 'title'> {
  /** Absolute; commands run in the first. */
  readonly folders: readonly string[];
  /** The user chose its title. */
  readonly named: boolean;
}

interface Tidying {
  /** Older sessions are moved to the trash; 0: none. */
  readonly days: number;
  /** True if it is open in this window. */
  readonly isOpen: (sessionId: string) => boolean;
}

/** The stored sessions, for search and housekeeping. Open sessions are changed through `Session`. */
export class SessionCatalog {
  private readonly store: SessionStore;
  private readonly clock: Clock;
  private readonly log: Log;
  private readonly index: SessionIndex;
  private readonly searched = new WeakMap<SessionSummary, string>();

  constructor({ store, clock, log }: { store: SessionStore; clock: Clock; log: Log }) {
    this.store = store;
    this.clock = clock;
    this.log = log;
    this.index = new SessionIndex(store, log);
  }

  /**
   * Lists sessions whose title, worktree, agent, chapters, prompts, answers or files contain all words of the query, in
   * any order.
   */
  async list(query = ''): Promise<SessionList> {
    const found = await this.search(query);
    const sessions = found.slice(0, listedSessions).map(({ sessionId, changedAt, summary }) => ({
      sessionId,
      changedAt,
      title: summary.title,
      chapters: summary.chapters.map(({ title }) => title),
      found: this.excerptOf(summary, query),
      worktree: summary.worktree,
      container: summary.container,
      driver: summary.driver,
    }));
    return { sessions, limited: found.length > listedSessions };
  }

  /** Returns the ids of sessions that may have changed one of these files, newest first. Reads no journal for it. */
  async findByFiles(paths: Iterable<string>): Promise<readonly string[]> {
    const wanted = new Set(Array.from(paths, fileWithFolder));
    const found = (await this.asked()).filter(({ summary }) => summary.files.some(file => wanted.has(file)));
    return found.map(({ sessionId }) => sessionId);
  }

  /** Sessions that the user named, newest first. */
  async named(): Promise<readonly Omit<PlacedSession, 'folders'>[]> {
    return (await this.asked())
      .filter(({ summary }) => summary.named)
      .map(({ sessionId, changedAt, summary }) => ({
        sessionId,
        changedAt,
        title: summary.title,
        named: true,
      }));
  }

  /** Newest first, with their folders, without sessions that have no prompt. */
  async *placed(query = ''): AsyncGenerator<PlacedSession> {
    for (const { sessionId, changedAt, summary } of await this.search(query)) {
      const folders = await this.readFolders(sessionId);
      if (folders) yield { sessionId, changedAt, title: summary.title, folders, named: summary.named };
    }
  }

  private async search(query: string): Promise<Awaited<ReturnType<SessionCatalog['asked']>>> {
    const words = searchable(query).split(/\s+/).filter(Boolean);
    return (await this.asked()).filter(({ summary }) => {
      const text = words.length > 0 ? this.textOf(summary) : '';
      return words.every(word => text.includes(word));
    });
  }

  /** Returns the id of the newest session with a prompt whose folders match. */
  async findNewest(wants: (folders: readonly string[]) => Promise<boolean>): Promise<string | undefined> {
    for await (const { sessionId, folders } of this.placed()) if (await wants(folders)) return sessionId;
    return undefined;
  }

  /** Reads a stored session. Rejects if it does not exist. */
  async read(sessionId: string): Promise<SessionState> {
    return readSession(await readJournals(this.store, sessionId)).state;
  }

  /** Only for a session that is not open here. Rejects with `SessionInUseError` if another window has it open. */
  async rename(sessionId: string, title: string): Promise<void> {
    const plain = sanitiseLine(title, titleLimit);
    if (plain === '') return;
    const journal = await this.store.reopenJournal(sessionId);
    try {
      // Nobody else appends while it is open here.
      const seq = highestNumber(await readJournalLines(this.store, sessionId)) + 1;
      journal.append(JSON.stringify({ type: 'session.renamed', title: plain, seq, at: this.clock.now() }));
    } finally {
      await journal.close();
    }
  }

  /**
   * Copies a session, which may be open, with its messages so far. Queued prompts and pending reviews stay with the
   * original, so that nothing is sent or decided twice. Resolves with the copy's id.
   */
  async copy(sessionId: string, title: string): Promise<string> {
    const lines = await readJournalLines(this.store, sessionId);
    const { state } = restoreSession(lines.own);
    const copyId = this.clock.newId();
    const journal = await this.store.openJournal(copyId);
    try {
      for (const line of lines.own) journal.append(copiedLine(line, copyId));
      await this.copyAgents(lines, copyId);
      const left: readonly SessionEventBody[] = [
        { type: 'session.derived', from: sessionId },
        ...state.queue.map(({ id }) => ({ type: 'prompt.unqueued', id, because: 'removed' }) as const),
        ...state.reviews.map(({ path }) => ({ type: 'review.changed', path }) as const),
        ...state.shelved.map(({ path }) => ({ type: 'review.putAside', path, reviews: [] }) as const),
        { type: 'session.renamed', title: sanitiseLine(title, titleLimit) },
      ];
      const at = (lines.own.map(parseEvent).findLast(event => event !== undefined)?.at ?? 1) - 1;
      const first = highestNumber(lines) + 1;
      for (const [index, event] of left.entries())
        journal.append(JSON.stringify({ ...event, seq: first + index, at }));
      await journal.flush();
    } finally {
      await journal.close();
    }
    return copyId;
  }

  private async copyAgents({ agents }: JournalLines, copyId: string): Promise<void> {
    for (const [callId, lines] of agents) {
      const journal = await this.store.openAgentJournal(copyId, callId);
      // Subagents are identified by their call, which the copy has, too.
      for (const line of lines) journal.append(copiedLine(line, callId));
      await journal.close();
    }
  }

  /** Moves it to the trash. Only for a session that is not open here. */
  remove(sessionId: string): Promise<void> {
    return this.store.remove(sessionId, this.clock.now());
  }

  bringBack(sessionId: string): Promise<void> {
    return this.store.bringBack(sessionId);
  }

  /** Deletes from the trash what is older than a week, and moves old sessions there. Never rejects. */
  async tidy({ days, isOpen }: Tidying): Promise<void> {
    const now = this.clock.now();
    try {
      await this.store.emptyTrash(now - trashDays * dayMs);
      if (days <= 0) return;
      const before = now - days * dayMs;
      const old = (await this.index.list()).filter(({ changedAt }) => changedAt < before);
      for (const { sessionId, summary } of old) {
        if (!isOpen(sessionId) && !summary.named) await this.dispose(sessionId);
      }
    } catch (error) {
      this.log.warn(`Old sessions were not archived: ${messageOf(error)}`);
    }
  }

  /** Skips sessions with pending reviews and unreadable ones. */
  private async dispose(sessionId: string): Promise<void> {
    try {
      const { state, unreadable } = readSession(await readJournals(this.store, sessionId));
      if (unreadable > 0 || state.reviews.length > 0) return;
      await this.remove(sessionId);
      this.log.info(`Session ${sessionId} was old and is in the trash now.`);
    } catch (error) {
      this.log.warn(`Session ${sessionId} was not archived: ${messageOf(error)}`);
    }
  }

  /** Reads only up to the first line with folders. */
  private async readFolders(sessionId: string): Promise<readonly string[] | undefined> {
    try {
      for await (const { lines } of this.store.scanJournal(sessionId, 0)) {
        for (const line of lines) {
          const event = parseEvent(line);
          if (event?.type === 'session.started') return event.folders;
        }
      }
    } catch (error) {
      this.log.warn(`Session ${sessionId} could not be read: ${messageOf(error)}`);
    }
    return undefined;
  }

  private async asked(): Promise<readonly SummarisedSession[]> {
    return (await this.index.list()).filter(({ summary }) => summary.title !== '');
  }

  /**
   * Returns text around the query, or around its first word missing in title and chapters; undefined: these contain it
   * all.
   */
  private excerptOf(summary: SessionSummary, query: string): string | undefined {
    const phrase = searchable(query).trim();
    if (phrase === '') return undefined;
    const shown = searchable(shownText(summary));
    const missing = phrase.split(/\s+/).find(word => !shown.includes(word));
    if (missing === undefined) return undefined;
    // The searched text is that of title and chapters, a line break, and the rest.
    const hidden = shown.length + 1;
    const places = [phrase, missing].map(words => this.textOf(summary).indexOf(words, hidden));
    const at = places.find(place => place >= 0) ?? hidden;
    // Lengths may differ for composed letters, which shifts the excerpt slightly.
    return excerptAt(hiddenText(summary), at - hidden);
  }

  private textOf(summary: SessionSummary): string {
    const known = this.searched.get(summary);
    if (known !== undefined) return known;
    const text = searchable([shownText(summary), hiddenText(summary)].join('\n'));
    this.searched.set(summary, text);
    return text;
  }
}

function highestNumber({ own, agents }: JournalLines): number {
  const numbers = [own, ...agents.values()].flat().map(line => {
    const reported = parseJournalLine(line);
    return reported ? eventOf(reported).seq : 0;
  });
  return numbers.reduce((a, b) => Math.max(a, b), 0);
}

/**
 * Sets the times of copied events one millisecond earlier, so that the original stays the newer of the two. Unreadable
 * lines are copied unchanged.
 */
function copiedLine(line: string, sessionId: string): string {
  const reported = parseJournalLine(line);
  if (!reported) return line;
  const event = { ...eventOf(reported), at: eventOf(reported).at - 1 };
  if (isAgentEvent(reported)) return formatAgentLine({ ...reported, event });
  return JSON.stringify(event.type === 'session.started' ? { ...event, sessionId } : event);
}

/** Text of a list row without a query. */
function shownText({ title, worktree = '', driver = '', chapters }: SessionSummary): string {
  return [title, worktree, driver, ...chapters.map(chapter => chapter.title)].join('\n');
}

function hiddenText({ prompts, answers, files }: SessionSummary): string {
  return [...files, answers, prompts].join('\n');
}

/** Characters of an excerpt before the match, and in total. */
const excerptLead = 24;
const excerptLimit = 120;

/** @param at a character of the line that the excerpt is from */
function excerptAt(text: string, at: number): string {
  const line = text.lastIndexOf('\n', at) + 1;
  const start = Math.max(line, text.lastIndexOf(' ', Math.max(0, at - excerptLead)) + 1);
  const [excerpt = ''] = text.slice(start).split('\n', 1);
  return `${start > line ? '…' : ''}${oneLine(excerpt, excerptLimit)}`;
}

/** Removes case and accents. */
export function searchable(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
