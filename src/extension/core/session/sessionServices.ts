/* The collaborators of a session, and its interface for tools and the prompt. */

import type { Message, Part, SessionEvent } from '../../../protocol/events.ts';
import type { ApprovalMode, Attachment } from '../../../protocol/intentions.ts';
import type { Mention } from '../../../protocol/mentions.ts';
import type { Todo } from '../../../protocol/values.ts';
import type { Clock } from '../../platform/clock.ts';
import type { DiagnosticReader } from '../../platform/diagnostics.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { Log } from '../../platform/log.ts';
import type { BlobStore, SessionStore } from '../../platform/storage.ts';
import type { VersionControl } from '../../platform/versionControl.ts';
import type { AgentDefinition } from '../agents/agentDefinition.ts';
import type { RemoteAgentClient } from '../agents/remote/remoteAgents.ts';
import type { ConcurrentRuns } from '../changes/concurrentRuns.ts';
import type { IncludedIgnoredFiles } from '../changes/includedIgnoredFiles.ts';
import type { TemplateSources } from '../commands/template/templateSources.ts';
import type { EnvironmentContext } from '../context/environmentContext.ts';
import type { InboxServices } from '../context/inbox/proposalScanner.ts';
import type { ExternalAgentServices } from '../external/externalSession.ts';
import type { Hooks } from '../hooks/hooks.ts';
import type { LimitSettings } from '../limitSettings.ts';
import type { Plans } from '../plan/plans.ts';
import type { Policy } from '../policy/policy.ts';
import type { RunningPrograms, SessionPrograms } from '../programs/runningPrograms.ts';
import type { SystemPromptReader } from '../prompt/promptReader.ts';
import type { ModelServices } from '../routing/modelServices.ts';
import type { AnyTool, AskCheapModel, EditCheckResult } from '../tool.ts';
import type { WorktreeTransfer } from '../worktrees/worktreeTransfer.ts';
import type { SessionSlots } from './sessionSlots.ts';

/** The services of one session. Each session has its own, since permissions and known editor state are per session. */
export interface SessionServices {
  readonly workspace: Workspace;
  readonly storage: SessionStores;
  readonly models: ModelServices;
  readonly tools: ToolSource;
  readonly prompt: SystemPromptReader;
  readonly environmentContext: EnvironmentContext;
  readonly mentions: MentionReader;
  readonly policy: Policy;
  readonly hooks?: Hooks;
  readonly limits: () => LimitSettings;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Workspace {
  /** Absolute: the folders that the session works in. */
  readonly folders: readonly string[];
  /** Absolute: the workspace folders of the user. */
  readonly homeFolders: readonly string[];
  /** Absent: the session works in `homeFolders`. */
  readonly worktreeTransfer?: WorktreeTransfer | undefined;
  readonly files: FileSystem;
  readonly versionControl: VersionControl;
  /** Absent: other writers are unknown. */
  readonly concurrentRuns?: ConcurrentRuns;
  /** Ignored files that are reviewed nevertheless; absent: none. */
  readonly alsoIgnored?: IncludedIgnoredFiles;
  readonly diagnostics: DiagnosticReader;
  /** Absent: the number of working sessions is unlimited. */
  readonly slots?: SessionSlots | undefined;
}

export interface SessionStores {
  readonly sessions: SessionStore;
  readonly blobs: BlobStore;
  /** Absent: sessions propose nothing. */
  readonly inbox?: InboxServices | undefined;
}

export interface ToolSource {
  /** Called once per session. */
  builtIn(session: SessionForTools): readonly AnyTool[];
  /**
   * Returns a function, called before each request, for tools that come and go, such as those of servers. Absent: none.
   */
  foreign?(session: SessionForTools): () => readonly AnyTool[];
  /** Subagents by name, as of the newest prompt. Absent: none. */
  agents?(): ReadonlyMap<string, AgentDefinition>;
  /** Connects to agents on other servers; absent: unavailable. */
  readonly remote?: RemoteAgentClient;
  /** Programs left running by commands; absent: each session tracks its own. */
  readonly programs?: RunningPrograms;
  /**
   * Checks the session's open tools after a turn that changed files. `undefined`: nothing to check, or checks are off.
   * Rejects only with the signal's reason.
   */
  checkWork?(signal: AbortSignal): Promise<EditCheckResult | undefined>;
  /** Stops what tools of the session left running, when it closes. */
  close?(): Promise<void>;
  /** External agents that may run the session; absent: none. */
  external?(session: SessionForTools): ExternalAgentServices;
}

export interface MentionReader {
  /** Sources for templates of commands. Absent: such commands cannot be sent. */
  readonly templates?: TemplateSources;
  /**
   * Reads mentions and attached files of a prompt before its first request. Never rejects: failures are reported in the
   * mentions. On abort it returns what it has.
   */
  read(text: string, attachments: readonly Attachment[], signal: AbortSignal): Promise<ReadMentions>;
}

interface ReadMentions {
  /** For the prompt's message, before the user's text. */
  readonly parts: readonly Part[];
  readonly mentions: readonly Mention[];
}

/** The session as its tools see it, and what they may change in it. */
export interface SessionForTools {
  readonly sessionId: string;
  /** Returns false if this topic is already active. */
  startTopic(title: string, previousSummary: string | undefined): boolean;
  setTodos(todos: readonly Todo[]): void;
  mode(): ApprovalMode;
  setMode(mode: ApprovalMode): void;
  readonly plans: Plans;
  model(): string;
  /** In order, with all their messages, compressed or not. */
  chapters(): readonly SaidChapter[];
  follow(follower: SessionFollower): FollowedSession;
  /** True if part of the history was replaced by a summary. */
  hasCompressed(): boolean;
  readonly commands: CommandStatus;
  readonly askAboutEdit: AskCheapModel;
}

/** Facts about commands that the session shows. */
interface CommandStatus {
  readonly programs: SessionPrograms;
  /** Shows on a call's card whether its command waits for the user. @param startedBy the call that started it */
  reportWaiting(callId: string, waits: boolean, startedBy: string | undefined): void;
}

interface FollowedSession {
  /** Records that the model has read this content of a file. */
  noteFile(path: string, digest: string): void;
  /** All messages, compressed or not. */
  said(): readonly Message[];
}

interface SessionFollower {
  /** Called for each event of the session, including past ones. */
  onEvent(event: SessionEvent): void;
  /** Returns context for the model with each prompt; `undefined`: none. Must not reject. */
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
