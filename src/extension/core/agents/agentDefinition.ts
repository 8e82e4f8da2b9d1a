import type * as z from 'zod';
import type { SubagentReport } from '../../../protocol/values.ts';
import type { RemoteAgentServer } from './remote/remoteAgents.ts';
import type { ToolSelection } from './toolSelection.ts';

interface AnyAgent {
  readonly name: string;
  /** One line for the model that calls it. */
  readonly description: string;
  readonly maxTurns: number;
  /** Milliseconds, without time spent waiting for the user and other agents. */
  readonly maxMs: number;
}

/** Runs in Folio, with its own prompt, tools and limits. */
export interface LocalAgent extends AnyAgent {
  readonly remote?: undefined;
  /** Describes the agent's role at the top of its system prompt. */
  readonly prompt: string;
  /** `reading`: sections on safety and memory. `working`: also those on how to work here. */
  readonly guidance: 'reading' | 'working';
  readonly tools: ToolSelection;
  /** Absent: the model of its caller. */
  readonly model?: string;
  readonly temperature?: number;
  readonly report: () => z.ZodType<SubagentReport>;
}

/** Runs on another server, with its own model and tools. */
export interface RemoteAgent extends AnyAgent {
  readonly remote: RemoteAgentServer;
}

export type AgentDefinition = LocalAgent | RemoteAgent;
