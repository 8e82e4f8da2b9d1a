/*
 * A conversation with a model: its history, its requests, and turns of answers and calls. Sessions and subagents each
 * have one. It knows no queue, rewind, editor or journal.
 */

import type { Message, SessionEvent, TurnEnd } from '../../../protocol/events.ts';
import { activeTopic } from '../../../protocol/state.ts';
import type { Failure } from '../../../protocol/values.ts';
import { oneLine } from '../../base/text.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { askSideQuestion } from '../answers/ask.ts';
import type { CompressionServices } from '../context/compression/compressionServices.ts';
import { Compressions } from '../context/compression/compressions.ts';
import type { ModelHooks } from '../hooks/modelHooks.ts';
import type { TurnLimits } from '../limitSettings.ts';
import type { LoopCheckRequest } from '../loops/loopCheckPrompt.ts';
import { LoopWatch } from '../loops/loopWatch.ts';
import type { ModelProvider, ModelRequest } from '../model.ts';
import type { Transcript } from '../recording/transcript.ts';
import type { ModelServices } from '../routing/modelServices.ts';
import type { Routing } from '../routing/routing.ts';
import { CacheWatch } from './cacheWatch.ts';
import type { RequestComposer } from './requestComposer.ts';
import { Turn, type TurnDelegate } from './turn.ts';

/** Shared by a session and its subagents. */
export interface ConversationPorts {
  readonly models: ModelServices;
  readonly limits: TurnLimits;
  readonly clock: Clock;
  readonly log: Log;
}

export interface SystemPromptComposer {
  /** Composes the prompt for the next request, which declares these tools. */
  compose(toolNames: readonly string[]): string;
  /** Composes it from the files as they are now, also before the first turn. */
  preview(): Promise<string>;
}

/** Members that a session and a subagent implement differently. */
interface ConversationOwner {
  readonly transcript: Transcript;
  readonly requests: RequestComposer;
  readonly prompt: SystemPromptComposer;
  /** Chooses the model, and what happens after a failure. */
  readonly routing: Pick<
    Routing,
    'working' | 'side' | 'insteadOf' | 'attempts' | 'answered' | 'afterFailure'
  >;
  readonly hooks: {
    readonly model: Pick<ModelHooks, 'provider' | 'beforeRequest'>;
    readonly beforeCompression: CompressionServices['beforeCompression'];
  };
  readonly saveOutput: CompressionServices['saveOutput'];
  /** Replaces call ids that are not unique in the session. */
  readonly withOwnIds: (answer: Message) => Message;
  readonly canRecall: boolean;
  readonly describeExcess?: CompressionServices['describeExcess'];
}

export class Conversation {
  readonly transcript: Transcript;
  readonly requests: RequestComposer;
  readonly compressions: Compressions;
  readonly loops: LoopWatch;
  readonly cacheWatch = new CacheWatch();
  readonly routing: ConversationOwner['routing'];
  readonly ports: ConversationPorts;
  readonly withOwnIds: ConversationOwner['withOwnIds'];
  private readonly prompt: SystemPromptComposer;
  private readonly hooks: ConversationOwner['hooks'];
  private lastEnd: TurnEnd | undefined;
  private signal = AbortSignal.abort();

  constructor(ports: ConversationPorts, owner: ConversationOwner) {
    const { transcript } = owner;
    this.transcript = transcript;
    this.requests = owner.requests;
    this.routing = owner.routing;
    this.ports = ports;
    this.withOwnIds = owner.withOwnIds;
    this.prompt = owner.prompt;
    this.hooks = owner.hooks;
    this.compressions = this.makeCompressions(owner);
    this.loops = new LoopWatch({
      isDisabled: () => !ports.limits.current.loopDetection,
      ask: request => this.classify(request),
      messages: () => transcript.history.messages,
      log: ports.log,
    });
    transcript.addFold(event => this.compressions.fold(event));
    transcript.addFold(event => this.requests.fold(event));
    transcript.addFold(event => this.watchLoops(event));
  }

  /** Runs until the agent stops. Rejects only for bugs, never for errors of the model or a tool. */
  run(delegate: TurnDelegate, signal: AbortSignal): Promise<TurnEnd> {
    this.signal = signal;
    return new Turn(this, delegate, signal).run();
  }

  /** Fetched for each attempt, since key, URL and model may change in between. */
  provider(): ModelProvider {
    return this.hooks.model.provider(this.ports.models.provider());
  }

  /**
   * Creates the next request, or returns why it must not be sent. Compresses first if needed.
   * @param adjust the turn's changes to the request
   */
  async nextRequest(adjust: TurnDelegate['adjust'], signal: AbortSignal): Promise<ModelRequest | Failure> {
    const { requests, routing, prompt } = this;
    const compose = async () => {
      const composed = await requests.compose(routing.working, names => prompt.compose(names), signal);
      const request = { ...composed, footer: this.footer(composed) };
      return adjust?.(request) ?? request;
    };
    await this.compressions.beforeRequest(signal);
    const request = await this.compressions.fit(compose, signal);
    return 'kind' in request ? request : this.hooks.model.beforeRequest(request);
  }

  /** If chapters are off, the model must not read about them. */
  private footer({ tools }: ModelRequest): string | undefined {
    if (!tools.some(({ name }) => name === 'create_new_topic')) return undefined;
    return chapterFooter(activeTopic(this.transcript.state));
  }

  /** Returns system prompt and tools of the latest request, or those of the next one. */
  async readFrame(): Promise<Pick<ModelRequest, 'system' | 'tools'>> {
    if (this.requests.newest) return this.requests.newest;
    const system = await this.prompt.preview();
    // Reading the files may have changed the available tools.
    return { system, tools: this.requests.declarations() };
  }

  private makeCompressions(owner: ConversationOwner): Compressions {
    const { ports } = this;
    const { transcript, routing, hooks, saveOutput, canRecall, describeExcess } = owner;
    return new Compressions({
      ports,
      transcript,
      routing,
      beforeCompression: (trigger, signal) => hooks.beforeCompression(trigger, signal),
      saveOutput,
      overhead: async () => this.compressions.estimator.ofOverhead(await this.readFrame()),
      sent: () => this.requests.messages(),
      canRecall,
      describeExcess,
    });
  }

  private watchLoops(event: SessionEvent): void {
    switch (event.type) {
      case 'turn.started':
        this.loops.beginTurn(this.transcript.prompt);
        return;
      case 'turn.retried':
        // A user who continues after a loop warning has seen it and wants to go on.
        if (this.lastEnd?.kind === 'loop') this.loops.disable();
        this.loops.beginTurn(this.transcript.prompt);
        return;
      case 'turn.ended':
        this.lastEnd = event.end;
        return;
    }
  }

  /** Asks a model outside the conversation whether the work repeats itself. Rejects without an answer. */
  private async classify({ system, text, opinion }: LoopCheckRequest): Promise<string> {
    // The light model is asked first. A turn is interrupted only if the working model agrees.
    const model = opinion === 'first' ? undefined : this.routing.working;
    const result = await askSideQuestion({ purpose: 'loop', model, system, text }, this, this.signal);
    if (result.kind === 'answered') return result.text;
    throw result.kind === 'failed' ? result.error : new Error('It was stopped.');
  }
}

/**
 * Names the open chapter at the end of each request, where a model reads it last. It is not part of the history, so
 * that consecutive requests begin alike.
 * @param title from the model or the user; `undefined` before the first chapter
 */
export function chapterFooter(title: string | undefined): string | undefined {
  const plain = title?.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, ' ') ?? '';
  // Kept on one line and free of brackets.
  const line = oneLine(plain.replace(/[[{]/g, '(').replace(/[\]}]/g, ')'), titleLimit);
  return line === '' ? undefined : `[Active Topic: ${line}] ${mandate}`;
}

const titleLimit = 120;

const mandate =
  'When this no longer describes your phase of work, start the next chapter with create_new_topic.';
