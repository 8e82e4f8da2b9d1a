/*
 * Runs the hooks of one session at its events:
 *
 *   SessionStart ─► BeforeAgent ─► (BeforeModel ─► BeforeToolSelection ─► answer ─► AfterModel
 *                        ▲            ─► BeforeTool ─► call ─► AfterTool)* ─► AfterAgent ─► … SessionEnd
 *                        └──────────────── a new message, when AfterAgent blocks ┘
 *
 * Without hooks, every function returns immediately.
 */

import type { Ask } from '../../../protocol/asks.ts';
import type { CompressionPlan } from '../../../protocol/compression.ts';
import type { Part, SessionEvent, SessionEventBody, TurnEnd } from '../../../protocol/events.ts';
import type { HookEvent } from '../../../protocol/hooks.ts';
import { inEnglish, type LocalizedMessage, t } from '../../../protocol/language.ts';
import type { CompressionTrigger } from '../../../protocol/values.ts';
import type { EnvironmentContext } from '../context/environmentContext.ts';
import { textOf } from '../history/history.ts';
import type { Transcript } from '../recording/transcript.ts';
import { CallHooks } from './callHooks.ts';
import { type HookContext, HookRuns } from './hookRuns.ts';
import { type HookStopError, HookStops } from './hookStops.ts';
import { formatHookTexts, hookText } from './hookText.ts';
import type { HookVerdict } from './mergeAnswers.ts';
import { ModelHooks } from './modelHooks.ts';

/** `clear`: a new session starts; `other`: another one opens. */
export type SessionEndReason = 'exit' | 'clear' | 'other';

/** How often in a row an answer or a report may be rejected. */
export const maxRejections = 10;

/** A subagent's report as passed to hooks. */
interface SubagentEnd {
  readonly agent: string;
  readonly prompt: string;
  readonly report: string;
  /** A hook has already rejected a report of this agent. */
  readonly active: boolean;
}

export interface AgentHooks extends Pick<SessionHooks, 'calls' | 'model' | 'beforeCompression'> {
  /** Returns the agent's next instruction if a hook rejects its report. Throws `HookStopError` if its work must end. */
  readonly afterSubagent: (end: SubagentEnd, signal: AbortSignal) => Promise<string | undefined>;
}

export class SessionHooks {
  readonly calls: CallHooks;
  readonly model: ModelHooks;
  private readonly place: HookContext;
  private readonly transcript: Transcript;
  private readonly environmentContext: Pick<EnvironmentContext, 'forget'>;
  private readonly beginning: 'new' | 'resumed';
  private readonly runs: HookRuns;
  private readonly stops = new HookStops();
  private readonly closing = new AbortController();
  private readonly pending = new Set<Promise<unknown>>();
  private begun = false;
  private prompt = '';

  /** @param beginning resumed: the session was restored from its journal */
  constructor(
    place: HookContext,
    transcript: Transcript,
    environmentContext: Pick<EnvironmentContext, 'forget'>,
    beginning: 'new' | 'resumed',
  ) {
    this.place = place;
    this.transcript = transcript;
    this.environmentContext = environmentContext;
    this.beginning = beginning;
    this.runs = new HookRuns(place, transcript.emit);
    this.calls = new CallHooks(this.runs, this.stops);
    this.model = new ModelHooks(this.runs, this.stops);
  }

  /** Creates the hooks for a subagent, whose journal records the runs. */
  beside(emit: (event: SessionEventBody) => void): AgentHooks {
    const runs = new HookRuns(this.place, emit);
    return {
      calls: new CallHooks(runs, this.stops),
      model: new ModelHooks(runs, this.stops),
      beforeCompression: (trigger, signal) => runCompressionHooks(runs, trigger, signal),
      afterSubagent: (end, signal) => this.afterSubagent(runs, end, signal),
    };
  }

  private async afterSubagent(
    runs: HookRuns,
    end: SubagentEnd,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (this.stops.reason !== undefined || !runs.has('SubagentStop')) return undefined;
    const { agent, prompt, report, active } = end;
    const { stop, block, contexts } = await runs.run({
      event: 'SubagentStop',
      target: agent,
      signal,
      fields: {
        agent_name: agent,
        agent_type: agent,
        prompt,
        prompt_response: report,
        stop_hook_active: active,
      },
    });
    if (stop !== undefined) throw this.stops.stop(stop);
    if (block === undefined || signal.aborted) return undefined;
    return notAccepted('SubagentStop', 'report', block, contexts);
  }

  /** Call first in a turn: current settings apply to all of it. */
  async beginTurn(): Promise<void> {
    this.stops.reset();
    await this.place.hooks?.refresh();
  }

  /** Returns what hooks add to the end of a prompt. Throws `HookStopError` if it must not continue. */
  async beforeAgent(prompt: string, signal: AbortSignal): Promise<readonly Part[]> {
    this.prompt = prompt;
    const opening = await this.start(signal);
    if (opening.stop !== undefined) throw this.holdBack(opening.stop);
    const { stop, block, contexts } = await this.runs.run({
      event: 'BeforeAgent',
      fields: { prompt },
      signal,
      next: (fields, { context }) => (context ? { prompt: `${fields.prompt}\n\n${context}` } : fields),
    });
    const objection = block ?? stop;
    if (objection !== undefined) throw this.holdBack(objection);
    const texts = [
      formatHookTexts('SessionStart', opening.contexts),
      formatHookTexts('BeforeAgent', contexts),
    ].filter(Boolean);
    return texts.map(text => ({ kind: 'text', text }));
  }

  /**
   * Repeats the work until hooks accept the answer. A blocking hook's reason becomes a new message, marked by
   * `stop_hook_active`. After ten times in a row, it is ignored.
   */
  async untilAccepted(work: () => Promise<TurnEnd>, signal: AbortSignal): Promise<TurnEnd> {
    for (let round = 0; ; round++) {
      const end = await work();
      if (end.kind !== 'rested') return end;
      const verdict = this.stops.reason === undefined ? await this.afterAgent(round > 0, signal) : undefined;
      if (signal.aborted) return { kind: 'stopped' };
      const reason = this.stops.reason ?? verdict?.stop;
      if (verdict?.clearContext) this.clearContext();
      if (reason !== undefined) return { kind: 'hook', reason: reason() };
      if (verdict?.block === undefined) return end;
      if (round >= maxRejections) {
        const text = t(
          'A hook sent the answer back {0} times in a row. Folio has paused. Check what the hook expects.',
          maxRejections,
        );
        this.transcript.emit({ type: 'notice.shown', level: 'warning', text });
        return end;
      }
      this.say(notAccepted('AfterAgent', 'answer', verdict.block, verdict.contexts));
    }
  }

  /** Rejects with a sentence if the context must not be compressed now. */
  async beforeCompression(trigger: CompressionTrigger, signal: AbortSignal): Promise<void> {
    if (!this.begun) await this.place.hooks?.refresh();
    await runCompressionHooks(this.runs, trigger, signal);
  }

  /**
   * Call with every event of the session and its subagents. Notification hooks only observe: nothing waits for them.
   */
  hear(event: SessionEvent): void {
    if (event.type !== 'call.asked' || !this.runs.has('Notification')) return;
    const { callId, ask } = event;
    const fields = {
      notification_type: 'ToolPermission',
      message: ask.english?.reason ?? ask.reason,
      details: describeSubject(ask),
    };
    const { signal } = this.closing;
    // The run's events must follow the current one, which other listeners still receive.
    const running = Promise.resolve().then(() =>
      this.runs.run({ event: 'Notification', target: 'ToolPermission', callId, fields, signal }),
    );
    this.pending.add(running);
    void running.finally(() => this.pending.delete(running));
  }

  /** Runs the last hooks of the session; does nothing if it never began. */
  async end(reason: SessionEndReason): Promise<void> {
    this.closing.abort();
    await Promise.allSettled(this.pending);
    if (!this.begun) return;
    const { signal } = new AbortController();
    await this.runs.run({ event: 'SessionEnd', target: reason, fields: { reason }, signal });
  }

  /** Runs once, before the first prompt in this run of the host. */
  private async start(signal: AbortSignal): Promise<Pick<HookVerdict, 'stop' | 'contexts'>> {
    if (this.begun) return { contexts: [] };
    this.begun = true;
    const { hooks } = this.place;
    if (!hooks) return { contexts: [] };
    const source = hooks.sourceOf(this.beginning === 'resumed');
    const fields = { source };
    return await this.runs.run({ event: 'SessionStart', target: source, fields, signal });
  }

  /** The history records that a prompt was blocked, without its text, so that the session can continue. */
  private holdBack(reason: LocalizedMessage): HookStopError {
    this.say(
      `A hook held the user's prompt back. Its reason:\n${hookText('BeforeAgent', inEnglish(reason))}`,
    );
    return this.stops.stop(reason);
  }

  private async afterAgent(active: boolean, signal: AbortSignal) {
    if (!this.runs.has('AfterAgent')) return undefined;
    const newest = this.transcript.history.messages.at(-1);
    return await this.runs.run({
      event: 'AfterAgent',
      fields: {
        prompt: this.prompt,
        prompt_response: newest?.role === 'model' ? textOf(newest) : '',
        stop_hook_active: active,
      },
      signal,
    });
  }

  /** Replaces everything by an empty compression: the messages stay in the session, and the user can undo it. */
  private clearContext(): void {
    const { state, history, emit } = this.transcript;
    if (state.compression) return;
    const plan: CompressionPlan = {
      snapshot: emptySnapshot,
      replacement: [],
      keptFrom: history.whole.length,
      cut: [],
      parts: [],
      tokens: { before: state.contextTokens, after: 0 },
    };
    const compressionId = this.place.clock.newId();
    emit({ type: 'compression.applied', compressionId, trigger: 'automatic', plan });
    this.environmentContext.forget();
  }

  private say(text: string): void {
    const { history } = this.transcript;
    const isBehindUser = history.messages.at(-1)?.role === 'user';
    this.transcript.say([{ kind: 'text', text }], isBehindUser ? 'meanwhile' : undefined);
  }
}

function notAccepted(
  event: HookEvent,
  what: 'answer' | 'report',
  reason: LocalizedMessage,
  contexts: readonly string[],
): string {
  return [
    `A hook of the user's setup looked at the ${what} and does not accept it yet. Its reason:`,
    hookText(event, inEnglish(reason)),
    ...contexts.map(each => hookText(event, each)),
    'Continue until that is met, as far as it serves what the user asked for.',
  ].join('\n');
}

const triggers: Readonly<Record<CompressionTrigger, string>> = { automatic: 'auto', manual: 'manual' };

const emptySnapshot =
  '<state_snapshot>\n<overall_goal>A hook cleared the context: the model reads nothing of what was said before.</overall_goal>\n</state_snapshot>';

/** Omits diffs, which can be long. */
function describeSubject({ subject, english }: Ask): Readonly<Record<string, unknown>> {
  const { kind } = subject;
  if (kind === 'edit') {
    const { path, added, removed } = subject.diff;
    return { type: kind, path, added, removed };
  }
  const whole = { type: kind, ...subject, kind: undefined };
  return kind === 'command' && english ? { ...whole, walls: english.walls } : whole;
}

async function runCompressionHooks(
  runs: HookRuns,
  trigger: CompressionTrigger,
  signal: AbortSignal,
): Promise<void> {
  const { block, stop } = await runs.run({
    event: 'PreCompress',
    target: triggers[trigger],
    fields: { trigger: triggers[trigger] },
    signal,
  });
  const reason = block ?? stop;
  if (reason !== undefined && !signal.aborted)
    throw new Error(t('The context was not compressed, because a hook blocked it: {0}', reason()));
}
