import type { AnyTool, CallContext, Prepared, Proposal, ToolResult } from '../../src/extension/core/tool.ts';

export interface Use {
  /** What happens between `prepare` and `run`; what it returns is the proposal after the decision. */
  readonly decide?: (prepared: Prepared<unknown>) => Promise<Proposal | undefined> | Proposal | undefined;
  /** What the person answers. */
  readonly said?: Pick<CallContext, 'answers' | 'approvedPlan'>;
  readonly signal?: AbortSignal;
}

/** Uses a tool as the scheduler does: arguments through the schema, then prepare, a decision, and run. */
export async function useTool(tool: AnyTool, args: unknown, use: Use = {}): Promise<ToolResult> {
  const input: unknown = tool.input.parse(args);
  const call: CallContext = {
    callId: 'call-1',
    signal: use.signal ?? new AbortController().signal,
    write: () => {},
    saveOutput: async () => '/saved',
  };
  const prepared = await tool.prepare(input, call);
  const decided = await use.decide?.(prepared);
  return tool.run(input, prepared.plan, { ...call, ...use.said, ...(decided && { proposal: decided }) });
}
