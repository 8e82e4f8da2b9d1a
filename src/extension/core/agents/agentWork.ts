/*
 * The work of one agent, from its task to its report. It is a turn like those of a session, over a history of its own:
 *
 *   work ─► complete_task ───────────────────────────────────► reported
 *     ├───► rested, steps or time used up ─► one more step ─┬─► reported
 *     │                                                     └─► unfinished
 *     └───► stopped, failed, in circles ───────────────────────► unfinished
 *
 * Everything that happens is told to the session as `agent.event`, so the journal has it and the panel can show it.
 */

import type { ReachedBudget } from '../../../protocol/budgets.ts';
import type { Message, SessionEventBody, Trouble, TurnEnd } from '../../../protocol/events.ts';
import { type Report, soleText } from '../../../protocol/reports.ts';
import { describeTurnEnd } from '../../../protocol/turnEnd.ts';
import { messageOf } from '../../base/errors.ts';
import { type AgentHooks, mostRounds } from '../hooks/sessionHooks.ts';
import { HookStop } from '../hooks/stops.ts';
import { LoopWatch } from '../loops/loopWatch.ts';
import type { ModelRequest } from '../model.ts';
import { closeOpenAgent } from '../recording/closeAgent.ts';
import { isCut, runTurn, type TurnSurroundings } from '../session/turn.ts';
import type { AnyTool } from '../tool.ts';
import { AgentContext } from './agentContext.ts';
import { type AgentEnd, endWithout, graceText, type Lack, saidIn, whyWithout } from './agentEnd.ts';
import type { AgentKind } from './agentKind.ts';
import { agentPrompt } from './agentPrompt.ts';
import type { AgentSession } from './agentSession.ts';
import { askJudge } from './askJudge.ts';
import { besideOthers, type Lanes } from './besideOthers.ts';
import { completeTask } from './completeTask.ts';
import { TimeLimit } from './timeLimit.ts';
import { chooseTools } from './toolChoice.ts';

export interface AgentTask {
  readonly kind: AgentKind;
  /** The call that sends it out. */
  readonly callId: string;
  readonly prompt: string;
}

/** Milliseconds for the one step after the last. */
const graceMs = 60_000;

/** A stretch of the work: until when, and with what. */
interface Stretch {
  readonly signal: AbortSignal;
  readonly limit: TimeLimit;
  /** Steps in all, those before it included. */
  readonly mostSteps: number;
  /** Only to hand in what there is. */
  readonly isGrace: boolean;
}

export class AgentWork {
  private readonly task: AgentTask;
  private readonly session: AgentSession;
  private readonly lanes: Lanes;
  private readonly hooks: AgentHooks;
  private readonly context: AgentContext;
  private readonly loops: LoopWatch;
  private readonly complete: AnyTool;
  private readonly tellOfFolders: (folders: readonly string[]) => Promise<string>;
  private readonly stopping = new AbortController();
  /** Of the stretch that runs. */
  private signal = this.stopping.signal;
  private readonly turnId: string;
  private report: Report | undefined;
  private steps = 0;
  private calls = 0;
  /** The model of the newest request, before hooks saw it. */
  private asked = '';

  constructor(task: AgentTask, session: AgentSession, lanes: Lanes) {
    const { around } = session;
    const { kind } = task;
    this.task = task;
    this.session = session;
    this.lanes = lanes;
    this.turnId = around.clock.newId();
    const hooks = session.hooks().beside(this.emit);
    this.hooks = hooks;
    this.complete = completeTask(kind, report => {
      this.report = report;
    });
    this.context = new AgentContext({
      ...{ session, hooks, emit: this.emit, callId: task.callId, name: kind.name },
      model: () => this.model,
      own: [this.complete],
      more: () => chooseTools(session.tools(), kind.tools),
    });
    this.tellOfFolders =
      kind.briefing === 'working' && around.agents ? around.agents.tellOfFolders() : async () => '';
    this.loops = new LoopWatch({
      isDisabled: () => !around.loopDetection(),
      ask: request => askJudge(request, { ...session, emit: this.emit }, this.signal),
      messages: () => this.context.history.messages,
      log: around.log,
    });
  }

  private get model(): string {
    const { around, routing } = this.session;
    const { model } = this.task.kind;
    return model === undefined ? routing.working : (around.resolveModel?.(model) ?? model);
  }

  /** The person wants nothing more of this one. */
  stop(): void {
    this.stopping.abort(new DOMException('The person stopped this agent', 'AbortError'));
  }

  /** Rejects only with the reason of the outer signal, and for a bug. Nothing of it is open afterwards. */
  async run(outer: AbortSignal): Promise<AgentEnd> {
    const signal = AbortSignal.any([outer, this.stopping.signal]);
    this.open();
    try {
      const { end, why } = await this.work(signal);
      this.emit({ type: 'turn.ended', turnId: this.turnId, end });
      outer.throwIfAborted();
      if (this.report) return { kind: 'reported', report: this.report, steps: this.steps, calls: this.calls };
      const shown = this.stopping.signal.aborted ? { shown: 'You stopped it.' } : {};
      return { kind: 'unfinished', why, ...shown, found: saidIn(this.context.history.whole) };
    } catch (error) {
      const { state, emit } = this.session;
      for (const event of closeOpenAgent(state(), this.task.callId, messageOf(error))) emit(event);
      throw error;
    }
  }

  private open(): void {
    const { around, state } = this.session;
    const { prompt: text, callId } = this.task;
    const { folders } = around;
    const { model } = this;
    this.emit({ type: 'session.started', sessionId: callId, folders, model, mode: state().mode });
    this.emit({ type: 'turn.started', turnId: this.turnId, text, attachments: [] });
    this.loops.beginTurn(text);
    this.say(text);
  }

  private async work(signal: AbortSignal): Promise<{ readonly end: TurnEnd; readonly why: string }> {
    try {
      const { kind } = this.task;
      const { end, lack } = await this.inTime(kind.maxMs, kind.maxTurns, signal);
      if (this.report) return { end: { kind: 'rested' }, why: '' };
      if (!lack || signal.aborted) return this.ended(end);
      this.say(graceText(lack));
      const { end: last } = await this.inTime(graceMs, this.steps + 1, signal, 'grace');
      if (this.report) return { end: { kind: 'rested' }, why: '' };
      if (signal.aborted || last.kind === 'failed' || last.kind === 'hook') return this.ended(last);
      return { end: endWithout(lack, kind), why: whyWithout(lack, kind) };
    } catch (error) {
      if (!(error instanceof HookStop)) throw error;
      return this.ended({ kind: 'hook', reason: error.message });
    }
  }

  private ended(end: TurnEnd): { readonly end: TurnEnd; readonly why: string } {
    const why = this.stopping.signal.aborted
      ? 'The person stopped it: do not send it out for the same again unless they ask.'
      : describeTurnEnd(end);
    return { end, why };
  }

  /** `lack`: it came to no end of its own, and may still hand in what it has. */
  private async inTime(
    ms: number,
    mostSteps: number,
    outer: AbortSignal,
    grace?: 'grace',
  ): Promise<{ readonly end: TurnEnd; readonly lack?: Lack }> {
    const timeUp = new AbortController();
    const ring = () => timeUp.abort(new DOMException("The agent's time was up", 'AbortError'));
    const limit = new TimeLimit(this.session.around.clock, ms, ring);
    const signal = AbortSignal.any([outer, timeUp.signal]);
    this.signal = signal;
    try {
      const stretch: Stretch = { signal, limit, mostSteps, isGrace: grace !== undefined };
      const end = await this.untilAccepted(stretch);
      if (end.kind === 'rested' || isCut(end)) return { end, lack: 'rested' };
      if (end.kind === 'stopped' && timeUp.signal.aborted) return { end, lack: 'time' };
      const isOwn = end.kind === 'budget' && end.budget.kind === 'steps' && this.steps >= mostSteps;
      return isOwn ? { end, lack: 'steps' } : { end };
    } finally {
      limit.dispose();
    }
  }

  /** Works until hooks accept the report. What is handed in with the last step counts in any case. */
  private async untilAccepted(stretch: Stretch): Promise<TurnEnd> {
    const { kind, prompt } = this.task;
    for (let round = 0; ; round++) {
      const end = await runTurn(this.turnSurroundings(stretch), stretch.signal);
      if (this.report === undefined || stretch.isGrace || round >= mostRounds) return end;
      const handedIn = {
        agent: kind.name,
        prompt,
        report: soleText(this.report) ?? JSON.stringify(this.report),
        active: round > 0,
      };
      const objection = await this.hooks.afterSubagent(handedIn, stretch.signal);
      if (objection === undefined) return end;
      this.report = undefined;
      this.say(objection);
    }
  }

  private turnSurroundings(stretch: Stretch): TurnSurroundings {
    const { around } = this.session;
    const { clock, costOf, provider } = around;
    const { mostSteps: limit } = stretch;
    const ownBudget = { kind: 'steps', scope: 'turn', limit, used: limit } as const;
    return {
      ...{ clock, costOf, emit: this.emit, loops: this.loops },
      // Ids must be no other call's in the whole session.
      history: { withOwnIds: message => withNewIds(message, () => clock.newId()) },
      provider: () => this.hooks.model.provider(provider()),
      nextRequest: signal => this.nextRequest(stretch, signal),
      sending: request => this.context.requests.sending(request),
      counted: (request, usage) => this.context.learn(request, usage),
      calls: this.callSurroundings(stretch),
      routing: this.routing(stretch),
      addMessage: message => this.emit({ type: 'message.added', message }),
      // The button that ends a pause belongs to the turn that the person sees.
      untilRetryNow: () => new Promise(() => {}),
      findReachedBudget: () => (this.steps >= limit ? ownBudget : this.findReachedBudget()),
      steer: async () => {},
      goesOn: async () => false,
      isDone: () => this.report !== undefined,
    };
  }

  private callSurroundings({ signal, limit, isGrace }: Stretch): TurnSurroundings['calls'] {
    return {
      ...this.session.calls(),
      tools: isGrace ? new Map([[this.complete.name, this.complete]]) : this.context.requests.known,
      hooks: this.hooks.calls,
      agent: this.task.kind.name,
      emit: this.emit,
      tellOfFolders: this.tellOfFolders,
      beside: besideOthers(this.lanes, limit, signal),
    };
  }

  /** The model is the session's, so what becomes of a failing one is, too. */
  private routing({ signal, limit }: Stretch): TurnSurroundings['routing'] {
    const { routing, around, stopTurn } = this.session;
    const isOwn = this.task.kind.model !== undefined;
    return {
      attempts: () => (isOwn ? around.maxAttempts() : routing.attempts()),
      answered: model => routing.answered(model),
      afterFailure: async (error, model) => {
        if (isOwn) return 'fail';
        const decide = async () => {
          // Another agent met the same trouble, and somebody took over.
          if (routing.working !== this.asked) return 'again';
          const after = await routing.afterFailure(error, model);
          if (after === 'stop') stopTurn();
          return after;
        };
        try {
          return await besideOthers(this.lanes, limit, signal).ask(decide);
        } catch (failure) {
          if (signal.aborted) return 'stop';
          throw failure;
        }
      },
    };
  }

  private async nextRequest(stretch: Stretch, signal: AbortSignal): Promise<ModelRequest | Trouble> {
    const request = await this.context.next(() => this.compose(stretch, signal), signal);
    return 'kind' in request ? request : this.hooks.model.beforeRequest(request);
  }

  private async compose({ isGrace }: Stretch, signal: AbortSignal): Promise<ModelRequest> {
    const { compose, state } = this.session;
    const { kind } = this.task;
    const { requests } = this.context;
    const { model } = this;
    this.asked = model;
    const toolNames = [...requests.offered.keys()];
    const { mode } = state();
    const system = () =>
      compose({ mode, model, activeTopic: undefined, toolNames }, facts => agentPrompt(kind, facts));
    const composed = await requests.compose(model, system, signal);
    const tools = isGrace ? composed.tools.filter(({ name }) => name === this.complete.name) : composed.tools;
    const { temperature } = kind;
    return { ...composed, tools, ...(temperature !== undefined && { temperature }) };
  }

  /** Of the session's; the steps of its turn are not those of an agent. */
  private findReachedBudget(): ReachedBudget | undefined {
    const reached = this.session.findReachedBudget();
    return reached?.kind === 'steps' ? undefined : reached;
  }

  private say(text: string): void {
    const meanwhile = this.context.history.messages.at(-1)?.role === 'user';
    const message: Message = {
      role: 'user',
      parts: [{ kind: 'text', text }],
      ...(meanwhile && { meanwhile }),
    };
    this.emit({ type: 'message.added', message });
  }

  private readonly emit = (body: SessionEventBody): void => {
    if (body.type === 'step.started') this.steps++;
    if (body.type === 'call.requested' && body.tool !== this.complete.name) this.calls++;
    // A second stretch goes on with the steps of the first.
    const event = body.type === 'step.started' ? { ...body, number: this.steps } : body;
    const { callId, kind } = this.task;
    this.session.emit({ type: 'agent.event', callId, agent: kind.name, event });
    this.context.fold({ ...event, seq: this.session.state().seq, at: this.session.around.clock.now() });
  };
}

function withNewIds(message: Message, newId: () => string): Message {
  const parts = message.parts.map(part => (part.kind === 'call' ? { ...part, id: newId() } : part));
  return { ...message, parts };
}
