/* The caller of a call, and the collaborators that the call meets on its way. */

import type { Part, SessionEventBody } from '../../../protocol/events.ts';
import type { ApprovalMode } from '../../../protocol/intentions.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Diagnostics } from '../../platform/diagnostics.ts';
import type { Log } from '../../platform/log.ts';
import type { Changes } from '../changes/changes.ts';
import type { SessionMemory } from '../context/sessionMemory.ts';
import type { CallHooks } from '../hooks/callHooks.ts';
import type { CommandClassifier } from '../policy/commandClassifier.ts';
import type { Policy } from '../policy/policy.ts';
import type { AnyTool, NestedTask, WorkTask } from '../tool.ts';
import type { Approvals } from './approvals.ts';
import type { CallOutputs } from './callOutputs.ts';
import type { LiveOutput } from './liveOutput.ts';
import type { ProposedContents } from './proposals.ts';
import type { Restarts } from './restarts.ts';

/** Everything a call has until it ends. */
export interface OpenCall {
  readonly part: CallPart;
  readonly signal: AbortSignal;
  readonly live: LiveOutput;
  /** Since when it has lasted, as its card says. */
  readonly since: number;
  /** Aborted once it has ended: what it still asks then is asked in vain, and must not keep others from asking. */
  readonly over: AbortController;
}

export type CallPart = Extract<Part, { kind: 'call' }>;
export type ResultPart = Extract<Part, { kind: 'result' }>;

/** Everything but the caller is the session's. */
export interface Calling {
  readonly caller: Caller;
  readonly policy: Pick<
    Policy,
    'classify' | 'classifyHosts' | 'interactive' | 'onlyReads' | 'forbids' | 'remember'
  >;
  /** A small model that may answer asks about commands; absent: none is heard. */
  readonly commandClassifier?: Pick<CommandClassifier, 'classify'>;
  readonly approvals: Pick<Approvals, 'wait'>;
  readonly restarts: Pick<Restarts, 'during'>;
  readonly changes: Pick<Changes, 'filesOf' | 'watch'>;
  /** Notified of each proposal, and again when the user changed it. */
  readonly proposals: Pick<ProposedContents, 'keep'>;
  readonly outputs: Pick<CallOutputs, 'limit' | 'save' | 'keep'>;
  readonly diagnostics: Diagnostics;
  readonly clock: Clock;
  readonly log: Log;
}

/** The one who makes the calls. */
export interface Caller {
  /** The name of a subagent; absent: the agent itself. */
  readonly agent?: string;
  /** The user calls from the prompt, and answers nothing beyond that. */
  readonly own?: true;
  readonly tools: ReadonlyMap<string, AnyTool>;
  readonly mode: () => ApprovalMode;
  readonly emit: (event: SessionEventBody) => void;
  /** Absent: none run around calls. */
  readonly hooks?: CallHooks;
  /** Tells standing instructions of folders that were not told yet. Absent: they are not told. */
  readonly memory?: Pick<SessionMemory, 'reportOf'>;
  /** Absent: no other agent works at the same time. */
  readonly beside?: ExclusiveWork;
  /** Opens work under a call that makes calls in turn. Absent: none can be opened. */
  readonly works?: { open(task: WorkTask, make: MakeCall, signal: AbortSignal): Promise<NestedTask> };
  /** A script reads the results, and not a model. */
  readonly forScript?: true;
}

/** Makes one call. Never rejects: an abort ends it as cancelled. */
export type MakeCall = (part: CallPart, caller: Caller, signal: AbortSignal) => Promise<ResultPart>;

/** Lets one agent of a session at a time write, run commands and ask the user. */
export interface ExclusiveWork {
  /** Delays calls that write or run until no other agent's such call runs. After an abort it no longer waits. */
  readonly write: (work: () => Promise<void>) => Promise<void>;
  /** Delays a question until those of other agents are answered. Rejects with the reason of an abort. */
  readonly ask: <T>(work: () => Promise<T>) => Promise<T>;
}
