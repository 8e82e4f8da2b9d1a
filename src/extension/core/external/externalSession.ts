/* The external agent of a session: started for its first turn, and kept until the session is left. */

import type { Message, Part, TurnEnd } from '../../../protocol/events.ts';
import { inEnglish, plural, t } from '../../../protocol/language.ts';
import type { DriverOption } from '../../../protocol/worktree.ts';
import { canonicalJson } from '../../base/canonicalJson.ts';
import { messageOf } from '../../base/errors.ts';
import { tailOf } from '../../base/text.ts';
import { defuseTags } from '../../base/untrusted.ts';
import { baseText, presentText } from '../../review/fileReview.ts';
import { SerialQueue } from '../agents/serialQueue.ts';
import type { ChangeTracker } from '../changes/changeTracker.ts';
import { makeFailure } from '../failure.ts';
import type { AnyTool } from '../tool.ts';
import {
  type ExternalAgent,
  type ExternalAgentLauncher,
  type ExternalClient,
  type ExternalEnd,
  ExternalFailure,
  type ExternalMcpServer,
  type ExternalPromptPart,
} from './externalAgent.ts';
import type { ClientTools, ExternalTurn, ExternalTurnContext } from './externalTurn.ts';

/** External agents, and the tools for their requests to the client. */
export interface ExternalAgentServices {
  readonly agents: ExternalAgentLauncher;
  readonly tools: ClientTools;
  /** Servers that are available to a program in this folder. */
  readonly servers: (folder: string) => Promise<readonly OfferedServer[]>;
}

/** An MCP server that an agent gets only if the rules allow each of its tools: the agent calls them without Folio. */
interface OfferedServer extends ExternalMcpServer {
  readonly tools: readonly AnyTool[];
}

interface ExternalPorts extends Omit<ExternalTurnContext, 'agent' | 'tools'> {
  /** Absent: external agents are unavailable. */
  readonly work: ExternalAgentServices | undefined;
  readonly changes: Pick<ChangeTracker, 'filesOf' | 'watch' | 'ledger'>;
}

export class ExternalSession {
  private readonly ports: ExternalPorts;
  private agent: ExternalAgent | undefined;
  private turn: ExternalTurn | undefined;
  private readonly opens = new SerialQueue();
  private readonly life = new AbortController();
  /** The agent has started a session and does not know the conversation yet. */
  private lacksConversation = false;
  private hasSaidUncovered = false;
  private saidServers = '';

  constructor(ports: ExternalPorts) {
    this.ports = ports;
  }

  /** True if an external agent runs the session. */
  get isChosen(): boolean {
    return this.ports.transcript.state.driver !== undefined;
  }

  /** Runs a turn with the messages since the last answer. Never rejects for an error of the agent. */
  async run(signal: AbortSignal): Promise<TurnEnd> {
    const { transcript } = this.ports;
    const agent = transcript.state.driver?.name ?? '';
    const { work } = this.ports;
    if (!work) return failed(missing(agent));
    const { ExternalTurn } = await import('./externalTurn.ts');
    const turn = new ExternalTurn({ ...this.ports, agent, tools: work.tools }, signal);
    this.turn = turn;
    try {
      const end = await this.watched(agent, () => this.answer(work, turn, signal), signal);
      return turnEnd(end, agent);
    } catch (error) {
      if (signal.aborted) return { kind: 'stopped' };
      if (!(error instanceof ExternalFailure)) throw error;
      return failed(error);
    } finally {
      this.turn = undefined;
    }
  }

  /** Starts the agent while the user types, to show its options. */
  async getReady(): Promise<void> {
    const { work } = this.ports;
    if (!work) return;
    try {
      await this.open(work, this.life.signal);
    } catch (error) {
      // The next prompt opens it again and reports the error.
      if (!(error instanceof ExternalFailure) && !this.life.signal.aborted) throw error;
    }
  }

  /** Sets an option of the agent, or stores it until the agent is started. */
  async choose(option: string, value: string): Promise<void> {
    const { transcript } = this.ports;
    if (!this.agent?.isRunning)
      return this.offer(withValue(transcript.state.driver?.options ?? [], option, value));
    try {
      await this.agent.choose(option, value);
    } catch (error) {
      if (!(error instanceof ExternalFailure)) throw error;
      transcript.emit({ type: 'notice.shown', level: 'warning', text: error.message });
    }
  }

  async close(): Promise<void> {
    this.life.abort(new DOMException('The session was closed', 'AbortError'));
    await this.leave();
  }

  private async leave(): Promise<void> {
    await this.agent?.close();
    this.agent = undefined;
  }

  /** Leaves nothing of the turn open. */
  private async answer(
    work: ExternalAgentServices,
    turn: ExternalTurn,
    signal: AbortSignal,
  ): Promise<ExternalEnd> {
    try {
      const end = await this.prompt(work, signal);
      await turn.end(end === 'rested' ? undefined : 'The agent ended its turn');
      return end;
    } catch (error) {
      await turn.end(signal.aborted ? messageOf(signal.reason) : 'The agent ended');
      throw error;
    }
  }

  /** Detects changes that the agent makes without its client, and has them reviewed like a command's. */
  private async watched(
    name: string,
    work: () => Promise<ExternalEnd>,
    signal: AbortSignal,
  ): Promise<ExternalEnd> {
    const { changes, calls } = this.ports;
    const callId = calls.clock.newId();
    const line = t('{0}, outside Folio', name);
    const files = changes.filesOf({ kind: 'command', callId, line }, 'unseen');
    let failure: unknown;
    const watch = { effect: 'run', files, reads: false, signal, callId } as const;
    const { result, changes: found } = await changes.watch(watch, () =>
      // A failed agent may have changed files, too.
      work().catch((error: unknown) => {
        failure = error;
        return 'stopped' as const;
      }),
    );
    for (const path of changes.ledger.paths) this.acceptSeen(path);
    if (found && found.touched.length > 0) this.showFound(callId, name, found);
    else if (found?.uncovered) this.sayUncovered(found.uncovered);
    if (failure !== undefined) throw failure;
    return result;
  }

  /** Accepts changes that the agent wrote itself after the user approved them on its card. */
  private acceptSeen(path: string): void {
    const { ledger } = this.ports.changes;
    const review = ledger.review(path);
    if (!review || review.by === 'file' || review.mode) return;
    const before = review.created ? null : baseText(review);
    if (this.turn?.permits.haveSeen({ path, before, after: presentText(review) })) ledger.accept({ path });
  }

  private showFound(
    callId: string,
    name: string,
    { touched, uncovered }: NonNullable<Awaited<ReturnType<ChangeTracker['watch']>>['changes']>,
  ): void {
    const { emit } = this.ports.transcript;
    const describe = () => t('Files that {0} changed outside Folio', name);
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

  private async prompt(work: ExternalAgentServices, signal: AbortSignal): Promise<ExternalEnd> {
    const { history, state } = this.ports.transcript;
    const name = state.driver?.name ?? '';
    const messages = history.messages;
    const last = messages.findLastIndex(({ role }) => role === 'model');
    const earlier = messages.slice(0, last + 1);
    const parts = messages.slice(last + 1).flatMap(promptParts);
    const agent = await this.open(work, signal);
    const told = this.lacksConversation && earlier.length > 0 ? describeEarlier(earlier) : undefined;
    this.lacksConversation = false;
    if (told !== undefined) this.sayTold(name);
    const opening: readonly ExternalPromptPart[] = told === undefined ? [] : [{ kind: 'text', text: told }];
    this.turn?.begin(parts);
    return await agent.prompt([...opening, ...parts], signal);
  }

  private sayTold(name: string): void {
    const text = t(
      '{0} does not have this session, or continued it differently. It starts a new session and gets the conversation as text.',
      name,
    );
    this.ports.transcript.emit({ type: 'notice.shown', level: 'info', text });
  }

  private open(work: ExternalAgentServices, signal: AbortSignal): Promise<ExternalAgent> {
    return this.opens.run(async () => {
      const { transcript, folders } = this.ports;
      const { agent } = this;
      const { name = '', session, options = [] } = transcript.state.driver ?? {};
      if (agent?.isRunning && agent.session === session) return agent;
      await this.leave();
      const servers = await this.allowedServers(name, work);
      const opened = await work.agents.open(name, { folders, session, servers }, this.client(), signal);
      this.agent = opened;
      this.lacksConversation = !opened.continues;
      if (opened.session !== session)
        transcript.emit({ type: 'agent.chosen', name, session: opened.session });
      await this.chooseAgain(opened, options);
      return opened;
    }, signal);
  }

  /**
   * Returns servers whose tools would all run without asking, since Folio cannot intercept the agent's calls to them.
   */
  private async allowedServers(
    agent: string,
    work: ExternalAgentServices,
  ): Promise<readonly ExternalMcpServer[]> {
    const { transcript, calls, folders } = this.ports;
    const { mode } = transcript.state;
    const isAllowed = async ({ name: tool, effect, of: target }: AnyTool) =>
      (await calls.policy.classify({ tool, effect, target, args: {}, mode })).kind === 'allow';
    const offered = await work.servers(folders[0] ?? '');
    const checked = await Promise.all(
      offered.map(async server =>
        (await Promise.all(server.tools.map(isAllowed))).every(Boolean) ? [server] : [],
      ),
    );
    const allowed = checked.flat();
    if (allowed.length > 0) this.sayServers(agent, allowed);
    return allowed;
  }

  private sayServers(agent: string, servers: readonly ExternalMcpServer[]): void {
    const names = servers.map(({ name }) => name).join(', ');
    if (names === this.saidServers) return;
    this.saidServers = names;
    const text = t('{0} can use these servers, because your rules allow their tools: {1}.', agent, names);
    this.ports.transcript.emit({ type: 'notice.shown', level: 'info', text });
  }

  /** Applies the options of the previous session to a new or continued one. */
  private async chooseAgain(agent: ExternalAgent, chosen: readonly DriverOption[]): Promise<void> {
    this.offer(agent.options);
    for (const { id, value } of chosen) {
      const offered = agent.options.find(each => each.id === id);
      if (offered && offered.value !== value) await this.choose(id, value);
    }
  }

  private offer(options: readonly DriverOption[]): void {
    const { transcript } = this.ports;
    const { options: known = [] } = transcript.state.driver ?? {};
    if (canonicalJson(options) !== canonicalJson(known)) transcript.emit({ type: 'agent.offered', options });
  }

  /** Refuses requests outside of a turn, where nobody would see them. */
  private client(): ExternalClient {
    const turn = async () => {
      if (!this.turn) throw new Error('No turn runs.');
      return this.turn;
    };
    return {
      update: update => {
        if (update.kind === 'options') this.offer(update.options);
        else this.turn?.update(update);
      },
      readFile: async (path, range) => (await turn()).readFile(path, range),
      writeFile: async (path, content) => (await turn()).writeFile(path, content),
      ask: async (call, options) => (await turn()).ask(call, options),
      run: async command => (await turn()).run(command),
    };
  }
}

function withValue(options: readonly DriverOption[], id: string, value: string): readonly DriverOption[] {
  return options.map(option => {
    const isOffered = option.id === id && option.values.some(each => each.value === value);
    return isOffered ? { ...option, value } : option;
  });
}

function promptParts({ parts }: Message): readonly ExternalPromptPart[] {
  return parts.flatMap((part: Part): readonly ExternalPromptPart[] => {
    if (part.kind === 'text') return [{ kind: 'text', text: part.text }];
    return part.kind === 'blob' ? [{ kind: 'file', ...part.blob }] : [];
  });
}

function turnEnd(end: ExternalEnd, name: string): TurnEnd {
  if (end === 'rested' || end === 'stopped') return { kind: end };
  const say = {
    refused: () => t('{0} refused to continue with this prompt. Change it, or go back to before it.', name),
    length: () => t('{0} reached the length limit of its model. Send "Continue" for the rest.', name),
    requests: () => t('{0} reached its limit of requests for one prompt. Send "Continue" to go on.', name),
  }[end];
  return { kind: 'failed', trouble: makeFailure(`external.${end}`, say) };
}

function failed(error: ExternalFailure): TurnEnd {
  return { kind: 'failed', trouble: makeFailure(`external.${error.kind}`, () => error.say()) };
}

function missing(name: string): ExternalFailure {
  return new ExternalFailure('missing', () => t('{0} cannot run a session here.', name));
}

/** Characters. For a longer conversation, the newest part is used. */
const earlierLimit = 60_000;

/** Describes a conversation to an agent that does not know it. */
function describeEarlier(messages: readonly Message[]): string {
  const said = messages.flatMap(({ role, parts }) => {
    const text = parts.flatMap(part => (part.kind === 'text' ? [part.text] : [])).join('\n');
    return text === '' ? [] : [`${role === 'user' ? 'User' : 'You'}: ${text}`];
  });
  const whole = said.join('\n\n');
  const text = whole.length > earlierLimit ? `…${tailOf(whole, earlierLimit)}` : whole;
  return `This continues an earlier conversation, which you have no record of. It was:\n<earlier_conversation>\n${defuseTags(text, 'earlier')}\n</earlier_conversation>`;
}
