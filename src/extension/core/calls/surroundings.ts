/* What a call needs from around it. */

import type { ApprovalMode, Part, SessionEventBody } from '../../../protocol/events.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Diagnostics } from '../../platform/diagnostics.ts';
import type { Log } from '../../platform/log.ts';
import type { Changes } from '../changes/changes.ts';
import type { CallHooks } from '../hooks/callHooks.ts';
import type { Policy } from '../policy/policy.ts';
import type { AnyTool, Proposal } from '../tool.ts';
import type { Approvals } from './approvals.ts';

export type CallPart = Extract<Part, { kind: 'call' }>;
export type ResultPart = Extract<Part, { kind: 'result' }>;

export interface CallSurroundings {
  /** Absent: none run around calls. */
  readonly hooks?: CallHooks;
  readonly tools: ReadonlyMap<string, AnyTool>;
  readonly policy: Policy;
  readonly approvals: Approvals;
  readonly diagnostics: Diagnostics;
  readonly clock: Clock;
  readonly log: Log;
  readonly mode: () => ApprovalMode;
  /** The name of the subagent whose calls these are; absent: the agent itself. */
  readonly agent?: string;
  /** Characters of a result that the model gets whole. */
  readonly outputLimit: () => number;
  readonly saveOutput: (name: string, text: string) => Promise<string>;
  /** Takes what a call prints while it runs. Never throws. */
  readonly keepOutput: (callId: string, text: string) => void;
  /** Standing instructions of folders that were not told yet; empty when there are none. Never rejects. */
  readonly tellOfFolders: (folders: readonly string[]) => Promise<string>;
  readonly emit: (event: SessionEventBody) => void;
  /** Told of each proposal, and again when the person changed it. */
  readonly proposed: (callId: string, proposal: Proposal) => void;
  /** Others work at the same time; absent: nobody does. */
  readonly beside?: {
    /** Holds a call that writes or runs until none of the others' does. After an abort it is let go at once. */
    readonly write: (work: () => Promise<void>) => Promise<void>;
    /** Holds a question until those of the others are answered. Rejects with the reason of an abort. */
    readonly ask: <T>(work: () => Promise<T>) => Promise<T>;
  };
  /** Runs what may write, and tells what a command changed. */
  readonly watch: Changes['watch'];
}
