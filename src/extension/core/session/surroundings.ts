/* What a session needs from around it, and what it offers to tools and to the prompt. */

import type { ApprovalMode, Attachment, Message, Part, Todo } from '../../../protocol/events.ts';
import type { Mention } from '../../../protocol/mentions.ts';
import type { BlobStore } from '../../platform/blobs.ts';
import type { Diagnostics } from '../../platform/diagnostics.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { SessionStore } from '../../platform/storage.ts';
import type { VersionControl } from '../../platform/versionControl.ts';
import type { AgentKind } from '../agents/agentKind.ts';
import type { TemplateSources } from '../commands/template/templateSources.ts';
import type { MemoryBlock } from '../context/memory.ts';
import type { ConversationPorts } from '../conversation/conversation.ts';
import type { Hooks } from '../hooks/hooks.ts';
import type { Plans } from '../plan/plans.ts';
import type { Policy } from '../policy/policy.ts';
import type { PromptFacts } from '../prompt/facts.ts';
import type { Availability } from '../routing/availability.ts';
import type { ModelChain } from '../routing/modelChain.ts';
import type { AnyTool, AskBeside } from '../tool.ts';
import type { BudgetLimit } from './budgets.ts';

export interface SessionSurroundings extends ConversationPorts {
  /** Absent: there are none. */
  readonly hooks?: Hooks;
  readonly folders: readonly string[];
  readonly store: SessionStore;
  readonly diagnostics: Diagnostics;
  readonly policy: Policy;
  /** What `auto` chooses from, who takes over, and who answers beside the conversation. */
  readonly models: () => ModelChain;
  /** The id that a name of a model stands for; absent: names are ids. */
  readonly resolveModel?: (name: string) => string;
  /** Shared by the sessions of a window. */
  readonly availability: Availability;
  /** A person is there to decide. */
  readonly interactive: boolean;
  readonly files: FileSystem;
  readonly blobs: BlobStore;
  readonly versionControl: VersionControl;
  /** Made once for the session. */
  readonly tools: (session: ToolSurface) => readonly AnyTool[];
  /** The same for tools that come and go, as those of servers: asked before each request. Absent: none do. */
  readonly moreTools?: (session: ToolSurface) => () => readonly AnyTool[];
  /** Reads at the start of a turn what the prompt is made of; what it returns composes it for each step. */
  readonly readPrompt: (facts: SessionFacts) => Promise<ComposePrompt>;
  /** Who can be sent out; absent: nobody. */
  readonly agents?: AgentSources;
  /** What the workspace holds and the editor shows, as text for the model, without what it was told. Never rejects. */
  readonly editorContext: (signal: AbortSignal) => Promise<readonly string[]>;
  /**
   * Reads what a prompt names with `@` and the files attached to it, before its first request. Never rejects: what
   * cannot be read is said in the mentions; on abort it returns what it has.
   */
  readonly readMentions: (
    text: string,
    attachments: readonly Attachment[],
    signal: AbortSignal,
  ) => Promise<ReadMentions>;
  /** What commands with a text of their own are filled from. Absent: they cannot be sent. */
  readonly templates?: TemplateSources;
  /** What the memory of folders says that a call worked in, for the end of its result. Never rejects. */
  readonly tellOfFolders: (folders: readonly string[]) => Promise<string>;
  /** What came so. */
  readonly folderMemory: () => readonly MemoryBlock[];
  /** The history lost what was told of the editor and of folders: the next text is whole again. */
  readonly forgetEditorContext: () => void;
  /** What a turn and a session may use up; without those that are switched off. */
  readonly budgetLimits: () => readonly BudgetLimit[];
  /** After an answer without calls the model is asked whether it meant to rest. */
  readonly nextSpeakerCheck: () => boolean;
  readonly outputLimit: () => number;
}

export interface ReadMentions {
  /** For the prompt's message, before the person's words. */
  readonly parts: readonly Part[];
  readonly mentions: readonly Mention[];
}

/** @param write what the facts become; absent: the system prompt of the session */
export type ComposePrompt = (facts: SessionFacts, write?: (facts: PromptFacts) => string) => string;

export interface AgentSources {
  /** By name, as of the newest prompt. */
  readonly kinds: () => ReadonlyMap<string, AgentKind>;
  /** For one that is sent out and was told nothing yet. */
  readonly tellOfFolders: () => SessionSurroundings['tellOfFolders'];
}

/** What tools may do to the session that they work in. */
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
  /** A part of the history is summarised now. */
  hasCompressed(): boolean;
  /** About an edit that failed. */
  readonly askAboutEdit: AskBeside;
}

export interface SaidChapter {
  /** 0 for the opening. */
  readonly number: number;
  /** Empty for the opening. */
  readonly title: string;
  readonly summary?: string;
  readonly messages: readonly Message[];
}

/** What the system prompt says of the session. */
export interface SessionFacts {
  readonly mode: ApprovalMode;
  readonly model: string;
  readonly activeTopic: string | undefined;
  readonly toolNames: readonly string[];
}
