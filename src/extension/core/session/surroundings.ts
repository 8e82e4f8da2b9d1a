/* What a session needs from around it, and what it offers to tools and to the prompt. */

import type { ApprovalMode, Todo } from '../../../protocol/events.ts';
import type { BlobStore } from '../../platform/blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Diagnostics } from '../../platform/diagnostics.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { Log } from '../../platform/log.ts';
import type { SessionStore } from '../../platform/storage.ts';
import type { VersionControl } from '../../platform/versionControl.ts';
import type { MemoryBlock } from '../context/memory.ts';
import type { ModelProvider } from '../model.ts';
import type { Policy } from '../policy/policy.ts';
import type { AnyTool } from '../tool.ts';

export interface SessionSurroundings {
  readonly folders: readonly string[];
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly diagnostics: Diagnostics;
  readonly policy: Policy;
  readonly provider: () => ModelProvider;
  readonly files: FileSystem;
  readonly blobs: BlobStore;
  readonly versionControl: VersionControl;
  /** Made once for the session. */
  readonly tools: (session: ToolSurface) => readonly AnyTool[];
  /** Reads at the start of a turn what the prompt is made of; what it returns composes it for each step. */
  readonly readPrompt: (facts: SessionFacts) => Promise<(facts: SessionFacts) => string>;
  /** What the editor shows, as text for the model; undefined when there is nothing new to say. */
  readonly editorContext: () => string | undefined;
  /** What the memory of folders says that a call worked in, for the end of its result. Never rejects. */
  readonly tellOfFolders: (folders: readonly string[]) => Promise<string>;
  /** What came so. */
  readonly folderMemory: () => readonly MemoryBlock[];
  /** The history lost what was told of the editor and of folders: the next text is whole again. */
  readonly forgetEditorContext: () => void;
  readonly maxSteps: () => number;
  readonly maxAttempts: () => number;
  readonly outputLimit: () => number;
}

/** What tools may do to the session that they work in. */
export interface ToolSurface {
  readonly sessionId: string;
  /** Writes through it can be put back and reviewed. */
  readonly files: FileSystem;
  /** False when this topic is the active one already. */
  startTopic(title: string, previousSummary: string | undefined): boolean;
  setTodos(todos: readonly Todo[]): void;
  model(): string;
}

/** What the system prompt says of the session. */
export interface SessionFacts {
  readonly mode: ApprovalMode;
  readonly model: string;
  readonly activeTopic: string | undefined;
  readonly toolNames: readonly string[];
}
