/*
 * One call from its arguments to its one outcome:
 *
 *   parse ─► prepare ─► admit ─► run
 *     │         │         │       │
 *     └─────────┴─────────┴───────┴──► ended: ok, failed, denied or cancelled
 *
 * Whatever happens on the way ends the call exactly once; nothing is thrown to the scheduler.
 */

import type { Display, OutcomeKind, SessionEventBody } from '../../../protocol/events.ts';
import { abortable } from '../../base/abort.ts';
import { messageOf } from '../../base/errors.ts';
import { plainTerminalText } from '../../base/terminalText.ts';
import { cutMiddle } from '../../base/text.ts';
import { fence } from '../../base/untrusted.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Diagnostic } from '../../platform/diagnostics.ts';
import type { CallWriter } from '../changes/changes.ts';
import type { WriterFiles } from '../changes/writerFiles.ts';
import type { AfterCall, BeforeCall, HookedCall } from '../hooks/callHooks.ts';
import type { TailCall } from '../hooks/parseAnswer.ts';
import {
  type AdmittedContext,
  type AnyTool,
  type CallContext,
  type Prepared,
  type Proposal,
  ToolFailure,
  type ToolResult,
} from '../tool.ts';
import { admit } from './admission.ts';
import type { Decision } from './approvals.ts';
import { askDuring, type DuringAsk } from './askDuring.ts';
import { cardLine, invalidArguments, shortArgs, unknownTool } from './describeCall.ts';
import { LiveOutput } from './liveOutput.ts';
import { resultText, withChanges } from './resultText.ts';
import type { CallPart, CallSurroundings, ResultPart } from './surroundings.ts';

/** How long a stopped tool may take to end by itself before it is left behind, milliseconds. */
const stopGraceMs = 1500;

/** Characters of a card's title: a model may pass megabytes as a pattern. */
const titleLimit = 300;

export class CallRun {
  readonly part: CallPart;
  readonly tool: AnyTool | undefined;
  private readonly around: CallSurroundings;
  private readonly signal: AbortSignal;
  private readonly live: LiveOutput;
  private input: unknown;
  private prepared: Prepared<unknown> | undefined;
  private proposal: Proposal | undefined;
  private startedAt: number;
  /** Its own, once it may run. */
  private files: WriterFiles | undefined;
  /** Of the command is known that it does nothing but read. */
  private reads = false;
  /** What they answered, where that is what was asked for. */
  private said: Pick<AdmittedContext, 'answers' | 'approvedPlan'> | undefined;
  /** The arguments that count: a hook may have changed them. */
  private args: CallPart['args'];
  /** What hooks said before it ran: for the result, and why a person must decide. */
  private hooked: { readonly note: string; readonly ask?: string } = { note: '' };
  private ended: ResultPart | undefined;
  /** The call that a hook wants to run next, in place of this one's result. */
  tailCall: TailCall | undefined;
  /** Aborted once it has ended: what it still asks then is asked in vain, and must not keep others from asking. */
  private readonly over = new AbortController();

  constructor(part: CallPart, around: CallSurroundings, signal: AbortSignal) {
    this.part = part;
    this.args = part.args;
    this.tool = around.tools.get(part.name);
    this.around = around;
    this.signal = signal;
    this.startedAt = around.clock.now();
    this.live = new LiveOutput(around.clock, {
      keep: text => around.outputs.keep(part.id, text),
      send: text => around.caller.emit({ type: 'call.output', callId: part.id, text }),
    });
  }

  /** It runs a command that changes nothing, as far as can be known before it is prepared. */
  async commandReads(): Promise<boolean> {
    const { tool, part, around } = this;
    // A hook may put another command in place of this one.
    if (!tool?.commandLine || around.hooks?.isAsked()) return false;
    const parsed = tool.input.safeParse(part.args);
    const line = parsed.success ? tool.commandLine(parsed.data) : undefined;
    return line !== undefined && (await around.policy.onlyReads(line));
  }

  /** Announces the call and works out what it would do. */
  async prepare(stepId: string): Promise<void> {
    const { part, tool } = this;
    const given = tool?.input.safeParse(part.args);
    // What changes a call comes before it is shown. Without hooks, calls are announced at once, in their order.
    const denial = given?.success && this.around.hooks?.isAsked() ? await this.askHooks() : undefined;
    const parsed = this.args === part.args ? given : tool?.input.safeParse(this.args);
    this.around.caller.emit({
      type: 'call.requested',
      callId: part.id,
      stepId,
      tool: tool ? part.name : cardLine(part.name),
      effect: tool?.effect ?? 'note',
      title: cardLine(tool && parsed?.success ? tool.title(parsed.data) : part.name, titleLimit),
      args: shortArgs(this.args),
    });
    if (denial) return this.end('denied', denial.reason, { summary: denial.summary });
    if (!tool) return this.fail(unknownTool(part.name, this.offered()), 'No such tool');
    if (!parsed?.success)
      return this.fail(this.noted(invalidArguments(part.name, parsed?.error)), 'Invalid arguments');
    this.input = parsed.data;
    await this.guard(async () => {
      this.prepared = await abortable(tool.prepare(parsed.data, this.context()), this.signal);
      this.propose(this.prepared.proposal);
    });
  }

  /** Asks the policy, and through it the person. */
  async admit(): Promise<void> {
    const { tool, prepared, part, around, signal } = this;
    if (this.ended || !tool || !prepared) return;
    await this.guard(async () => {
      const admission = await admit(
        { callId: part.id, tool, prepared, args: this.input, insist: this.hooked.ask },
        around,
        signal,
      );
      if (admission.kind === 'denied') {
        this.end('denied', admission.reason, { summary: admission.summary });
        return;
      }
      const look = admission.decided ? 'seen' : 'unseen';
      this.files = around.changes.filesOf(this.writer(tool, prepared), look);
      this.reads = admission.reads ?? false;
      this.said = admission.said;
      if (admission.proposal && admission.proposal !== this.proposal) this.propose(admission.proposal);
    });
  }

  async execute(): Promise<ResultPart> {
    const { tool, prepared, files } = this;
    if (!this.ended && tool && prepared && files) {
      await this.guard(async () => {
        this.signal.throwIfAborted();
        this.startedAt = this.around.clock.now();
        this.around.caller.emit({ type: 'call.started', callId: this.part.id });
        const before = this.proposal ? await this.findProblems(this.proposal.path) : [];
        const { reads, signal } = this;
        const call = { effect: tool.effect, files, reads, signal };
        const { result, changes } = await this.around.changes.watch(call, () => {
          const running = tool.run(this.input, prepared.plan, {
            ...this.context(),
            files,
            proposal: this.proposal,
            ...this.said,
          });
          const ending = tool.windsUp ? running : withGrace(running, this.signal, this.around.clock);
          return ending.catch(error => this.tellFailure(error));
        });
        await this.succeed(withChanges(result, changes), before);
      });
    }
    if (!this.ended) throw new Error(`Call ${this.part.id} was executed before it was prepared.`);
    return this.ended;
  }

  private offered(): readonly string[] {
    const { tools, policy, caller } = this.around;
    const { mode, agent } = caller;
    const offered = [...tools.values()].filter(
      tool => (tool.isOffered?.() ?? true) && !policy.forbids(tool, mode(), agent),
    );
    return offered.map(({ name }) => name);
  }

  /** `undefined`: they cannot be known. */
  private findProblems(path: string): Promise<readonly Diagnostic[] | undefined> {
    const { diagnostics, log } = this.around;
    return diagnostics.read(path, this.signal).catch((error: unknown) => {
      this.signal.throwIfAborted();
      log.warn(`Problems of ${path} are unknown: ${messageOf(error)}`);
      return undefined;
    });
  }

  private async succeed(
    result: ToolResult,
    problemsBefore: readonly Diagnostic[] | undefined,
  ): Promise<void> {
    const saveOutput = (text: string) => this.saveOutput(text);
    const text = await resultText(result, this.around, { problemsBefore, saveOutput, signal: this.signal });
    const { text: shown, heldBack, tailCall } = await this.afterHooks(text, result.display, true);
    this.tailCall = tailCall;
    this.end('ok', shown, result.display, heldBack ? undefined : result.blobs);
  }

  /** Why the call must not run, if a hook objects. */
  private async askHooks(): Promise<Extract<BeforeCall, { kind: 'denied' }> | undefined> {
    try {
      const before = await this.around.hooks?.before(this.hookedCall());
      if (before?.kind !== 'goes') return before;
      this.args = before.args ?? this.args;
      this.hooked = before;
    } catch (error) {
      // The call is announced all the same, and then ends as stopped.
      if (!this.signal.aborted) throw error;
    }
    return undefined;
  }

  private async afterHooks(text: string, display: Display, ok: boolean): Promise<AfterCall> {
    const noted = this.noted(text);
    const after = this.around.hooks?.after(this.hookedCall(), { text: noted, display, ok });
    return (await after) ?? { text: noted, heldBack: false };
  }

  /** Hooks hear of a call that ran and failed, too. */
  private async tellFailure(error: unknown): Promise<never> {
    if (!(error instanceof ToolFailure) || this.signal.aborted) throw error;
    const { text, tailCall } = await this.afterHooks(error.message, { summary: error.summary }, false);
    this.tailCall = tailCall;
    throw new ToolFailure(text, error.summary);
  }

  private hookedCall(): HookedCall {
    const { part, args, signal } = this;
    return { callId: part.id, tool: part.name, args, signal };
  }

  private noted(text: string): string {
    return this.hooked.note ? `${text}\n\n${this.hooked.note}` : text;
  }

  /** Turns what a step throws into the call's outcome. */
  private async guard(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      if (this.signal.aborted) this.cancel();
      else if (error instanceof ToolFailure) this.fail(error.message, error.summary);
      else {
        this.around.log.error(`${this.part.name} failed unexpectedly`, error);
        this.fail(`${this.part.name} failed: ${messageOf(error)}`, messageOf(error));
      }
    }
  }

  private cancel(): void {
    const partial = plainTerminalText(this.live.text);
    const why = `${messageOf(this.signal.reason)} before this call finished.`;
    const text = partial ? `${why} Its output until then:\n${fence('untrusted_output', partial)}` : why;
    this.end('cancelled', text, {
      summary: 'Stopped',
      detail: partial ? { kind: 'text', text: partial } : undefined,
    });
  }

  /** A reason may quote what the model passed, however long. */
  private fail(text: string, summary: string): void {
    const shown = cutMiddle(text, this.around.outputs.limit);
    this.end('failed', shown, { summary: cardLine(summary, 200) });
  }

  private end(outcome: OutcomeKind, text: string, display: Display, blobs?: ResultPart['blobs']): void {
    if (this.ended) return;
    const { id, name } = this.part;
    this.ended = { kind: 'result', id, name, ok: outcome === 'ok', text, ...(blobs && { blobs }) };
    this.over.abort(new Error('The call ended before it was answered'));
    this.live.flush();
    const durationMs = this.around.clock.now() - this.startedAt;
    this.around.caller.emit({ type: 'call.ended', callId: id, outcome, display, durationMs });
  }

  private propose(proposal: Proposal | undefined): void {
    if (!proposal) return;
    this.proposal = proposal;
    this.around.proposals.keep(this.part.id, proposal);
  }

  private context(): CallContext {
    const { part, signal, live } = this;
    return {
      callId: part.id,
      signal,
      write: live.write,
      saveOutput: text => this.saveOutput(text),
      ask: (question, withdrawn) => this.ask(question, withdrawn),
    };
  }

  private writer(tool: AnyTool, { target }: Prepared<unknown>): CallWriter {
    const callId = this.part.id;
    if (target?.kind === 'command')
      return { kind: 'command', callId, line: cardLine(target.command, titleLimit) };
    return { kind: 'call', callId, words: cardLine(tool.title(this.input), titleLimit) };
  }

  /** What a tool wants to know while it runs; once the call has ended, nothing more is told of it. */
  private ask(question: DuringAsk, withdrawn: AbortSignal): Promise<Decision> {
    const { approvals, caller, clock } = this.around;
    const emit = (event: SessionEventBody) => {
      if (!this.ended) caller.emit(event);
    };
    const signal = AbortSignal.any([this.signal, this.over.signal, withdrawn]);
    return askDuring(this.part.id, question, { caller: { ...caller, emit }, approvals, clock }, signal);
  }

  /** A full disk must not hide how the call ended. */
  private async saveOutput(text: string): Promise<string | undefined> {
    const name = `${this.part.name}-${this.part.id}.txt`;
    return await this.around.outputs.save(name, text).catch((error: unknown) => {
      this.around.log.warn(`The output of ${this.part.name} could not be kept: ${messageOf(error)}`);
      return undefined;
    });
  }
}

/** After an abort the tool may still end by itself, so that nothing is left half done; then it is left behind. */
function withGrace<T>(running: Promise<T>, signal: AbortSignal, clock: Clock): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    running.then(resolve, reject);
    const abort = () => void clock.sleep(stopGraceMs).then(() => reject(signal.reason));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    running
      .finally(() => signal.removeEventListener('abort', abort))
      .catch(() => {
        // The rejection reaches the caller through `reject` above.
      });
  });
}
