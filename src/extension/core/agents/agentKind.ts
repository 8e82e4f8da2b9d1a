import type * as z from 'zod';
import type { Report } from '../../../protocol/values.ts';
import type { RemoteServer } from './remote/remoteAgents.ts';
import type { ToolChoice } from './toolChoice.ts';

interface AnyAgent {
  readonly name: string;
  /** For the model that sends it out, one line. */
  readonly description: string;
  readonly maxTurns: number;
  /** Milliseconds; waiting for the user and for others is left out. */
  readonly maxMs: number;
}

/** Works here: what it is told, what it may use, and how long it may take. */
export interface LocalAgent extends AnyAgent {
  readonly remote?: undefined;
  /** Says what this agent is and does; stands at the top of its system prompt. */
  readonly prompt: string;
  /** `reading`: safety and memory. `working`: also how work is done here. */
  readonly briefing: 'reading' | 'working';
  readonly tools: ToolChoice;
  /** Absent: the model that sends it out. */
  readonly model?: string;
  readonly temperature?: number;
  readonly report: () => z.ZodType<Report>;
}

/** Works on another server, with a model and tools of its own. */
export interface RemoteAgent extends AnyAgent {
  readonly remote: RemoteServer;
}

/** Someone who can be sent out. */
export type AgentKind = LocalAgent | RemoteAgent;
