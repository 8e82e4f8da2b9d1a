/*
 * Runs one subagent, from its task to its report. It is a turn like those of a session, with a separate history:
 *
 *   work ─► complete_task ───────────────────────────────────► reported
 *     ├───► rested, steps or time used up ─► one more step ─┬─► reported
 *     │                                                     └─► unfinished
 *     └───► stopped, failed, in circles ───────────────────────► unfinished
 *
 * It has its own journal and forwards all events to the session, so that the panel can show them.
 */

import type { Message, SessionEvent, TurnEnd } from '../../../protocol/events.ts';
import { inEnglish, type LocalizedMessage, t } from '../../../protocol/language.ts';
import { soleText } from '../../../protocol/panel/reports.ts';
import type { SubagentReport } from '../../../protocol/values.ts';
import { describeTurnEnd } from '../../../protocol/words/turnEnd.ts';
import { formatQuantity } from '../../base/text.ts';
import type { Caller, CallServices } from '../calls/calling.ts';
import { PausableTimer } from '../calls/pausableTimer.ts';
import { Conversation } from '../conversation/conversation.ts';
import { RequestComposer } from '../conversation/requestComposer.ts';
import { isCutAnswer, type TurnDelegate } from '../conversation/turn.ts';
import { HookStopError } from '../hooks/hookStops.ts';
import { type AgentHooks, maxRejections } from '../hooks/sessionHooks.ts';
import type { ModelRequest } from '../model.ts';
import type { SectionName } from '../prompt/sectionNames.ts';
import { joinLines, type PromptFacts } from '../prompt/sections/facts.ts';
import { sectionText } from '../prompt/systemPrompt.ts';
import type { Transcript } from '../recording/transcript.ts';
import { type AnyTool, defineReadTool } from '../tool.ts';
import type { LocalAgent } from './agentDefinition.ts';
import {
  type AgentEnd,
  agentTooLargeFailure,
  collectAgentTexts,
  describeMissingReport,
  endWithoutReport,
  finalReportPrompt,
  type MissingReportCause,
} from './agentEnd.ts';
import { AgentModelRouting, type AgentPhaseLimits } from './agentModelRouting.ts';
import { docsPlaceholder } from './builtInAgents.ts';
import { type AgentLocks, makeExclusiveAccess } from './makeExclusiveAccess.ts';
import { type AgentTask, NestedRun, stoppedByUserNote } from './nestedRun.ts';
import type { ParentSession } from './parentSession.ts';
import { selectTools } from './toolSelection.ts';

/** Milliseconds for the additional step. */
const graceMs = 60_000;

export class LocalAgentRun {
  private readonly task: AgentTask<LocalAgent>;
  private readonly sender: ParentSession;
  private readonly locks: AgentLocks;
  private readonly transcript: Transcript;
  private readonly hooks: AgentHooks;
  private readonly agentRun: NestedRun;
  private readonly model: AgentModelRouting;
  private readonly conversation: Conversation;
  private readonly complete: AnyTool;
  private readonly memory: Caller['memory'];
  private stretch: AgentPhaseLimits | undefined;
  private report: SubagentReport | undefined;
  private steps = 0;
  private calls = 0;

  constructor(task: AgentTask<LocalAgent>, sender: ParentSession, locks: AgentLocks) {
    const { kind } = task;
    this.task = task;
    this.sender = sender;
    this.locks = locks;
    this.complete = completeTask(kind, report => {
      this.report = report;
    });
    this.memory = sender.environmentContext.memory.forAgent();
    this.agentRun = new NestedRun({ callId: task.callId, name: kind.name, text: task.prompt }, sender);
    this.transcript = this.agentRun.transcript;
    this.hooks = this.agentRun.hooks;
    this.model = new AgentModelRouting(kind.model, sender, () => this.stretch!);
    this.conversation = this.makeConversation();
    this.transcript.addFold(event => this.count(event));
    this.agentRun.connect();
  }

  /** Stops only this agent. */
  stop(): void {
    this.agentRun.stop();
  }

  /** Rejects only with the reason of the outer signal, or for a bug. Leaves nothing open. */
  async run(outer: AbortSignal): Promise<AgentEnd> {
    const { why, said } = await this.agentRun.run(outer, async signal => {
      await this.open(signal);
      return this.work(signal);
    });
    if (this.report) return { kind: 'reported', report: this.report, steps: this.steps, calls: this.calls };
    const { isStopped } = this.agentRun;
    const shown = () => (isStopped ? t('You stopped it.') : t('No report. {0}', said()));
    return { kind: 'unfinished', why, shown, found: collectAgentTexts(this.transcript.history.whole) };
  }

  private async open(signal: AbortSignal): Promise<void> {
    const { prompt: text } = this.task;
    this.agentRun.open(this.model.working);
    const tree = await this.sender.environmentContext.forAgent(signal);
    this.say(tree === undefined ? text : `${tree}\n\n${text}`);
  }

  private async work(signal: AbortSignal): Promise<WorkEnd> {
    try {
      const { kind } = this.task;
      const { end, lack } = await this.inTime(kind.maxMs, kind.maxTurns, signal);
      if (this.report) return this.ended({ kind: 'rested' });
      if (!lack || signal.aborted) return this.ended(end);
      this.say(finalReportPrompt(lack));
      const { end: last } = await this.inTime(graceMs, this.steps + 1, signal, 'grace');
      if (this.report) return this.ended({ kind: 'rested' });
      if (signal.aborted || last.kind === 'failed' || last.kind === 'hook') return this.ended(last);
      const said = () => describeMissingReport(lack, kind);
      return { end: endWithoutReport(lack, kind), why: inEnglish(said), said };
    } catch (error) {
      if (!(error instanceof HookStopError)) throw error;
      const why = englishEnd({ kind: 'hook', reason: error.english });
      return this.ended({ kind: 'hook', reason: error.message }, why);
    }
  }

  private ended(end: TurnEnd, ownWhy = englishEnd(end)): WorkEnd {
    const why = this.agentRun.isStopped ? stoppedByUserNote : ownWhy;
    return { end, why, said: () => describeTurnEnd(end) };
  }

  /** Works within limits. `lack`: it did not finish, and may still report. */
  private async inTime(
    ms: number,
    maxSteps: number,
    outer: AbortSignal,
    grace?: 'grace',
  ): Promise<{ readonly end: TurnEnd; readonly lack?: MissingReportCause }> {
    const timeUp = new AbortController();
    const ring = () => timeUp.abort(new DOMException("The agent's time was up", 'AbortError'));
    const limit = new PausableTimer(this.sender.conversation.ports.clock, ms, ring);
    const signal = AbortSignal.any([outer, timeUp.signal]);
    const beside = makeExclusiveAccess(this.locks, limit, signal);
    const stretch: AgentPhaseLimits = { signal, beside, maxSteps, isGrace: grace !== undefined };
    this.stretch = stretch;
    try {
      const end = await this.untilAccepted(stretch);
      if (end.kind === 'rested' || isCutAnswer(end)) return { end, lack: 'rested' };
      if (end.kind === 'stopped' && timeUp.signal.aborted) return { end, lack: 'time' };
      const isOwn = end.kind === 'budget' && end.budget.kind === 'steps' && this.steps >= maxSteps;
      return isOwn ? { end, lack: 'steps' } : { end };
    } finally {
      limit.dispose();
    }
  }

  /** Works until hooks accept the report. A report in the last step always counts. */
  private async untilAccepted(stretch: AgentPhaseLimits): Promise<TurnEnd> {
    const { kind, prompt } = this.task;
    for (let round = 0; ; round++) {
      const end = await this.conversation.run(this.delegate(stretch), stretch.signal);
      if (this.report === undefined || stretch.isGrace || round >= maxRejections) return end;
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

  private delegate(stretch: AgentPhaseLimits): TurnDelegate {
    const { maxSteps: limit, isGrace } = stretch;
    const ownBudget = { kind: 'steps', scope: 'turn', limit, used: limit } as const;
    return {
      calls: this.calling(stretch),
      stepsBefore: this.steps,
      findReachedBudget: () => (this.steps >= limit ? ownBudget : this.agentRun.findReachedBudget()),
      adjust: request => this.adjust(request, isGrace),
      isDone: () => this.report !== undefined,
    };
  }

  private calling({ isGrace, beside }: AgentPhaseLimits): CallServices {
    const { task, complete, conversation, transcript, hooks, memory } = this;
    const caller: Caller = {
      agent: task.kind.name,
      tools: isGrace ? new Map([[complete.name, complete]]) : conversation.requests.known,
      mode: () => this.mode,
      emit: transcript.emit,
      hooks: hooks.calls,
      memory,
      beside,
    };
    return { ...this.sender.calls, caller };
  }

  private adjust(request: ModelRequest, isGrace: boolean): ModelRequest {
    const { temperature } = this.task.kind;
    const { tools } = request;
    this.model.noteAsked(request.model);
    return {
      ...request,
      temperature,
      tools: isGrace ? tools.filter(({ name }) => name === this.complete.name) : tools,
    };
  }

  private say(text: string): void {
    const { transcript } = this;
    const isBehindUser = transcript.history.messages.at(-1)?.role === 'user';
    transcript.say([{ kind: 'text', text }], isBehindUser ? 'meanwhile' : undefined);
  }

  private makeConversation(): Conversation {
    const { sender, transcript, model, hooks, task } = this;
    const { policy } = sender;
    const { ports } = sender.conversation;
    const { save: saveOutput } = sender.calls.outputs;
    const requests = new RequestComposer(
      transcript.history,
      [this.complete],
      { saveOutput, log: ports.log },
      tool => policy.forbids(tool, this.mode, task.kind.name),
      () => selectTools(sender.conversation.requests.present, task.kind.tools),
    );
    const compose = (names: readonly string[]) => this.composePrompt(names);
    return new Conversation(ports, {
      transcript,
      requests,
      prompt: { compose, preview: async () => compose([...requests.offered.keys()]) },
      routing: model,
      hooks,
      saveOutput,
      // Call ids must be unique in the whole session.
      withOwnIds: message => withNewIds(message, () => ports.clock.newId()),
      canRecall: false,
      describeExcess: agentTooLargeFailure,
    });
  }

  private composePrompt(toolNames: readonly string[]): string {
    const { kind } = this.task;
    const facts = { mode: this.mode, model: this.model.working, toolNames };
    return this.sender.prompt.composeFor(facts, known => agentPrompt(kind, known));
  }

  private get mode() {
    return this.sender.conversation.transcript.state.mode;
  }

  private count(event: SessionEvent): void {
    if (event.type === 'step.started') this.steps++;
    if (event.type === 'call.requested' && event.tool !== this.complete.name) this.calls++;
  }
}

function withNewIds(message: Message, newId: () => string): Message {
  const parts = message.parts.map(part => (part.kind === 'call' ? { ...part, id: newId() } : part));
  return { ...message, parts };
}

/** `why` is for the caller, `said` for the user. */
interface WorkEnd {
  readonly end: TurnEnd;
  readonly why: string;
  readonly said: LocalizedMessage;
}

function englishEnd(end: TurnEnd): string {
  const english = end.kind === 'failed' ? end.trouble.english : undefined;
  return english ?? inEnglish(() => describeTurnEnd(end));
}

/** Creates the tool that ends an agent's work. As with every tool, invalid arguments are answered with the error. */
function completeTask(
  { report }: Pick<LocalAgent, 'report'>,
  handIn: (report: SubagentReport) => void,
): AnyTool {
  return defineReadTool<SubagentReport>({
    name: 'complete_task',
    description: 'Hands in your report and ends your work.',
    input: report,
    effect: 'note',
    title: () => t('Hand in the report'),
    run: async given => {
      handIn(given);
      return { text: 'Your report is handed in.', display: { summary: () => t('Handed in') } };
    },
  });
}

/** Composes a subagent's system prompt: its role, how to finish, and the relevant sections of the session's prompt. */
export function agentPrompt(kind: LocalAgent, facts: PromptFacts): string {
  const own = `You are ${kind.name}, an agent that Folio, a coding agent in a user's editor, has sent out for one task of a larger work.\n\n${kind.prompt.trim().replaceAll(docsPlaceholder, () => facts.docs ?? 'a folder that was not found')}`;
  const sections = sectionsOf[kind.guidance].map(name => sectionText(name, factsFor(name, facts)));
  return [own, manner(kind), ...sections].filter(text => text !== undefined && text !== '').join('\n\n');
}

const sectionsOf: Readonly<Record<LocalAgent['guidance'], readonly SectionName[]>> = {
  reading: ['safety', 'environment', 'memory'],
  working: ['mandates', 'operations', 'safety', 'environment', 'git', 'skills', 'memory'],
};

/** A user may approve calls, but a subagent cannot ask them what to do. */
function factsFor(name: SectionName, facts: PromptFacts): PromptFacts {
  return name === 'mandates' ? { ...facts, interactive: false } : facts;
}

function manner({ maxTurns, maxMs, guidance }: LocalAgent): string {
  const minutes = formatQuantity(Math.max(1, Math.round(maxMs / 60_000)), 'minute');
  return joinLines(
    '# Your task',
    `- The first message is the task and all you know of the work around it. Nobody answers questions: where it is open, take the plainest reading and say so in the report.`,
    `- End with \`complete_task\`. Who sent you reads nothing but its arguments, so put all of it there: facts, paths with lines, names, what you could not find out. An answer without a call ends nothing.`,
    `- You have ${formatQuantity(maxTurns, 'step')} and ${minutes}. Hand in what you have before they are used up.`,
    guidance === 'reading' &&
      `- Put independent calls into one answer: they run side by side. Search first, then read the ranges that matter. Paths are absolute or relative to the first workspace folder.`,
  );
}
