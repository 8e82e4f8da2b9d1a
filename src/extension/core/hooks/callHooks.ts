/*
 * Runs the hooks around the calls of one session or subagent: before a call is prepared, and after its result. A hook may
 * also end the whole work.
 */

import { inEnglish, type LocalizedMessage, t } from '../../../protocol/language.ts';
import { oneLine } from '../../base/text.ts';
import type { HookFields, HookRuns } from './hookRuns.ts';
import type { HookStops } from './hookStops.ts';
import { formatHookTexts, hookText } from './hookText.ts';
import type { TailToolCall } from './parseAnswer.ts';

interface HookedCall {
  readonly callId: string;
  readonly tool: string;
  readonly args: HookFields;
  readonly signal: AbortSignal;
}

export type BeforeCallResult =
  /** `args` replace the model's arguments. `note` is added to the result. `ask`: why a user must decide. */
  | { readonly kind: 'goes'; readonly args?: HookFields; readonly note: string; readonly ask?: string }
  /** `reason` is for the model, `summary` for the card. */
  | { readonly kind: 'denied'; readonly reason: string; readonly summary: LocalizedMessage };

export interface CallEnd {
  /** The result for the model. */
  readonly text: string;
  /** The summary on the card. */
  readonly summary: LocalizedMessage;
  readonly ok: boolean;
}

export interface AfterCallResult {
  readonly text: string;
  /** The result must not reach the model. */
  readonly heldBack: boolean;
  /** Runs next; its result replaces this one. */
  readonly tailCall?: TailToolCall;
}

export class CallHooks {
  private readonly runs: HookRuns;
  private readonly stops: HookStops;

  constructor(runs: HookRuns, stops: HookStops) {
    this.runs = runs;
    this.stops = stops;
  }

  /** False if `before` would have no effect. */
  isAsked(): boolean {
    return this.stops.reason !== undefined || this.runs.has('BeforeTool');
  }

  /** Rejects with the signal's reason on abort. */
  async before({ callId, tool, args, signal }: HookedCall): Promise<BeforeCallResult> {
    if (this.stops.reason !== undefined) return stopped;
    if (!this.runs.has('BeforeTool')) return noObjection;
    const verdict = await this.runs.run({
      event: 'BeforeTool',
      target: tool,
      callId,
      signal,
      fields: { tool_name: tool, tool_input: args },
      next: (fields, { toolInput }) => (toolInput ? { ...fields, tool_input: toolInput } : fields),
    });
    signal.throwIfAborted();
    const { stop, block, toolInput, contexts, ask } = verdict;
    if (stop !== undefined) this.stops.stop(stop);
    const objection = block ?? stop;
    if (objection !== undefined) return denied(objection);
    const changed = toolInput ? describeChange(toolInput) : '';
    const note = [changed, formatHookTexts('BeforeTool', contexts)].filter(Boolean).join('\n\n');
    return { kind: 'goes', args: toolInput, note, ask };
  }

  /** Never rejects, since the call has already run. */
  async after(call: HookedCall, { text, summary, ok }: CallEnd): Promise<AfterCallResult> {
    const { callId, tool, args, signal } = call;
    if (!this.runs.has('AfterTool')) return { text, heldBack: false };
    const response = {
      llmContent: text,
      returnDisplay: inEnglish(summary),
      error: ok ? undefined : { message: text },
    };
    const { stop, block, contexts, tailCall } = await this.runs.run({
      event: 'AfterTool',
      target: tool,
      callId,
      signal,
      fields: { tool_name: tool, tool_input: args, tool_response: response },
    });
    if (stop !== undefined) this.stops.stop(stop);
    const context = formatHookTexts('AfterTool', contexts);
    const shown = block === undefined ? text : heldBack(block);
    const goesOn = block === undefined && stop === undefined;
    return {
      text: context ? `${shown}\n\n${context}` : shown,
      heldBack: block !== undefined,
      tailCall: goesOn && tailCall ? { name: tailCall.name, args: tailCall.args ?? args } : undefined,
    };
  }

  /** Call after a batch of results. Throws if a hook stopped the work. */
  throwIfStopped(): void {
    const { reason } = this.stops;
    if (reason !== undefined) throw this.stops.stop(reason);
  }
}

/** No hook objects. */
export const noObjection: BeforeCallResult = { kind: 'goes', note: '' };

const stopped: BeforeCallResult = {
  kind: 'denied',
  reason: 'A hook ended the work before this call; nothing was done.',
  summary: () => t('A hook ended the work'),
};

function denied(reason: LocalizedMessage): BeforeCallResult {
  return {
    kind: 'denied',
    reason: `A hook blocked this call; nothing was done. Its reason:\n${hookText('BeforeTool', inEnglish(reason))}`,
    summary: () => oneLine(t('Blocked by a hook: {0}', reason()), 200),
  };
}

function describeChange(args: HookFields): string {
  const text = hookText('BeforeTool', JSON.stringify(args));
  return `A hook changed the arguments of this call; it ran with these:\n${text}`;
}

function heldBack(reason: LocalizedMessage): string {
  return `The call was carried out, but a hook held its result back. Its reason:\n${hookText('AfterTool', inEnglish(reason))}`;
}
