import type { ApprovalMode, SessionEvent } from '../../protocol/events.ts';
import type { SessionEntry } from '../../protocol/messages.ts';
import type { SessionState } from '../../protocol/state.ts';
import type { Log } from '../platform/log.ts';
import type { SessionStore, StoredSession } from '../platform/storage.ts';
import { askQuestion, type Question } from './question.ts';
import { parseEvent, restoreSession } from './recording/restore.ts';
import { Session } from './session/session.ts';
import type { SessionSurroundings } from './session/surroundings.ts';

export interface AgentSettings {
  readonly model: () => string;
  readonly mode: () => ApprovalMode;
}

type EventListener = (event: SessionEvent) => void;

/** Sessions of the history list at the most. */
const listedSessions = 100;

/**
 * Makes and reopens sessions over one set of surroundings.
 * @param surroundings made anew for each session: permissions and the editor context belong to one session
 */
export class Agent {
  private readonly surroundings: () => SessionSurroundings;
  private readonly settings: AgentSettings;

  constructor(surroundings: () => SessionSurroundings, settings: AgentSettings) {
    this.surroundings = surroundings;
    this.settings = settings;
  }

  newSession(listener?: EventListener): Session {
    const around = this.surroundings();
    const sessionId = around.clock.newId();
    const { folders } = around;
    const model = this.settings.model();
    const mode = this.settings.mode();
    const opening = [{ type: 'session.started', sessionId, folders, model, mode }] as const;
    return new Session({ sessionId, opening, listener }, around);
  }

  /** Rejects when there is no such session on the disk. */
  async openSession(sessionId: string, listener?: EventListener): Promise<Session> {
    const around = this.surroundings();
    const { state, events, closing, unreadable } = restoreSession(await around.store.readJournal(sessionId));
    if (unreadable > 0) around.log.warn(`${unreadable} lines of the session's journal could not be read.`);
    const session = new Session({ sessionId, state, past: events, opening: closing, listener }, around);
    await session.changes.resume(state.reviews);
    // A permission for everything is given anew, never inherited from the disk.
    if (state.mode === 'yolo') session.setMode(this.settings.mode());
    return session;
  }

  /** What the disk has of a session. Rejects when there is no such session. */
  async readSession(sessionId: string): Promise<SessionState> {
    return restoreSession(await this.surroundings().store.readJournal(sessionId)).state;
  }

  /** A question outside of any session; see `askQuestion`. */
  async ask(question: Question, signal: AbortSignal): Promise<string> {
    return askQuestion(this.surroundings().provider(), question, signal);
  }

  /** The id of the newest session in which something was asked. */
  async findNewest(): Promise<string | undefined> {
    const { store, log } = this.surroundings();
    for (const stored of await store.list()) {
      const entry = await readEntry(stored, store, log);
      if (entry) return entry.sessionId;
    }
    return undefined;
  }

  /** Newest first; those in which nothing was asked are left out. */
  async listSessions(): Promise<readonly SessionEntry[]> {
    const { store, log } = this.surroundings();
    const entries: SessionEntry[] = [];
    for (const stored of (await store.list()).slice(0, listedSessions)) {
      const entry = await readEntry(stored, store, log);
      if (entry) entries.push(entry);
    }
    return entries;
  }
}

async function readEntry(
  stored: StoredSession,
  store: SessionStore,
  log: Log,
): Promise<SessionEntry | undefined> {
  try {
    return describeSession(stored, await store.readJournal(stored.sessionId));
  } catch (error) {
    // One unreadable session must not hide the others.
    log.warn(`Session ${stored.sessionId} could not be read: ${String(error)}`);
    return undefined;
  }
}

/** Reads only the few lines that name things; the rest is not even parsed. */
function describeSession(stored: StoredSession, lines: readonly string[]): SessionEntry | undefined {
  const named = lines
    .filter(line => line.includes('"turn.started"') || line.includes('"chapter.started"'))
    .map(parseEvent)
    .filter((event): event is SessionEvent => event !== undefined);
  const first = named.find(event => event.type === 'turn.started');
  if (!first) return undefined;
  const title = first.text.trim().split('\n', 1)[0] ?? '';
  const chapters = named.flatMap(event => (event.type === 'chapter.started' ? [event.title] : []));
  return { sessionId: stored.sessionId, title, changedAt: stored.changedAt, chapters };
}
