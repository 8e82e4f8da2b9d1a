import { join } from 'node:path';
import type { EmittedEvent } from '../../../protocol/fold/agents.ts';
import type { ApprovalMode } from '../../../protocol/intentions.ts';
import type { SessionState } from '../../../protocol/state.ts';
import type { IsolatedPlace, Worktree } from '../../../protocol/worktree.ts';
import { messageOf } from '../../base/errors.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { Log } from '../../platform/log.ts';
import { type Journal, SessionInUseError, type SessionStore } from '../../platform/storage.ts';
import { askModelOnce, type ModelQuestion } from '../answers/modelQuestion.ts';
import { discardInterruptedOutputs, readInterruptedOutputs } from '../calls/callOutputs.ts';
import { folderContains } from '../folderPaths.ts';
import type { SessionImporter } from '../imports/sessionImporter.ts';
import { nearestMode } from '../policy/initialMode.ts';
import { readJournals } from '../recording/readEvents.ts';
import {
  agentClosingEvents,
  callsWithoutResult,
  readSession,
  sessionClosingEvents,
} from '../recording/restore.ts';
import { SessionCatalog } from '../recording/sessionCatalog.ts';
import { currentTurnModel, sideModel } from '../routing/modelRoles.ts';
import { sessionMovedEvent } from '../worktrees/worktreeFolders.ts';
import { Session } from './session.ts';
import type { SessionServices } from './sessionServices.ts';

interface AgentSettings {
  readonly model: () => string;
  readonly mode: () => ApprovalMode;
}

type EventListener = (reported: EmittedEvent) => void;

/** Returns an additional listener for a session, which never throws. */
type Observe = (sessionId: string) => EventListener | undefined;

interface NewSession {
  /** Where it works; absent: in the workspace. */
  readonly place?: IsolatedPlace | undefined;
  /** Name of the external agent that runs it; absent: Folio's own. */
  readonly driver?: string;
  /** Id of a session without a record; absent: a new one. */
  readonly sessionId?: string;
}

/**
 * Creates and reopens sessions.
 * @param makeServices called for each session, since permissions and editor context are per session; with a place
 * elsewhere or for the workspace folders
 */
export class SessionManager {
  private readonly makeServices: (place?: IsolatedPlace) => SessionServices;
  private readonly settings: AgentSettings;
  private readonly observe: Observe;
  private listed: SessionCatalog | undefined;
  private ahead: Session | undefined;

  /** @param observe called for each session; absent: none is observed */
  constructor(
    makeServices: (place?: IsolatedPlace) => SessionServices,
    settings: AgentSettings,
    observe: Observe = () => undefined,
  ) {
    this.makeServices = makeServices;
    this.settings = settings;
    this.observe = observe;
  }

  get catalog(): SessionCatalog {
    if (!this.listed) {
      const { storage, clock, log } = this.makeServices();
      this.listed = new SessionCatalog({ store: storage.sessions, clock, log });
    }
    return this.listed;
  }

  /** Prepares the next new session and loads what its first prompt needs. It leaves no trace until then. */
  async getReady(): Promise<void> {
    this.ahead ??= this.makeSession();
    await this.ahead.getReady();
  }

  newSession(listener?: EventListener, start: NewSession = {}): Session {
    if (listener || Object.values(start).some(value => value !== undefined))
      return this.makeSession(listener, start);
    const { ahead } = this;
    this.ahead = undefined;
    if (ahead && this.isCurrent(ahead)) return ahead;
    if (ahead) void this.discard(ahead);
    return this.makeSession();
  }

  private async discard(session: Session): Promise<void> {
    const { log } = this.makeServices();
    await session.dispose('other').catch(error => log.error('A session made ahead was not discarded', error));
  }

  /** True if a new session would start with the same folders, model and mode. */
  private isCurrent({ state }: Session): boolean {
    const { homeFolders } = this.makeServices().workspace;
    const begins = [state.folders, state.model, state.mode];
    const now = [homeFolders, this.settings.model(), this.settings.mode()];
    return JSON.stringify(begins) === JSON.stringify(now);
  }

  private makeSession(listener?: EventListener, start: NewSession = {}): Session {
    const { place, driver } = start;
    const services = this.makeServices(place);
    const sessionId = start.sessionId ?? services.clock.newId();
    // A copy, since the session's folders must not change when the list grows.
    const folders = [...services.workspace.homeFolders];
    const model = this.settings.model();
    const mode = this.settings.mode();
    const started = { type: 'session.started', sessionId, folders, model, mode } as const;
    const chosen = driver === undefined ? [] : [{ type: 'agent.chosen', name: driver } as const];
    const opening = [started, ...(place ? [sessionMovedEvent(place, folders)] : []), ...chosen];
    return new Session({ sessionId, opening, listener: this.heard(sessionId, listener) }, services);
  }

  /** Rejects if the session does not exist, and with `SessionInUseError` if another window has it open. */
  async openSession(sessionId: string, listener?: EventListener): Promise<Session> {
    const home = this.makeServices();
    const { sessions } = home.storage;
    const journal = await reopenJournal(sessionId, sessions, home.log);
    try {
      const past = readSession(await readJournals(sessions, sessionId));
      const { worktree, isGone } = await findWorktree(past.state, home.workspace.files);
      const place = worktree ?? past.state.container;
      const services = place ? this.makeServices(place) : home;
      const { mode, reviews, shelved } = past.state;
      const limit = services.limits().outputLength;
      const printed = await readInterruptedOutputs(sessions, sessionId, callsWithoutResult(past), limit);
      const closedAgents = agentClosingEvents(past, printed);
      const opening = sessionClosingEvents(past, printed);
      const heard = this.heard(sessionId, listener);
      const start = { sessionId, past, closedAgents, opening, journal, listener: heard };
      const session = new Session(start, services);
      // If the journal is writable, it now contains the output.
      if (journal) discardInterruptedOutputs(sessions, sessionId, printed);
      if (isGone) session.returnHome();
      const isLost = ({ path }: { readonly path: string }) => isGone && isIn(past.state.worktree, path);
      await session.changes.resume(
        reviews.filter(each => !isLost(each)),
        shelved.filter(each => !isLost(each)),
      );
      // Full permission must be given again, never restored from disk.
      const inherited = mode === 'yolo' ? this.settings.mode() : mode;
      session.setMode(nearestMode(inherited, services.limits().modes));
      return session;
    } catch (error) {
      await journal?.close();
      throw error;
    }
  }

  private heard(sessionId: string, listener: EventListener | undefined): EventListener | undefined {
    const observer = this.observe(sessionId);
    if (!listener || !observer) return listener ?? observer;
    return reported => {
      listener(reported);
      observer(reported);
    };
  }

  async importer(): Promise<SessionImporter> {
    const { SessionImporter } = await import('../imports/sessionImporter.ts');
    const beginning = { model: this.settings.model(), mode: this.settings.mode() };
    return new SessionImporter(this.makeServices(), beginning);
  }

  /** Returns the lines of a file for import elsewhere. Rejects if the session does not exist. */
  async sessionFile(sessionId: string): Promise<readonly string[]> {
    const { sessionFileLines } = await import('../imports/sessionFile.ts');
    return sessionFileLines(this.makeServices().storage, sessionId);
  }

  /** Asks a question outside of any session; see `askModelOnce`. */
  async ask(question: ModelQuestion, signal: AbortSignal): Promise<string> {
    return askModelOnce(this.makeServices().models.provider(), question, signal);
  }

  /** Returns the model for such a question about a session. */
  sideModel(state: SessionState): string {
    const { models } = this.makeServices();
    const chain = models.chain();
    return sideModel(currentTurnModel(state, chain), chain, models.availability);
  }
}

function isIn(worktree: Worktree | undefined, path: string): boolean {
  return worktree !== undefined && folderContains(worktree.path, path);
}

/** Returns the session's worktree if it still exists. */
async function findWorktree(
  { worktree }: SessionState,
  files: Pick<FileSystem, 'stat'>,
): Promise<{ readonly worktree?: Worktree; readonly isGone: boolean }> {
  if (!worktree) return { isGone: false };
  // Without `.git`, Git would use a repository above the folder.
  const found = await files.stat(join(worktree.path, '.git'));
  return found ? { worktree, isGone: false } : { isGone: true };
}

/** If writing is impossible, the session can still be read, and its recorder reports the problem. */
async function reopenJournal(sessionId: string, store: SessionStore, log: Log): Promise<Journal | undefined> {
  try {
    return await store.reopenJournal(sessionId);
  } catch (error) {
    if (error instanceof SessionInUseError) throw error;
    log.warn(`The journal of session ${sessionId} cannot be written: ${messageOf(error)}`);
    return undefined;
  }
}
