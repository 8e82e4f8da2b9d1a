import { randomUUID } from 'node:crypto';
import type {
  ContentBlock,
  PromptResponse,
  ResumeSessionRequest,
  SessionConfigOption,
  StopReason,
} from '@agentclientprotocol/sdk';
import { RequestError } from '@agentclientprotocol/sdk';
import type { SessionEvent, SessionEventBody, TurnEnd } from '../../../protocol/events.ts';
import type { AgentEvent } from '../../../protocol/fold/agents.ts';
import type { SessionState } from '../../../protocol/state.ts';
import { describeTurnEnd } from '../../../protocol/words/turnEnd.ts';
import type { IsolatedPlace } from '../../../protocol/worktree.ts';
import { messageOf } from '../../base/errors.ts';
import { escapeInvisibleText } from '../../base/hiddenText.ts';
import { parseMode } from '../../core/commands/approvalModes.ts';
import type { Confirmation } from '../../core/commands/commands.ts';
import type { TemplateAnswer, TemplateQuestion } from '../../core/commands/template/templateSources.ts';
import type { ModelInfo } from '../../core/model.ts';
import type { Session } from '../../core/session/session.ts';
import { loadCommands } from '../answerCommand.ts';
import { resolvePrompt } from '../answerPrompt.ts';
import { UsageError } from '../arguments.ts';
import { type AnswerPrompt, windowOnlyCommands } from '../commandContext.ts';
import type { HeadlessAgent } from '../headlessAgent.ts';
import { AskForwarder } from './askForwarder.ts';
import { fencedContent } from './callUpdates.ts';
import { promptContent } from './promptContent.ts';
import { replaySession } from './replay.ts';
import type { SessionClient } from './sessionClient.ts';
import { configOptions, modelOptions, sessionModes, sessionPlace } from './sessionOptions.ts';
import { messageChunk, type SessionUpdateFacts, SessionUpdates } from './sessionUpdates.ts';

export type SessionRequest = Pick<ResumeSessionRequest, 'cwd' | 'additionalDirectories' | 'mcpServers'>;

interface Movement {
  /** Omitted for the workspace. */
  readonly place?: IsolatedPlace | undefined;
  /** Command that sets the place up. Omitted if there is none. */
  readonly setUp?: string;
}

/** One session of the client, with its own agent. */
export class AcpSession {
  private readonly session: Session;
  private readonly made: HeadlessAgent;
  readonly client: SessionClient;
  /** The request with which the client opened it. */
  readonly request: SessionRequest;
  /** The new place of the session, which has to be reopened there. */
  movement: Movement | undefined;
  private readonly view: SessionUpdateFacts;
  private readonly updates: SessionUpdates;
  private readonly asks: AskForwarder;
  /** Ids of the client's terminals, by the call that runs in them. */
  private readonly terminals = new Map<string, string>();
  /** Ids of running command calls, newest last. */
  private readonly commands = new Set<string>();
  private listed: readonly ModelInfo[] = [];
  private answering: AbortController | undefined;

  constructor(session: Session, made: HeadlessAgent, client: SessionClient, request: SessionRequest) {
    this.session = session;
    this.made = made;
    this.client = client;
    this.request = request;
    this.view = this.makeView();
    this.updates = new SessionUpdates(this.view);
    this.asks = new AskForwarder(session, client, this.view);
    session.onEvent(event => this.handleEvent(event));
    session.onAgentEvent(reported => this.hearAgent(reported));
  }

  get id(): string {
    return this.session.id;
  }

  /** Absolute path. `undefined` if it works in the workspace. */
  get worktree(): string | undefined {
    return this.session.state.worktree?.path;
  }

  move(movement: Movement): void {
    this.movement = { ...this.movement, ...movement };
  }

  /** True once it has a prompt, so that its journal can be reopened. */
  get isRecorded(): boolean {
    return this.session.state.title !== '';
  }

  get chosen(): Pick<SessionState, 'mode' | 'model'> {
    return this.session.state;
  }

  async setUp(command: string): Promise<void> {
    await this.session.runCommand(command, 'setUp');
  }

  /** Options for the client. Requests the provider's list of models first. */
  async readOptions() {
    this.listed = await this.made.listModels();
    const modes = sessionModes(this.session.state, this.made.managed.restrictions?.modes);
    return { modes, configOptions: this.options() };
  }

  options(): SessionConfigOption[] {
    const { hasAuto, trusted: hasWorktrees, managed } = this.made;
    const allowedModes = managed.restrictions?.modes;
    const offered = { listed: this.listed, hasAuto, hasWorktrees, allowedModes };
    return configOptions(this.session.state, offered);
  }

  reportHistory(): void {
    for (const update of replaySession(this.session.state, this.view)) this.client.notify(update);
  }

  async reportCommands(): Promise<void> {
    const { commands } = await loadCommands(this.made);
    const availableCommands = commands
      .filter(({ name, source }) => source !== undefined || !windowOnlyCommands.has(name))
      .map(({ name, description, argument }) => ({
        name,
        description,
        input: argument === undefined ? undefined : { hint: argument },
      }));
    this.client.notify({ sessionUpdate: 'available_commands_update', availableCommands });
  }

  /** @param signal aborts when the client cancels the request */
  async prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    if (this.answering || this.session.busy) {
      throw RequestError.invalidRequest(
        undefined,
        'A prompt is running in this session. Wait for its end, or cancel it first.',
      );
    }
    const answering = new AbortController();
    this.answering = answering;
    const stop = () => this.cancel();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return { stopReason: this.stopReasonOf(await this.answer(blocks, answering.signal), answering.signal) };
    } finally {
      signal.removeEventListener('abort', stop);
      this.answering = undefined;
    }
  }

  cancel(): void {
    this.answering?.abort();
    void this.session.stop();
  }

  setMode(id: string): void {
    const mode = parseMode(id);
    if (mode === undefined) throw RequestError.invalidParams(undefined, `There is no mode ${id}.`);
    try {
      this.session.setMode(mode);
    } catch (error) {
      throw RequestError.invalidParams(undefined, messageOf(error));
    }
  }

  async setOption(id: string, value: unknown, signal: AbortSignal): Promise<void> {
    if (typeof value !== 'string')
      throw RequestError.invalidParams(undefined, `${id} takes the id of a value.`);
    if (id === 'mode') this.setMode(value);
    else if (id === 'model') this.setModel(value);
    else if (id === 'place') await this.setPlace(value, signal);
    else throw RequestError.invalidParams(undefined, `There is no option ${id}.`);
  }

  /** Adds proposals to the memory inbox. Does nothing while a prompt runs. */
  async reviewSessions(signal?: AbortSignal): Promise<void> {
    if (!this.answering) await this.session.reviewSessions(signal);
  }

  /** Resolves when nothing of it runs. */
  async close(): Promise<void> {
    this.answering?.abort();
    await this.session.dispose();
    await this.made.dispose();
  }

  /** Assigns a new terminal to the newest command. */
  showTerminal(terminalId: string): void {
    const callId = [...this.commands].at(-1);
    if (callId === undefined) return;
    this.terminals.set(callId, terminalId);
    const content = [{ type: 'terminal', terminalId } as const];
    this.client.notify({ sessionUpdate: 'tool_call_update', toolCallId: callId, content });
  }

  private makeView(): SessionUpdateFacts {
    const { session, made, client, terminals } = this;
    const { cwd } = this.request;
    const { session: shown } = client.capabilities;
    return {
      cwd,
      proposal: callId => session.proposal(callId),
      terminal: callId => terminals.get(callId),
      agentEffects: name => session.effectsOfAgent(name),
      state: () => session.state,
      contextLimit: model => made.contextLimit(model),
      shows: { notices: Boolean(shown?.notices), compactions: Boolean(shown?.compaction) },
    };
  }

  private handleEvent(event: SessionEvent): void {
    this.noteCommand(event);
    for (const update of this.updates.of(event)) this.client.notify(update);
    if (event.type === 'mode.changed' || event.type === 'model.changed') {
      this.client.notify({ sessionUpdate: 'config_option_update', configOptions: this.options() });
    }
    // The client knows the call by now.
    this.asks.handleEvent(event);
  }

  private hearAgent(reported: AgentEvent): void {
    this.noteCommand(reported.event);
    for (const update of this.updates.ofAgent(reported)) this.client.notify(update);
    this.asks.handleEvent(reported.event);
  }

  private noteCommand(event: SessionEventBody): void {
    if (event.type === 'call.requested' && event.effect === 'run') this.commands.add(event.callId);
    // Move it to the end, because the terminal belongs to the command that starts.
    if (event.type === 'call.started' && this.commands.delete(event.callId)) this.commands.add(event.callId);
    if (event.type === 'call.ended') this.commands.delete(event.callId);
  }

  private setModel(id: string): void {
    const offered = modelOptions(this.session.state.model, {
      listed: this.listed,
      hasAuto: this.made.hasAuto,
    });
    if (!offered.some(({ value }) => value === id))
      throw RequestError.invalidParams(undefined, `The provider offers no model ${id}.`);
    this.session.setModel(id);
  }

  private async setPlace(value: string, signal: AbortSignal): Promise<void> {
    const places = { workspace: '/worktree leave', worktree: '/isolate', container: '/isolate --container' };
    const command = places[value as keyof typeof places];
    if (command === undefined) throw RequestError.invalidParams(undefined, `There is no place ${value}.`);
    if (value === sessionPlace(this.session.state)) return;
    await this.prompt([{ type: 'text', text: command }], signal);
    if (!this.movement) throw RequestError.invalidParams(undefined, 'The session stays where it is.');
  }

  private async answer(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<TurnEnd> {
    const { text, attachments, problems } = promptContent(blocks, this.request.cwd);
    const warn = (sentence: string) => this.client.notify(this.updates.notice('warning', sentence));
    problems.forEach(warn);
    if (text.trim() === '' && attachments.length === 0)
      throw RequestError.invalidParams(undefined, 'The prompt is empty.');
    const answer = await this.read(text, attachments);
    if (typeof answer === 'string') {
      this.client.notify(messageChunk(answer));
      return { kind: 'rested' };
    }
    if (signal.aborted) return { kind: 'stopped' };
    const { made } = this;
    const notify = (shown: string) => this.client.notify(messageChunk(`${shown.trimEnd()}\n`));
    const askCommands = (question: TemplateQuestion) => this.askCommands(question, signal);
    const confirm = (question: Confirmation) => this.confirm(question, signal);
    return await answer(this.session, { made, notify, warn, signal, askCommands, confirm });
  }

  /** Returns a message if the text looks like a command but is none. */
  private async read(
    text: string,
    attachments: ReturnType<typeof promptContent>['attachments'],
  ): Promise<AnswerPrompt | string> {
    try {
      return await resolvePrompt(text, this.made, attachments);
    } catch (error) {
      if (error instanceof UsageError) return error.message;
      throw error;
    }
  }

  /**
   * Asks the user to confirm one of Folio's commands. Presents it as a tool call, because the protocol supports no
   * other confirmation.
   */
  private async confirm({ sentence, text, button }: Confirmation, signal: AbortSignal) {
    const toolCallId = `confirm-${randomUUID()}`;
    const content = [fencedContent(escapeInvisibleText(text))];
    const toolCall = { toolCallId, title: sentence, status: 'pending', content } as const;
    this.client.notify({ sessionUpdate: 'tool_call', kind: 'other', ...toolCall });
    const options = [
      { optionId: 'yes', name: button, kind: 'allow_once' as const },
      { optionId: 'no', name: 'Cancel', kind: 'reject_once' as const },
    ];
    const outcome = await this.client.askPermission({ toolCall, options }, signal).catch(() => undefined);
    this.client.notify({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' });
    if (signal.aborted) return 'no';
    if (outcome === undefined) return 'nobody';
    return outcome.outcome === 'selected' && outcome.optionId === 'yes' ? 'yes' : 'no';
  }

  /** Asks about commands in a prompt template, which have no tool call. */
  private async askCommands(
    { name, commands }: TemplateQuestion,
    signal: AbortSignal,
  ): Promise<TemplateAnswer> {
    const content = commands.map(({ command, reason }) => fencedContent(`${command}\n# ${reason}`, 'sh'));
    const title = `/${name} runs commands before it is sent`;
    const toolCall = { toolCallId: `command-${name}`, title, status: 'pending', content } as const;
    const options = [
      { optionId: 'once', name: 'Run', kind: 'allow_once' as const },
      { optionId: 'deny', name: 'Deny', kind: 'reject_once' as const },
    ];
    const outcome = await this.client.askPermission({ toolCall, options }, signal).catch(() => undefined);
    return outcome?.outcome === 'selected' && outcome.optionId === 'once' ? 'once' : 'no';
  }

  private stopReasonOf(end: TurnEnd, signal: AbortSignal): StopReason {
    if (signal.aborted) return 'cancelled';
    switch (end.kind) {
      case 'rested':
        return 'end_turn';
      case 'stopped':
        return 'cancelled';
      case 'budget':
        this.client.notify(messageChunk(`${describeTurnEnd(end)}\n`));
        return end.budget.kind === 'tokens' ? 'max_tokens' : 'max_turn_requests';
      case 'loop':
        this.client.notify(messageChunk(`${describeTurnEnd(end)}\n`));
        return 'max_turn_requests';
      case 'hook':
        this.client.notify(messageChunk(`${describeTurnEnd(end)}\n`));
        return 'end_turn';
      case 'failed':
        throw failureOf(end);
    }
  }
}

const authRequired = -32_000;
const internalError = -32_603;

/** The message is user-facing, since clients show nothing else. */
function failureOf({ trouble: problem }: Extract<TurnEnd, { kind: 'failed' }>): RequestError {
  const code = problem.kind === 'auth' ? authRequired : internalError;
  return new RequestError(code, problem.message, { kind: problem.kind });
}
