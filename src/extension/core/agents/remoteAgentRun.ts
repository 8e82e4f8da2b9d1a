/*
 * Runs an agent on another server: its turns are messages to that server. It has a journal like local agents, with the
 * server's texts recorded as a model's answers. Loaded for the first such agent.
 */

import type { TurnEnd } from '../../../protocol/events.ts';
import { inEnglish, type LocalizedMessage, t } from '../../../protocol/language.ts';
import { describeTurnEnd } from '../../../protocol/words/turnEnd.ts';
import { sanitiseLine } from '../../base/text.ts';
import { PausableTimer } from '../calls/pausableTimer.ts';
import { makeFailure } from '../failure.ts';
import { HookStopError } from '../hooks/hookStops.ts';
import { maxRejections } from '../hooks/sessionHooks.ts';
import type { Transcript } from '../recording/transcript.ts';
import type { RemoteAgent } from './agentDefinition.ts';
import { type AgentEnd, collectAgentTexts, describeMissingReport, endWithoutReport } from './agentEnd.ts';
import { type AgentTask, NestedRun, stoppedByUserNote } from './nestedRun.ts';
import type { ParentSession } from './parentSession.ts';
import { RemoteAgentError, type RemoteAnswer, type RemoteConversation } from './remote/remoteAgents.ts';

/** A conversation with an agent, with the number of messages in its unfinished task. */
export interface OpenRemoteConversation extends RemoteConversation {
  readonly turns: number;
}

export class RemoteAgentRun {
  private readonly task: AgentTask<RemoteAgent>;
  private readonly sender: ParentSession;
  private readonly talks: Map<string, OpenRemoteConversation>;
  private readonly transcript: Transcript;
  private readonly agentRun: NestedRun;
  /** Messages sent to the server in this call. */
  private steps = 0;

  /** @param talks by agent and server; the work removes its own while it runs */
  constructor(
    task: AgentTask<RemoteAgent>,
    sender: ParentSession,
    talks: Map<string, OpenRemoteConversation>,
  ) {
    this.task = task;
    this.sender = sender;
    this.talks = talks;
    const { callId, kind, prompt: text } = task;
    this.agentRun = new NestedRun({ callId, name: kind.name, text }, sender);
    this.transcript = this.agentRun.transcript;
    this.agentRun.connect();
  }

  /** Stops only this agent. */
  stop(): void {
    this.agentRun.stop();
  }

  /** Rejects only with the reason of the outer signal, or for a bug. Leaves nothing open. */
  async run(outer: AbortSignal): Promise<AgentEnd> {
    const done = await this.agentRun.run(outer, signal => {
      this.agentRun.open(this.model);
      this.transcript.say([{ kind: 'text', text: this.task.prompt }]);
      return this.work(signal);
    });
    return this.describe(done);
  }

  private describe({ end, why, answer }: Done): AgentEnd {
    const { steps } = this;
    if (answer !== undefined) {
      const { text, end: kind } = answer;
      if (kind === 'done') return { kind: 'reported', report: { result: text }, steps, calls: 0 };
      const waitsFor = kind === 'asks' ? 'answer' : 'login';
      return { kind: 'reported', report: { question: text }, steps, calls: 0, waitsFor };
    }
    const found = collectAgentTexts(this.transcript.history.whole);
    if (this.agentRun.isStopped)
      return { kind: 'unfinished', why: stoppedByUserNote, shown: () => t('You stopped it.'), found };
    const said = why ?? (() => describeTurnEnd(end));
    const shown = () => t('No report. {0}', said());
    return { kind: 'unfinished', why: inEnglish(said), shown, found };
  }

  /** The remote model is unknown, so its host stands for it. */
  private get model(): string {
    return new URL(this.task.kind.remote.origin).host;
  }

  private async work(outer: AbortSignal): Promise<Done> {
    const { kind, prompt } = this.task;
    const timeUp = new AbortController();
    const ring = () => timeUp.abort(new DOMException("The agent's time was up", 'AbortError'));
    const limit = new PausableTimer(this.sender.conversation.ports.clock, kind.maxMs, ring);
    try {
      return await this.exchange(prompt, AbortSignal.any([outer, timeUp.signal]));
    } catch (error) {
      if (outer.aborted) return { end: { kind: 'stopped' } };
      if (timeUp.signal.aborted)
        return { end: endWithoutReport('time', kind), why: () => describeMissingReport('time', kind) };
      if (error instanceof HookStopError) return { end: { kind: 'hook', reason: error.message } };
      if (!(error instanceof RemoteAgentError)) throw error;
      return this.failed(() => error.say(), error.words);
    } finally {
      limit.dispose();
    }
  }

  /** Sends messages until hooks accept the report. */
  private async exchange(prompt: string, signal: AbortSignal): Promise<Done> {
    const { kind } = this.task;
    let text = prompt;
    for (let round = 0; ; round++) {
      const budget = this.agentRun.findReachedBudget();
      if (budget) return { end: { kind: 'budget', budget } };
      const talk = this.takeTalk();
      const turns = talk?.turns ?? 0;
      if (Math.max(turns, this.steps) >= kind.maxTurns)
        return { end: endWithoutReport('steps', kind), why: () => describeMissingReport('steps', kind) };
      const answer = await this.send(text, talk, signal);
      const isOpen = answer.end === 'asks' || answer.end === 'wantsLogin';
      this.talks.set(this.key, { ...answer.talk, turns: isOpen ? turns + 1 : 0 });
      if (answer.end !== 'done' && !isOpen) return this.failed(endings[answer.end], answer.text);
      const objection =
        isOpen || round >= maxRejections ? undefined : await this.object(answer, round, signal);
      if (objection === undefined) return { end: { kind: 'rested' }, answer };
      text = objection;
      this.transcript.say([{ kind: 'text', text }]);
    }
  }

  /** Records a message and its answer as a step. */
  private async send(
    text: string,
    talk: RemoteConversation | undefined,
    signal: AbortSignal,
  ): Promise<RemoteAnswer> {
    const { transcript, model } = this;
    const { remote } = this.sender;
    if (remote === undefined)
      throw new RemoteAgentError(() => t('Agents on other servers cannot be reached here.'));
    const stepId = this.sender.conversation.ports.clock.newId();
    this.steps++;
    transcript.emit({ type: 'step.started', stepId, number: this.steps, model });
    let heard = '';
    const hear = (more: string) => {
      if (signal.aborted) return;
      heard += more;
      transcript.emit({ type: 'text.appended', stepId, text: more });
    };
    try {
      const { remote: server } = this.task.kind;
      const answer = await remote.send({ server, text, talk, hear }, signal);
      this.keep(heard);
      transcript.emit({ type: 'step.ended', stepId, finish: answer.end, citations: [] });
      return answer;
    } catch (error) {
      this.keep(heard);
      throw error;
    }
  }

  private keep(text: string): void {
    if (text === '') return;
    this.transcript.emit({
      type: 'message.added',
      message: { role: 'model', parts: [{ kind: 'text', text }] },
    });
  }

  private object({ text: report }: RemoteAnswer, round: number, signal: AbortSignal) {
    const { kind, prompt } = this.task;
    return this.agentRun.hooks.afterSubagent({ agent: kind.name, prompt, report, active: round > 0 }, signal);
  }

  /** Takes the waiting conversation, so that of two simultaneous tasks only one continues it. */
  private takeTalk(): OpenRemoteConversation | undefined {
    const talk = this.talks.get(this.key);
    if (talk !== undefined) this.talks.set(this.key, { contextId: talk.contextId, turns: 0 });
    return talk;
  }

  private get key(): string {
    const { name, remote } = this.task.kind;
    return `${name}\n${remote.origin}`;
  }

  /** @param words untrusted text of the server, shown apart from our sentence */
  private failed(say: LocalizedMessage, words: string): Done {
    const line = sanitiseLine(words, 300);
    const shown = () => (line === '' ? say() : `${say()} “${line}”`);
    if (line !== '' && !collectAgentTexts(this.transcript.history.whole).includes(words)) this.keep(words);
    return { end: { kind: 'failed', trouble: makeFailure('remoteAgent', shown) }, why: say };
  }
}

const endings = {
  failed: () => t('Its server says that the task failed.'),
  rejected: () => t('Its server rejected the task.'),
  canceled: () => t('Its server canceled the task.'),
} as const;

interface Done {
  readonly end: TurnEnd;
  /** Absent: the turn's end explains it. */
  readonly why?: LocalizedMessage;
  readonly answer?: RemoteAnswer;
}
