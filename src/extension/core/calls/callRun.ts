/*
 * One call from its arguments to its one outcome:
 *
 *   parse ─► prepare ─► judge ─► (ask) ─► run
 *     │         │         │        │       │
 *     └─────────┴─────────┴────────┴───────┴──► ended: ok, failed, denied or cancelled
 *
 * Whatever happens on the way ends the call exactly once; nothing is thrown to the scheduler.
 */

import { dirname } from 'node:path';
import type {
  ApprovalMode,
  AskSubject,
  Display,
  OutcomeKind,
  Part,
  SessionEventBody,
} from '../../../protocol/events.ts';
import { abortable } from '../../base/abort.ts';
import { messageOf } from '../../base/errors.ts';
import { cutMiddle, oneLine, plural } from '../../base/text.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Diagnostic, Diagnostics } from '../../platform/diagnostics.ts';
import type { Log } from '../../platform/log.ts';
import type { Changes } from '../changes/changes.ts';
import type { CommandChanges } from '../changes/commandWatch.ts';
import { takeHunks } from '../changes/partialProposal.ts';
import type { Policy, Rule } from '../policy/policy.ts';
import {
  type AnyTool,
  type CallContext,
  type Prepared,
  type Proposal,
  ToolFailure,
  type ToolResult,
} from '../tool.ts';
import type { Approvals, Decision } from './approvals.ts';
import { LiveOutput } from './liveOutput.ts';
import { nearestNames } from './nearestNames.ts';

export type CallPart = Extract<Part, { kind: 'call' }>;
export type ResultPart = Extract<Part, { kind: 'result' }>;

export interface CallSurroundings {
  readonly tools: ReadonlyMap<string, AnyTool>;
  readonly policy: Policy;
  readonly approvals: Approvals;
  readonly diagnostics: Diagnostics;
  readonly clock: Clock;
  readonly log: Log;
  readonly mode: () => ApprovalMode;
  /** Characters of a result that the model gets whole. */
  readonly outputLimit: () => number;
  readonly saveOutput: (name: string, text: string) => Promise<string>;
  /** Standing instructions of folders that were not told yet; empty when there are none. Never rejects. */
  readonly tellOfFolders: (folders: readonly string[]) => Promise<string>;
  readonly emit: (event: SessionEventBody) => void;
  /** Told of each proposal, and again when the person changed it. */
  readonly proposed: (callId: string, proposal: Proposal) => void;
  /** Runs what may write, and tells what a command changed. */
  readonly watch: Changes['watch'];
}

/** How long a stopped tool may take to end by itself before it is left behind, milliseconds. */
const stopGraceMs = 1500;

/** Characters of a card's title: a model may pass megabytes as a pattern. */
const titleLimit = 300;

const notKept = 'It could not be kept in a file.';

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
  /** A person has looked at what it will do. */
  private decided = false;
  private ended: ResultPart | undefined;

  constructor(part: CallPart, around: CallSurroundings, signal: AbortSignal) {
    this.part = part;
    this.tool = around.tools.get(part.name);
    this.around = around;
    this.signal = signal;
    this.startedAt = around.clock.now();
    this.live = new LiveOutput(around.clock, text =>
      around.emit({ type: 'call.output', callId: part.id, text }),
    );
  }

  /** Announces the call and works out what it would do. */
  async prepare(stepId: string): Promise<void> {
    const { part, tool } = this;
    const parsed = tool?.input.safeParse(part.args);
    this.around.emit({
      type: 'call.requested',
      callId: part.id,
      stepId,
      tool: tool ? part.name : oneLine(part.name),
      effect: tool?.effect ?? 'note',
      title: oneLine(tool && parsed?.success ? tool.title(parsed.data) : part.name, titleLimit),
      args: shortArgs(part.args),
    });
    if (!tool) return this.fail(unknownTool(part.name, [...this.around.tools.keys()]), 'No such tool');
    if (!parsed?.success) return this.fail(invalidArguments(part.name, parsed?.error), 'Invalid arguments');
    this.input = parsed.data;
    await this.guard(async () => {
      this.prepared = await abortable(tool.prepare(parsed.data, this.context()), this.signal);
      this.propose(this.prepared.proposal);
    });
  }

  /** Asks the policy, and through it the person. */
  async admit(): Promise<void> {
    const { tool, prepared } = this;
    if (this.ended || !tool || !prepared) return;
    const { around } = this;
    const verdict = around.policy.judge({
      tool: tool.name,
      effect: tool.effect,
      target: prepared.target,
      mode: around.mode(),
    });
    if (verdict.kind === 'deny') return this.end('denied', verdict.reason, { summary: verdict.reason });
    if (verdict.kind === 'ask') await this.guard(() => this.ask(verdict.reason, verdict.always, prepared));
  }

  async execute(): Promise<ResultPart> {
    const { tool, prepared } = this;
    if (!this.ended && tool && prepared) {
      await this.guard(async () => {
        this.signal.throwIfAborted();
        this.startedAt = this.around.clock.now();
        this.around.emit({ type: 'call.started', callId: this.part.id });
        const before = this.proposal ? this.around.diagnostics.read(this.proposal.path) : [];
        const call = { effect: tool.effect, decided: this.decided, signal: this.signal };
        const { result, changes } = await this.around.watch(call, () => {
          const running = tool.run(this.input, prepared.plan, this.context());
          return withGrace(running, this.signal, this.around.clock);
        });
        await this.succeed(withChanges(result, changes), before);
      });
    }
    if (!this.ended) throw new Error(`Call ${this.part.id} was executed before it was prepared.`);
    return this.ended;
  }

  private async ask(reason: string, rule: Rule | undefined, prepared: Prepared<unknown>): Promise<void> {
    const { around, part } = this;
    const subject: AskSubject = prepared.subject ?? { kind: 'other', detail: part.name };
    around.emit({ type: 'call.asked', callId: part.id, ask: { reason, subject, always: rule?.label } });
    const decision = await around.approvals.wait(part.id, this.signal);
    const said = decision.kind === 'deny' ? decision.reason?.trim() || undefined : undefined;
    around.emit({ type: 'call.decided', callId: part.id, decision: decision.kind, reason: said });
    this.decided = true;
    if (decision.kind === 'always' && rule) around.policy.remember(rule);
    const text = this.decidedText(decision, subject);
    if (text !== undefined && this.proposal) {
      const agentText = this.proposal.agentText ?? this.proposal.after;
      this.propose({ ...this.proposal, after: text, agentText });
    }
    if (decision.kind !== 'deny') return;
    const because = said
      ? ` They said: ${said}`
      : ' They gave no reason: do not try the same again; ask or go another way.';
    this.end('denied', `The person denied this call; nothing was done.${because}`, {
      summary: said ?? 'Denied',
    });
  }

  /** What shall be written instead of the proposed text. */
  private decidedText(decision: Decision, subject: AskSubject): string | undefined {
    if (decision.kind === 'edited') return decision.text;
    if (decision.kind !== 'hunks' || !this.proposal || subject.kind !== 'edit') return undefined;
    return takeHunks(this.proposal.before, this.proposal.after, subject.diff, decision.accepted);
  }

  private async succeed(result: ToolResult, before: readonly Diagnostic[]): Promise<void> {
    const limit = this.around.outputLimit();
    let text = result.text;
    if (!result.bounded && text.length > limit) {
      const path = await this.saveOutput(text);
      const rest = path ? `The whole output is in ${path}: read parts of it with read_file.` : notKept;
      text = `${cutMiddle(text, limit)}\n\nThe middle is left out. ${rest}`;
    }
    if (result.wrote) text += await this.newProblems(result.wrote, before);
    const folders = result.wrote ? [dirname(result.wrote)] : result.folders;
    if (folders) text += await this.around.tellOfFolders(folders);
    this.end('ok', text, result.display, result.blobs);
  }

  private async newProblems(path: string, before: readonly Diagnostic[]): Promise<string> {
    const after = await this.around.diagnostics.settle(path, this.signal).catch((error: unknown) => {
      // The edit stands, whatever became of the wait: a stop here must not turn it into a cancelled call.
      if (!this.signal.aborted) this.around.log.warn(`Problems of ${path} are unknown: ${messageOf(error)}`);
      return undefined;
    });
    const known = new Set(before.map(problem => `${problem.severity}${problem.message}`));
    const fresh = (after ?? [])
      .filter(problem => !known.has(`${problem.severity}${problem.message}`))
      .slice(0, 20);
    if (fresh.length === 0) return '';
    const lines = fresh.map(
      ({ severity, line, message }) => `line ${line}: ${severity}: ${oneLine(message, 300)}`,
    );
    return `\n\nThe edit brought ${plural(fresh.length, 'new problem')}:\n${lines.join('\n')}`;
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
    const partial = this.live.text;
    const why = `${messageOf(this.signal.reason)} before this call finished.`;
    const text = partial ? `${why} Its output until then:\n${partial}` : why;
    this.end('cancelled', text, {
      summary: 'Stopped',
      detail: partial ? { kind: 'text', text: partial } : undefined,
    });
  }

  /** A reason may quote what the model passed, however long. */
  private fail(text: string, summary: string): void {
    const shown = cutMiddle(text, this.around.outputLimit());
    this.end('failed', shown, { summary: oneLine(summary, 200) });
  }

  private end(outcome: OutcomeKind, text: string, display: Display, blobs?: ResultPart['blobs']): void {
    if (this.ended) return;
    const { id, name } = this.part;
    this.ended = { kind: 'result', id, name, ok: outcome === 'ok', text, ...(blobs && { blobs }) };
    this.live.flush();
    const durationMs = this.around.clock.now() - this.startedAt;
    this.around.emit({ type: 'call.ended', callId: id, outcome, display, durationMs });
  }

  private propose(proposal: Proposal | undefined): void {
    if (!proposal) return;
    this.proposal = proposal;
    this.around.proposed(this.part.id, proposal);
  }

  private context(): CallContext {
    const { part, signal, live, proposal } = this;
    return {
      callId: part.id,
      signal,
      write: live.write,
      saveOutput: text => this.saveOutput(text),
      proposal,
    };
  }

  /** A full disk must not hide how the call ended. */
  private async saveOutput(text: string): Promise<string | undefined> {
    const name = `${this.part.name}-${this.part.id}.txt`;
    return await this.around.saveOutput(name, text).catch((error: unknown) => {
      this.around.log.warn(`The output of ${this.part.name} could not be kept: ${messageOf(error)}`);
      return undefined;
    });
  }
}

/** The card says which files a command changed; the model has its output. */
function withChanges(result: ToolResult, changes: CommandChanges | undefined): ToolResult {
  if (!changes) return result;
  const { touched, uncovered } = changes;
  const display = {
    ...result.display,
    ...(touched.length > 0 && { touched }),
    ...(uncovered && { uncovered }),
  };
  return { ...result, display };
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

function unknownTool(name: string, known: readonly string[]): string {
  return `There is no tool ${oneLine(name)}. The nearest are ${nearestNames(name, known).join(', ')}.`;
}

function invalidArguments(
  name: string,
  error: { issues: readonly { path: PropertyKey[]; message: string }[] } | undefined,
): string {
  const issues = (error?.issues ?? []).map(
    issue => `${issue.path.map(String).join('.') || 'arguments'}: ${issue.message}`,
  );
  return `The arguments of ${name} are not valid: ${issues.join('; ')}. Call it again with them right.`;
}

/** For the card: long strings are cut, the whole stands in history. */
function shortArgs(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const cut = (value: unknown) =>
    typeof value === 'string' && value.length > 2000 ? `${value.slice(0, 2000)}…` : value;
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, cut(value)]));
}
