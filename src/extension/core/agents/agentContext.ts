/* What an agent was told and has said, and what of it goes to the model: masked, and compressed when it has grown. */

import type { SessionEvent, SessionEventBody, Trouble, Usage } from '../../../protocol/events.ts';
import { iterate } from '../../../protocol/pages.ts';
import { emptySession, type SessionState } from '../../../protocol/state.ts';
import { Compressions } from '../context/compression/compressions.ts';
import { History } from '../history/history.ts';
import type { SessionHooks } from '../hooks/sessionHooks.ts';
import type { ModelRequest } from '../model.ts';
import { Places } from '../session/places.ts';
import { Requests } from '../session/requests.ts';
import { sideQuestions } from '../session/sideQuestions.ts';
import type { AnyTool } from '../tool.ts';
import type { AgentSession } from './agentSession.ts';

export interface AgentContextParts {
  readonly session: AgentSession;
  readonly name: string;
  /** The call that sends it out. */
  readonly callId: string;
  readonly model: () => string;
  readonly hooks: Pick<SessionHooks, 'beforeCompression'>;
  /** Tells the session of what happens to the agent. */
  readonly emit: (event: SessionEventBody) => void;
  /** Its own tools, and those that come and go. */
  readonly own: readonly AnyTool[];
  readonly more: () => readonly AnyTool[];
}

export class AgentContext {
  readonly history = new History();
  readonly requests: Requests;
  private readonly parts: AgentContextParts;
  private readonly places = new Places();
  private readonly compressions: Compressions;

  constructor(parts: AgentContextParts) {
    const { session, own, more, name } = parts;
    this.parts = parts;
    const { saveOutput } = session.calls();
    const { log, policy } = session.around;
    const isForbidden = (tool: AnyTool) => policy.forbids(tool, session.state().mode, name);
    this.requests = new Requests(this.history, own, { saveOutput, log }, isForbidden, more);
    this.compressions = this.makeCompressions(saveOutput);
  }

  /** Hears each event of the agent once the session has folded it. */
  fold(event: SessionEvent): void {
    this.places.fold(event, this.history.whole.length);
    this.history.fold(event);
    this.compressions.fold(event);
  }

  /** How the provider counted a request. */
  learn(request: ModelRequest, usage: Usage): void {
    this.compressions.gauge.learn(request, usage);
  }

  /**
   * What goes out next, or why it must not. Compresses before, where that is due.
   * @param compose makes it anew after a compression
   */
  async next(compose: () => Promise<ModelRequest>, signal: AbortSignal): Promise<ModelRequest | Trouble> {
    await this.compressions.beforeRequest(signal);
    const request = await this.compressions.fit(compose, signal);
    return 'kind' in request ? this.describeExcess(await compose()) : request;
  }

  /** Nobody can compress it by hand; who sent it out can ask for less. */
  private describeExcess(request: ModelRequest): Trouble {
    const limit = this.parts.session.around.contextLimit(request.model);
    const expected = this.compressions.gauge.expect(request, this.state().contextTokens);
    const [size, most] = [expected, limit].map(tokens => tokens.toLocaleString('en'));
    const message = `It read too much: its next request would be about ${size} tokens, and the model takes ${most}. Give it a smaller task.`;
    return { kind: 'tooLarge', message };
  }

  private makeCompressions(saveOutput: (name: string, text: string) => Promise<string>): Compressions {
    const { session, hooks, model, emit } = this.parts;
    const { around, routing } = session;
    return new Compressions({
      ...around,
      ...sideQuestions(around, 'summary', emit),
      ...{ history: this.history, places: this.places, saveOutput, emit },
      canRecall: false,
      state: () => this.state(),
      routing: {
        get working() {
          return model();
        },
        get side() {
          return routing.side;
        },
      },
      beforeCompression: async (trigger, signal) => {
        await around.beforeCompression(trigger, signal);
        await hooks.beforeCompression(trigger, signal);
      },
      overhead: async () => this.compressions.gauge.ofOverhead(this.frame()),
      sent: () => this.requests.messages(),
      // An agent is told nothing of the editor, is not rewound by itself, and writes into the journal of its session.
      forgetEditorContext: () => {},
      isRewinding: () => false,
      beginRecording: async () => {},
      flush: async () => {},
    });
  }

  private frame(): Pick<ModelRequest, 'system' | 'tools'> {
    return this.requests.newest ?? { system: '', tools: this.requests.declarations() };
  }

  /** The fold of its work, as the session has it. */
  private state(): SessionState {
    for (const { items } of this.parts.session.state().chapters.toReversed()) {
      for (const item of iterate(items)) {
        if (item.type === 'call' && item.id === this.parts.callId) return item.agent?.session ?? emptySession;
      }
    }
    return emptySession;
  }
}
