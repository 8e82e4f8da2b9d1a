import type { ApprovalMode } from '../../protocol/events.ts';
import type { ToldEvent } from '../../protocol/fold/agents.ts';
import type { SessionState } from '../../protocol/state.ts';
import { messageOf } from '../base/errors.ts';
import { type Journal, SessionInUse } from '../platform/storage.ts';
import { discardPrinted, readPrinted } from './calls/callOutputs.ts';
import { askQuestion, type Question } from './question.ts';
import { readJournals } from './recording/readEvents.ts';
import { closeAgents, closeSession, readSession, unrecordedCalls } from './recording/restore.ts';
import { SessionCatalog } from './recording/sessionCatalog.ts';
import { sideModel, workingModel } from './routing/modelChain.ts';
import { Session } from './session/session.ts';
import type { SessionSurroundings } from './session/surroundings.ts';

export interface AgentSettings {
  readonly model: () => string;
  readonly mode: () => ApprovalMode;
}

type EventListener = (told: ToldEvent) => void;

/**
 * Makes and reopens sessions over one set of surroundings.
 * @param surroundings made anew for each session: permissions and the editor context belong to one session
 */
export class Agent {
  private readonly surroundings: () => SessionSurroundings;
  private readonly settings: AgentSettings;
  private listed: SessionCatalog | undefined;

  constructor(surroundings: () => SessionSurroundings, settings: AgentSettings) {
    this.surroundings = surroundings;
    this.settings = settings;
  }

  /** The sessions on the disk. */
  get catalog(): SessionCatalog {
    this.listed ??= new SessionCatalog(this.surroundings());
    return this.listed;
  }

  newSession(listener?: EventListener): Session {
    const around = this.surroundings();
    const sessionId = around.clock.newId();
    // The list may grow later; what a session began with stays.
    const folders = [...around.folders];
    const model = this.settings.model();
    const mode = this.settings.mode();
    const opening = [{ type: 'session.started', sessionId, folders, model, mode }] as const;
    return new Session({ sessionId, opening, listener }, around);
  }

  /** Rejects when there is no such session on the disk, and with `SessionInUse` when another window has it open. */
  async openSession(sessionId: string, listener?: EventListener): Promise<Session> {
    const around = this.surroundings();
    const journal = await reopenJournal(sessionId, around);
    try {
      const read = readSession(await readJournals(around.store, sessionId));
      const { state, told: past } = read;
      const limit = around.outputLimit();
      const printed = await readPrinted(around.store, sessionId, unrecordedCalls(read), limit);
      const closedAgents = closeAgents(read, printed);
      const opening = closeSession(read, printed);
      const start = { sessionId, state, past, closedAgents, opening, journal, listener };
      const session = new Session(start, around);
      // It is in the journal now, if that can be written.
      if (journal) discardPrinted(around.store, sessionId, printed);
      await session.changes.resume(state.reviews);
      // A permission for everything is given anew, never inherited from the disk.
      if (state.mode === 'yolo') session.setMode(this.settings.mode());
      return session;
    } catch (error) {
      await journal?.close();
      throw error;
    }
  }

  /** A question outside of any session; see `askQuestion`. */
  async ask(question: Question, signal: AbortSignal): Promise<string> {
    return askQuestion(this.surroundings().provider(), question, signal);
  }

  /** Which model answers such a question about a session. */
  sideModel(state: SessionState): string {
    const { models, availability } = this.surroundings();
    return sideModel(workingModel(state, models()), models(), availability);
  }
}

/** Where it cannot be opened for writing the session is there to be read; its recorder tells of the trouble. */
async function reopenJournal(
  sessionId: string,
  { store, log }: SessionSurroundings,
): Promise<Journal | undefined> {
  try {
    return await store.reopenJournal(sessionId);
  } catch (error) {
    if (error instanceof SessionInUse) throw error;
    log.warn(`The journal of session ${sessionId} cannot be written: ${messageOf(error)}`);
    return undefined;
  }
}
