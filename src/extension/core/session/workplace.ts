/* The collaborators of a session, and what it offers to tools and to the prompt. */

import type { Message, Part, SessionEvent } from '../../../protocol/events.ts';
import type { ApprovalMode, Attachment } from '../../../protocol/intentions.ts';
import type { Mention } from '../../../protocol/mentions.ts';
import type { Todo } from '../../../protocol/values.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Diagnostics } from '../../platform/diagnostics.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { Log } from '../../platform/log.ts';
import type { BlobStore, SessionStore } from '../../platform/storage.ts';
import type { VersionControl } from '../../platform/versionControl.ts';
import type { AgentKind } from '../agents/agentKind.ts';
import type { RemoteAgents } from '../agents/remote/remoteAgents.ts';
import type { AlsoIgnored } from '../changes/alsoIgnored.ts';
import type { OtherRuns } from '../changes/otherRuns.ts';
import type { TemplateSources } from '../commands/template/templateSources.ts';
import type { Briefing } from '../context/briefing.ts';
import type { InboxPlace } from '../context/inbox/sessionReview.ts';
import type { ExternalWork } from '../external/externalSession.ts';
import type { Hooks } from '../hooks/hooks.ts';
import type { Limits } from '../limits.ts';
import type { Plans } from '../plan/plans.ts';
import type { Policy } from '../policy/policy.ts';
import type { RunningPrograms, SessionPrograms } from '../programs/runningPrograms.ts';
import type { PromptReader } from '../prompt/promptReader.ts';
import type { Models } from '../routing/models.ts';
import type { AnyTool, SideQuery, WorkCheck } from '../tool.ts';
import type { Homecoming } from '../worktrees/homecoming.ts';
import type { WorkPlaces } from './workPlaces.ts';

/** Permissions and what was told of the editor belong to one session, so each gets a workplace of its own. */
export interface Workplace {
  readonly workspace: Workspace;
  readonly storage: Storage;
  readonly models: Models;
  readonly tools: ToolSource;
  readonly prompt: PromptReader;
  readonly briefing: Briefing;
  readonly mentions: MentionReader;
  readonly policy: Policy;
  /** Absent: there are none. */
  readonly hooks?: Hooks;
  /** As the settings are now. */
  readonly limits: () => Limits;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Workspace {
  /** Absolute: where the session works. */
  readonly folders: readonly string[];
  /** Absolute: the folders that the user has open. */
  readonly homeFolders: readonly string[];
  /** Absent: the session works in these. */
  readonly homecoming?: Homecoming | undefined;
  readonly files: FileSystem;
  readonly versionControl: VersionControl;
  /** Absent: nobody else is known to write. */
  readonly otherRuns?: OtherRuns;
  /** Ignored files that are reviewed all the same; absent: none. */
  readonly alsoIgnored?: AlsoIgnored;
  readonly diagnostics: Diagnostics;
  /** Absent: as many sessions work at once as want to. */
  readonly places?: WorkPlaces | undefined;
}

export interface Storage {
  readonly sessions: SessionStore;
  readonly blobs: BlobStore;
  /** Absent: sessions propose nothing. */
  readonly inbox?: InboxPlace | undefined;
}

export interface ToolSource {
  /** Made once for the session. */
  builtIn(session: ToolSurface): readonly AnyTool[];
  /** Tools that come and go, as those of servers: what it returns is asked before each request. Absent: none do. */
  foreign?(session: ToolSurface): () => readonly AnyTool[];
  /** The agents that can be sent out, by name, as of the newest prompt. Absent: there are none. */
  agents?(): ReadonlyMap<string, AgentKind>;
  /** Reaches those on other servers; absent: nobody can. */
  readonly remote?: RemoteAgents;
  /** Knows what commands leave running; absent: each session does for itself. */
  readonly programs?: RunningPrograms;
  /**
   * Checks, after a turn that changed files, what tools of the session have open. `undefined`: there is nothing to
   * check, or nobody wants it. Rejects only with the signal's reason.
   */
  checkWork?(signal: AbortSignal): Promise<WorkCheck | undefined>;
  /** Ends what tools of the session left running, as it closes. */
  close?(): Promise<void>;
  /** Agents of other makers that may drive the session; absent: there are none. */
  external?(session: ToolSurface): ExternalWork;
}

export interface MentionReader {
  /** The sources that fill the templates of commands. Absent: such commands cannot be sent. */
  readonly templates?: TemplateSources;
  /**
   * Reads what a prompt names with `@` and the files attached to it, before its first request. Never rejects: what
   * cannot be read is said in the mentions; on abort it returns what it has.
   */
  read(text: string, attachments: readonly Attachment[], signal: AbortSignal): Promise<ReadMentions>;
}

interface ReadMentions {
  /** For the prompt's message, before the user's words. */
  readonly parts: readonly Part[];
  readonly mentions: readonly Mention[];
}

/** Actions that tools may take on their session. */
export interface ToolSurface {
  readonly sessionId: string;
  /** False when this topic is the active one already. */
  startTopic(title: string, previousSummary: string | undefined): boolean;
  setTodos(todos: readonly Todo[]): void;
  mode(): ApprovalMode;
  setMode(mode: ApprovalMode): void;
  readonly plans: Plans;
  model(): string;
  /** In order, with all that was said in them, compressed or not. */
  chapters(): readonly SaidChapter[];
  follow(follower: SessionFollower): FollowedSession;
  /** A part of the history is summarised now. */
  hasCompressed(): boolean;
  readonly commands: CommandSurface;
  /** About an edit that failed. */
  readonly askAboutEdit: SideQuery;
}

/** Facts about the commands of a session that it shows. */
interface CommandSurface {
  /** The programs that they leave running. */
  readonly programs: SessionPrograms;
  /** Says on a call's card whether its command waits for the user. @param startedBy the call that started it */
  reportWaiting(callId: string, waits: boolean, startedBy: string | undefined): void;
}

interface FollowedSession {
  /** Records that the model was shown this content of a file. */
  noteFile(path: string, digest: string): void;
  /** All that was said, compressed or not. */
  said(): readonly Message[];
}

interface SessionFollower {
  /** Called for each event of the session, those of the past too. */
  onEvent(event: SessionEvent): void;
  /** Context for the model with each prompt; `undefined`: there is nothing to tell. Must not reject. */
  beforePrompt(): Promise<string | undefined>;
}

interface SaidChapter {
  /** 0 for the opening. */
  readonly number: number;
  /** Empty for the opening. */
  readonly title: string;
  readonly summary?: string;
  readonly messages: readonly Message[];
}
