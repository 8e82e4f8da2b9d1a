import type {
  AnyTool,
  CallContext,
  EditProposal,
  PrepareResult,
  Tool,
  ToolResult,
  ToolRunContext,
} from '../../src/extension/core/tool.ts';
import type { FileSystem } from '../../src/extension/platform/fileSystem.ts';
import type { Display } from '../../src/protocol/events.ts';
import { MemoryFileSystem } from './memoryFileSystem.ts';

export interface Use {
  /** Called between `prepare` and `run`. Returns the proposal after the decision. */
  readonly decide?: (
    prepared: PrepareResult<unknown>,
  ) => Promise<EditProposal | undefined> | EditProposal | undefined;
  /** Answers of the user. */
  readonly said?: Pick<ToolRunContext, 'answers' | 'approvedPlan'>;
  readonly signal?: AbortSignal;
  readonly saveOutput?: CallContext['saveOutput'];
  readonly waits?: CallContext['waits'];
}

export interface ShownResult extends Omit<ToolResult, 'display'> {
  readonly display: Display;
}

/** Uses a tool as the scheduler does: arguments through the schema, then prepare, a decision, and run. */
export async function useTool(tool: AnyTool, args: unknown, use: Use = {}): Promise<ShownResult> {
  const input: unknown = tool.input().parse(args);
  const call: CallContext = {
    callId: 'call-1',
    signal: use.signal ?? new AbortController().signal,
    write: () => {},
    waits: use.waits,
    saveOutput: use.saveOutput ?? (async () => '/saved'),
  };
  const prepared = await tool.prepare(input, call);
  const decided = await use.decide?.(prepared);
  const files = new MemoryFileSystem();
  return shown(await tool.run(input, prepared.plan, { ...call, files, ...use.said, proposal: decided }));
}

/** Returns a result with the text of its card. */
export function shown({ display, ...result }: ToolResult): ShownResult {
  return { ...result, display: { ...display, summary: display.summary() } };
}

/** Its calls write through these files. */
export function writingTo<Input, Plan>(files: FileSystem, tool: Tool<Input, Plan>): Tool<Input, Plan> {
  return { ...tool, run: (input, plan, call) => tool.run(input, plan, { ...call, files }) };
}
