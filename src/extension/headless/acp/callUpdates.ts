/* Converts tool calls to the protocol's kinds, locations and contents. */

import { resolve } from 'node:path';
import type {
  ToolCall,
  ToolCallContent,
  ToolCallLocation,
  ToolCallUpdate,
  ToolKind,
} from '@agentclientprotocol/sdk';
import type { DiffLine, DisplayDetail, FileDiff } from '../../../protocol/asks.ts';
import type { SessionEventBody } from '../../../protocol/events.ts';
import { formatList } from '../../../protocol/language.ts';
import { soleText } from '../../../protocol/panel/reports.ts';
import type { Effect } from '../../../protocol/values.ts';
import { fenced } from '../../base/text.ts';
import type { EditProposal } from '../../core/tool.ts';

export interface CallFacts {
  /** Absolute path; the base of relative paths. */
  readonly cwd: string;
  /** The text that a call proposes or proposed to write, while it is known. */
  readonly proposal: (callId: string) => EditProposal | undefined;
  /** Possible effects of the tools of the agent with this name. */
  readonly agentEffects: (name: string) => ReadonlySet<Effect> | undefined;
  /** The client's terminal in which a call runs. `undefined` if none. */
  readonly terminal: (callId: string) => string | undefined;
}

export type StartedCall = Pick<
  SessionEventBody<'call.requested'>,
  'callId' | 'tool' | 'effect' | 'title' | 'args'
>;

/** @param parent the call that started the subagent to which this call belongs */
export function describeCallStart(call: StartedCall, view: CallFacts, parent?: string): ToolCall {
  const { callId: toolCallId, tool: name, title, args: rawInput } = call;
  const mayDo = effectsOf(call, view);
  const described: ToolCall = {
    toolCallId,
    title,
    name,
    kind: mayDo ? kindOfAgent(mayDo) : kindOf(call),
    status: 'pending',
    locations: locationsOf(call, view.cwd),
    rawInput,
    content: mayDo && [textContent(describeEffects(mayDo))],
  };
  return parent === undefined ? described : { ...described, _meta: { 'folio/agentCall': parent } };
}

export function describeCallEnd(
  end: Omit<SessionEventBody<'call.ended'>, 'type'>,
  view: CallFacts,
): ToolCallUpdate {
  const { callId, outcome, display } = end;
  const terminal = view.terminal(callId);
  const content =
    terminal === undefined
      ? contentOf(callId, display.detail, view)
      : [{ type: 'terminal', terminalId: terminal } as const];
  const exitCode = display.detail?.kind === 'command' ? display.detail.exitCode : undefined;
  const shown = outcome === 'ok' || content.length > 0 ? content : [textContent(display.summary)];
  return {
    toolCallId: callId,
    status: outcome === 'ok' ? 'completed' : 'failed',
    content: shown.length > 0 ? shown : undefined,
    ...locationOfDiff(display.detail, view),
    rawOutput: { outcome, summary: display.summary, exitCode, touched: display.touched },
  };
}

/** Formats code for Markdown. The text may contain backticks. */
export function fencedContent(text: string, language = ''): ToolCallContent {
  return textContent(fenced(text, language));
}

export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

/** Characters of both versions of a file. Larger files are sent as changed lines only. */
const wholeLimit = 400_000;

/** Sends the whole file before and after if known, else each changed place. */
export function diffContent(callId: string, diff: FileDiff, view: CallFacts): readonly ToolCallContent[] {
  const proposal = view.proposal(callId);
  const size = (proposal?.before?.length ?? 0) + (proposal?.after.length ?? 0);
  if (proposal && size <= wholeLimit) {
    return [{ type: 'diff', path: proposal.path, oldText: proposal.before, newText: proposal.after }];
  }
  const path = proposal?.path ?? resolve(view.cwd, diff.path);
  return diff.hunks.map(({ lines }) => ({
    type: 'diff' as const,
    path,
    oldText: diff.change === 'created' ? null : sideOf(lines, 'added'),
    newText: sideOf(lines, 'removed'),
  }));
}

function sideOf(lines: readonly DiffLine[], without: DiffLine['kind']): string {
  return lines
    .filter(({ kind }) => kind !== without)
    .map(({ text }) => `${text}\n`)
    .join('');
}

function contentOf(callId: string, detail: DisplayDetail | undefined, view: CallFacts): ToolCallContent[] {
  switch (detail?.kind) {
    case 'diff':
      return [...diffContent(callId, detail.diff, view)];
    case 'command':
      return detail.output.trim() === '' ? [] : [fencedContent(detail.output)];
    case 'text':
      return [fencedContent(detail.text)];
    case 'report':
      return [textContent(soleText(detail.report) ?? JSON.stringify(detail.report, undefined, 2))];
    // The plan update contains them.
    case 'todos':
    case undefined:
      return [];
  }
}

const searches: ReadonlySet<string> = new Set(['grep_search', 'glob', 'list_directory', 'google_web_search']);
const switches: ReadonlySet<string> = new Set(['enter_plan_mode', 'exit_plan_mode']);

const kinds: Readonly<Record<Effect, ToolKind>> = {
  read: 'read',
  edit: 'edit',
  run: 'execute',
  fetch: 'fetch',
  note: 'think',
};

function kindOf({ tool, effect }: StartedCall): ToolKind {
  if (searches.has(tool)) return 'search';
  return switches.has(tool) ? 'switch_mode' : kinds[effect];
}

/** Effects of the agent that a call starts. `undefined` if it starts none. */
function effectsOf({ tool, args }: StartedCall, view: CallFacts): ReadonlySet<Effect> | undefined {
  if (tool !== 'invoke_agent' || typeof args.agent_name !== 'string') return undefined;
  const effects = view.agentEffects(args.agent_name.trim());
  return effects?.size ? effects : undefined;
}

function kindOfAgent(effects: ReadonlySet<Effect>): ToolKind {
  const strongest = (['run', 'edit', 'fetch', 'read'] as const).find(each => effects.has(each));
  return strongest ? kinds[strongest] : 'think';
}

function describeEffects(effects: ReadonlySet<Effect>): string {
  const words = {
    read: 'read files',
    fetch: 'read the web',
    edit: 'edit files',
    run: 'run commands',
  } as const;
  const may = (['read', 'fetch', 'edit', 'run'] as const).flatMap(each =>
    effects.has(each) ? [words[each]] : [],
  );
  return `This agent may ${formatList(may)}. Each of its calls is classified and asked about like one of the session.`;
}

function locationsOf({ args }: StartedCall, cwd: string): ToolCallLocation[] {
  const path = [args.file_path, args.dir_path].find(value => typeof value === 'string');
  if (typeof path !== 'string' || path.trim() === '') return [];
  const line = typeof args.start_line === 'number' ? args.start_line : undefined;
  return [{ path: resolve(cwd, path), line }];
}

function locationOfDiff(
  detail: DisplayDetail | undefined,
  { cwd }: CallFacts,
): Pick<ToolCallUpdate, 'locations'> {
  if (detail?.kind !== 'diff') return {};
  const { path, hunks } = detail.diff;
  const places = hunks.map(({ newStart }) => ({ path: resolve(cwd, path), line: Math.max(1, newStart) }));
  return places.length > 0 ? { locations: places } : {};
}
