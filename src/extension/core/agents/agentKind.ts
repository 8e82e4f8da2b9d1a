import type * as z from 'zod';
import type { Report } from '../../../protocol/values.ts';
import type { ToolChoice } from './toolChoice.ts';

/** Someone who can be sent out: what they are told, what they may use, and how long they may take. */
export interface AgentKind {
  readonly name: string;
  /** For the model that sends it out, one line. */
  readonly description: string;
  /** Says what this agent is and does; stands at the top of its system prompt. */
  readonly prompt: string;
  /** `reading`: safety and memory. `working`: also how work is done here. */
  readonly briefing: 'reading' | 'working';
  readonly tools: ToolChoice;
  /** Absent: the model that sends it out. */
  readonly model?: string;
  readonly temperature?: number;
  readonly maxTurns: number;
  /** Milliseconds; waiting for the person and for others is left out. */
  readonly maxMs: number;
  readonly report: () => z.ZodType<Report>;
}
