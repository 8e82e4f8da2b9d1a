/* The agent of another maker that drives a session: opened with its first turn, and kept until the session is left. */

import type { Message, Part, TurnEnd } from '../../../protocol/events.ts';
import { inEnglish, plural, t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import type { Changes } from '../changes/changes.ts';
import { makeFailure } from '../failure.ts';
import { describeEarlier } from './describeEarlier.ts';
import {
  type ExternalAgent,
  type ExternalAgents,
  type ExternalClient,
  type ExternalEnd,
  ExternalFailure,
  type PromptPart,
} from './externalAgent.ts';
import { type ClientTools, ExternalTurn, type TurnPlace } from './externalTurn.ts';

/** Agents of other makers, and the tools that carry out what they ask of their client. */
export interface ExternalWork {
  readonly agents: ExternalAgents;
  readonly tools: ClientTools;
}

interface ExternalPorts extends Omit<TurnPlace, 'agent' | 'tools'> {
  /** Absent: no other agent can drive a session here. */
  readonly work: ExternalWork | undefined;
  readonly changes: Pick<Changes, 'filesOf' | 'watch'>;
}

export class ExternalSession {
  private readonly ports: ExternalPorts;
  private agent: ExternalAgent | undefined;
  private turn: ExternalTurn | undefined;
  private hasSaidUncovered = false;

  constructor(ports: ExternalPorts) {
    this.ports = ports;
  }

  /** Another agent than Folio's own drives the session. */
  get isChosen(): boolean {
    return this.ports.transcript.state.driver !== undefined;
  }

  /** A turn with what the history holds since the last answer. Never rejects for a problem with the agent. */
  async run(signal: AbortSignal): Promise<TurnEnd> {
    const { transcript } = this.ports;
    const agent = transcript.state.driver?.name ?? '';
    const { work } = this.ports;
    if (!work) return failed(missing(agent));
    const turn = new ExternalTurn({ ...this.ports, agent, tools: work.tools }, signal);
    this.turn = turn;
    try {
      const end = await this.watched(agent, () => this.answer(work.agents, turn, signal), signal);
      return turnEnd(end, agent);
    } catch (error) {
      if (signal.aborted) return { kind: 'stopped' };
      if (!(error instanceof ExternalFailure)) throw error;
      return failed(error);
    } finally {
      this.turn = undefined;
    }
  }

  async close(): Promise<void> {
    await this.agent?.close();
    this.agent = undefined;
  }

  /** Nothing of the turn is open when this ends. */
  private async answer(
    agents: ExternalAgents,
    turn: ExternalTurn,
    signal: AbortSignal,
  ): Promise<ExternalEnd> {
    try {
      const end = await this.prompt(agents, signal);
      await turn.end(end === 'rested' ? undefined : 'The agent ended its turn');
      return end;
    } catch (error) {
      await turn.end(signal.aborted ? messageOf(signal.reason) : 'The agent ended');
      throw error;
    }
  }

  /** Finds what the agent changes past its client, and has it reviewed as a command's changes are. */
  private async watched(
    name: string,
    work: () => Promise<ExternalEnd>,
    signal: AbortSignal,
  ): Promise<ExternalEnd> {
    const { changes, calls } = this.ports;
    const callId = calls.clock.newId();
    const line = t('{0}, past Folio', name);
    const files = changes.filesOf({ kind: 'command', callId, line }, 'unseen');
    let failure: unknown;
    const watch = { effect: 'run', files, reads: false, signal, callId } as const;
    const { result, changes: found } = await changes.watch(watch, () =>
      // Files may be left changed by an agent that failed, too.
      work().catch((error: unknown) => {
        failure = error;
        return 'stopped' as const;
      }),
    );
    if (found && found.touched.length > 0) this.showFound(callId, name, found);
    else if (found?.uncovered) this.sayUncovered(found.uncovered);
    if (failure !== undefined) throw failure;
    return result;
  }

  private showFound(
    callId: string,
    name: string,
    { touched, uncovered }: NonNullable<Awaited<ReturnType<Changes['watch']>>['changes']>,
  ): void {
    const { emit } = this.ports.transcript;
    const describe = () => t('Files that {0} changed past Folio', name);
    const [title, said] = [inEnglish(describe), describe()];
    emit({
      type: 'call.requested',
      callId,
      stepId: callId,
      tool: 'agent_tool',
      effect: 'run',
      title,
      said: said === title ? undefined : said,
      args: {},
    });
    emit({ type: 'call.started', callId });
    const summary = plural(touched.length, 'one: {0} file | other: {0} files');
    emit({
      type: 'call.ended',
      callId,
      outcome: 'ok',
      display: { summary, touched, uncovered },
      durationMs: 0,
    });
  }

  private sayUncovered(text: string): void {
    if (this.hasSaidUncovered) return;
    this.hasSaidUncovered = true;
    this.ports.transcript.emit({ type: 'notice.shown', level: 'info', text });
  }

  private async prompt(agents: ExternalAgents, signal: AbortSignal): Promise<ExternalEnd> {
    const { history, state } = this.ports.transcript;
    const name = state.driver?.name ?? '';
    const messages = history.messages;
    const last = messages.findLastIndex(({ role }) => role === 'model');
    const earlier = messages.slice(0, last + 1);
    const parts = messages.slice(last + 1).flatMap(promptParts);
    const { agent, isNew } = await this.open(agents, name, signal);
    const told = isNew && earlier.length > 0 ? describeEarlier(earlier) : undefined;
    if (told !== undefined) this.sayTold(name);
    const opening: readonly PromptPart[] = told === undefined ? [] : [{ kind: 'text', text: told }];
    return await agent.prompt([...opening, ...parts], signal);
  }

  private sayTold(name: string): void {
    const text = t(
      '{0} does not have this session, or has gone another way in it. It begins one of its own and is given the conversation as text.',
      name,
    );
    this.ports.transcript.emit({ type: 'notice.shown', level: 'info', text });
  }

  /** `isNew`: the agent knows nothing of what was said. */
  private async open(
    agents: ExternalAgents,
    name: string,
    signal: AbortSignal,
  ): Promise<{ agent: ExternalAgent; isNew: boolean }> {
    const { transcript, folders } = this.ports;
    const { agent } = this;
    const session = transcript.state.driver?.session;
    if (agent?.isRunning && agent.session === session) return { agent, isNew: false };
    await this.close();
    const opened = await agents.open(name, { folders, session }, this.client(), signal);
    this.agent = opened;
    if (opened.session !== session) transcript.emit({ type: 'agent.chosen', name, session: opened.session });
    return { agent: opened, isNew: !opened.continues };
  }

  /** Requests outside of a turn are refused: nobody would see them. */
  private client(): ExternalClient {
    const turn = async () => {
      if (!this.turn) throw new Error('No turn runs.');
      return this.turn;
    };
    return {
      update: update => this.turn?.update(update),
      readFile: async (path, range) => (await turn()).readFile(path, range),
      writeFile: async (path, content) => (await turn()).writeFile(path, content),
      ask: async (call, options) => (await turn()).ask(call, options),
      run: async command => (await turn()).run(command),
    };
  }
}

function promptParts({ parts }: Message): readonly PromptPart[] {
  return parts.flatMap((part: Part): readonly PromptPart[] => {
    if (part.kind === 'text') return [{ kind: 'text', text: part.text }];
    if (part.kind !== 'blob' || !part.blob.mimeType.startsWith('image/')) return [];
    return [{ kind: 'image', data: part.blob.data, mimeType: part.blob.mimeType }];
  });
}

function turnEnd(end: ExternalEnd, name: string): TurnEnd {
  if (end === 'rested' || end === 'stopped') return { kind: end };
  const say = {
    refused: () => t('{0} refused to go on with this prompt. Change it, or go back to before it.', name),
    length: () => t('{0} reached the length limit of its model. Send "Continue" for the rest.', name),
    requests: () => t('{0} reached its limit of requests for one prompt. Send "Continue" to go on.', name),
  }[end];
  return { kind: 'failed', trouble: makeFailure(`external.${end}`, say) };
}

function failed(error: ExternalFailure): TurnEnd {
  return { kind: 'failed', trouble: makeFailure(`external.${error.kind}`, () => error.say()) };
}

function missing(name: string): ExternalFailure {
  return new ExternalFailure('missing', () => t('{0} cannot drive a session here.', name));
}
