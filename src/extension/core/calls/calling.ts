import type { Part, SessionEventBody } from '../../../protocol/events.ts';
import type { ApprovalMode } from '../../../protocol/intentions.ts';
import type { Clock } from '../../platform/clock.ts';
import type { DiagnosticReader } from '../../platform/diagnostics.ts';
import type { Log } from '../../platform/log.ts';
import type { ChangeTracker } from '../changes/changeTracker.ts';
import type { SessionMemory } from '../context/sessionMemory.ts';
import type { CallHooks } from '../hooks/callHooks.ts';
import type { CommandClassifier } from '../policy/commandClassifier.ts';
import type { Policy } from '../policy/policy.ts';
import type { AnyTool, NestedTask, NestedTaskOptions } from '../tool.ts';
import type { PendingApprovals } from './approvals.ts';
import type { CallOutputs } from './callOutputs.ts';
import type { LiveOutput } from './liveOutput.ts';
import type { ProposedContents } from './proposals.ts';
import type { RestartableCommands } from './restartableCommands.ts';

/** Everything that a call needs until it ends. */
export interface OpenCall {
  readonly part: CallPart;
  readonly signal: AbortSignal;
  readonly live: LiveOutput;
  /** Start time shown on its card. */
  readonly since: number;
  /** Aborted when it has ended, so that later questions of it are dropped and do not block others. */
  readonly over: AbortController;
}

export type CallPart = Extract<Part, { kind: 'call' }>;
export type ResultPart = Extract<Part, { kind: 'result' }>;

/** Collaborators of a call. All but the caller belong to the session. */
export interface CallServices {
  readonly caller: Caller;
  readonly policy: Pick<
    Policy,
    'classify' | 'classifyHosts' | 'interactive' | 'onlyReads' | 'forbids' | 'remember'
  >;
  /** A small model that may answer approval requests for commands; absent: none. */
  readonly commandClassifier?: Pick<CommandClassifier, 'classify'>;
  readonly approvals: Pick<PendingApprovals, 'wait'>;
  readonly restarts: Pick<RestartableCommands, 'during'>;
  readonly changes: Pick<ChangeTracker, 'filesOf' | 'watch'>;
  /** Notified of each proposal, and again after the user changed it. */
  readonly proposals: Pick<ProposedContents, 'keep'>;
  readonly outputs: Pick<CallOutputs, 'limit' | 'save' | 'keep'>;
  readonly diagnostics: DiagnosticReader;
  readonly clock: Clock;
  readonly log: Log;
}

/** Makes calls: the main agent, a subagent, a script or the user. */
export interface Caller {
  /** Name of a subagent; absent: the main agent. */
  readonly agent?: string;
  /** The user runs the call from the prompt and is not asked for approval. */
  readonly own?: true;
  readonly tools: ReadonlyMap<string, AnyTool>;
  readonly mode: () => ApprovalMode;
  readonly emit: (event: SessionEventBody) => void;
  /** Absent: no hooks run around calls. */
  readonly hooks?: CallHooks;
  /** Adds instruction files of folders that were not added yet. Absent: they are not added. */
  readonly memory?: Pick<SessionMemory, 'reportOf'>;
  /** Absent: no other agent runs at the same time. */
  readonly beside?: ExclusiveAccess;
  /** Opens nested work under a call. Absent: none can be opened. */
  readonly works?: {
    open(task: NestedTaskOptions, make: RunToolCall, signal: AbortSignal): Promise<NestedTask>;
  };
  /** A script, not a model, reads the results. */
  readonly forScript?: true;
}

/** Makes one call. Never rejects: an abort ends the call as cancelled. */
export type RunToolCall = (part: CallPart, caller: Caller, signal: AbortSignal) => Promise<ResultPart>;

/** Lets only one agent of a session at a time write, run commands or ask the user. */
export interface ExclusiveAccess {
  /** Delays calls that write or run until no other agent runs such a call. Stops waiting on abort. */
  readonly write: (work: () => Promise<void>) => Promise<void>;
  /** Delays a question until those of other agents are answered. Rejects with the reason of an abort. */
  readonly ask: <T>(work: () => Promise<T>) => Promise<T>;
}
