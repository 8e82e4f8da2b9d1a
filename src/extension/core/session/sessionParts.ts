/* What a session is made of, and which part needs which. What others see of them is in `session.ts`. */

import type { SessionEvent, SessionEventBody } from '../../../protocol/events.ts';
import { activeTopic, liveChapter, type SessionState } from '../../../protocol/state.ts';
import { Agents } from '../agents/agents.ts';
import { Approvals } from '../calls/approvals.ts';
import { KeptOutputs } from '../calls/keptOutputs.ts';
import type { CallSurroundings } from '../calls/surroundings.ts';
import { Changes } from '../changes/changes.ts';
import { Compressions } from '../context/compression/compressions.ts';
import { History } from '../history/history.ts';
import { SessionHooks, sessionOfHooks } from '../hooks/sessionHooks.ts';
import type { ModelRequest } from '../model.ts';
import { sessionPlans } from '../plan/plans.ts';
import { Recorder } from '../recording/recorder.ts';
import { Routing } from '../routing/routing.ts';
import { Proposals } from './proposals.ts';
import { Requests } from './requests.ts';
import { Rewinds } from './rewinds.ts';
import { sideQuestions } from './sideQuestions.ts';
import type { SessionFacts, SessionSurroundings } from './surroundings.ts';
import { toolSurface } from './toolSurface.ts';
import { Turns } from './turns.ts';

/** What the parts know of the session that they belong to. */
export interface SessionCore {
  readonly id: string;
  /** It goes on with an earlier journal. */
  readonly resumed: boolean;
  readonly around: SessionSurroundings;
  readonly state: () => SessionState;
  readonly emit: (event: SessionEventBody) => void;
  /** Going back, or undoing that, which nothing may come between. */
  readonly rewinding: () => Promise<unknown> | undefined;
}

export class SessionParts {
  readonly history = new History();
  readonly approvals = new Approvals();
  readonly proposals = new Proposals();
  readonly recorder: Recorder;
  readonly changes: Changes;
  readonly rewinds: Rewinds;
  readonly routing: Routing;
  readonly agents: Agents;
  readonly requests: Requests;
  readonly hooks: SessionHooks;
  readonly compressions: Compressions;
  readonly turns: Turns;
  private readonly keptOutputs: KeptOutputs;
  private readonly core: SessionCore;

  constructor(core: SessionCore) {
    this.core = core;
    const { id, around, state, emit } = core;
    const { history } = this;
    this.recorder = new Recorder(around.store, id, text =>
      emit({ type: 'notice.shown', level: 'warning', text }),
    );
    this.keptOutputs = new KeptOutputs(around.store, id);
    this.changes = this.makeChanges();
    this.rewinds = new Rewinds({ changes: this.changes, history, clock: around.clock, state, emit });
    this.routing = new Routing({
      ...around,
      ...{ history, state, emit, asking: sideQuestions(around, 'route', emit) },
    });
    this.agents = this.makeAgents();
    this.requests = this.makeRequests();
    this.hooks = new SessionHooks({
      ...sessionOfHooks(around, id),
      ...{ history, state, emit, resumed: core.resumed },
    });
    this.compressions = this.makeCompressions();
    this.turns = this.makeTurns();
  }

  /** Everything beside the state that is a fold of the events. */
  fold(event: SessionEvent): void {
    this.rewinds.fold(event);
    this.history.fold(event);
    this.compressions.fold(event);
    this.routing.fold(event);
    this.turns.fold(event);
    this.changes.fold(event);
    this.keptOutputs.fold(event);
  }

  /** What every request carries beside the history: as the newest one did, else as the next would. */
  async frame(): Promise<Pick<ModelRequest, 'system' | 'tools'>> {
    if (this.requests.newest) return this.requests.newest;
    const compose = await this.core.around.readPrompt(this.facts());
    // What was read may have changed which tools are on offer.
    return { system: compose(this.facts()), tools: this.requests.declarations() };
  }

  private facts(): SessionFacts {
    const state = this.core.state();
    const { working: model } = this.routing;
    const toolNames = [...this.requests.offered.keys()];
    return { mode: state.mode, model, activeTopic: activeTopic(state), toolNames };
  }

  private makeChanges(): Changes {
    const { around, emit, state } = this.core;
    const { folders, files, blobs, versionControl, clock, log } = around;
    return new Changes({
      ...{ folders, files, blobs, versionControl, clock, log, emit },
      recorded: () => this.recorder.flush(),
      chapterId: () => liveChapter(state()).id,
    });
  }

  private makeAgents(): Agents {
    const { around, state, emit } = this.core;
    return new Agents({
      ...{ around, state, emit, routing: this.routing },
      tools: () => this.requests.present,
      calls: () => this.calls(),
      hooks: () => this.hooks,
      compose: (facts, write) => this.turns.compose(facts, write),
      findReachedBudget: () => this.turns.findReachedBudget(),
      stopTurn: () => void this.turns.stop(),
    });
  }

  private makeRequests(): Requests {
    const { id, around, state, emit } = this.core;
    const { files, clock, log } = around;
    const surface = toolSurface({
      ...{ sessionId: id, clock, history: this.history, places: this.rewinds.places, state, emit },
      routing: this.routing,
      asking: {
        ...sideQuestions(around, 'edit', emit),
        maxAttempts: () => Math.min(2, around.maxAttempts()),
      },
      files: this.changes.files,
      plans: sessionPlans({
        files,
        folder: () => around.store.plansFolder(id),
        mode: () => state().mode,
        emit,
      }),
    });
    const tools = [...around.tools(surface), ...this.agents.tools];
    return new Requests(
      this.history,
      tools,
      { saveOutput: this.saveOutput, log },
      tool => around.policy.forbids(tool, state().mode),
      around.moreTools?.(surface),
    );
  }

  private makeCompressions(): Compressions {
    const { around, state, emit, rewinding } = this.core;
    const { history, routing, saveOutput } = this;
    return new Compressions({
      ...around,
      beforeCompression: async (trigger, signal) => {
        await around.beforeCompression(trigger, signal);
        await this.hooks.beforeCompression(trigger, signal);
      },
      ...sideQuestions(around, 'summary', emit),
      ...{ history, places: this.rewinds.places, saveOutput, state, emit, routing },
      overhead: async () => this.compressions.gauge.ofOverhead(await this.frame()),
      sent: () => this.requests.messages(),
      isRewinding: () => rewinding() !== undefined,
      beginRecording: () => this.recorder.begin(),
      flush: () => this.recorder.flush(),
    });
  }

  private makeTurns(): Turns {
    const { around, state, emit, rewinding } = this.core;
    const { history, requests, compressions, hooks, routing } = this;
    return new Turns({
      ...{ around, history, requests, compressions, state, emit, hooks, routing },
      calls: () => this.calls(),
      facts: () => this.facts(),
      ready: async () => {
        await rewinding();
        await this.recorder.begin();
        await this.changes.ledger.flush();
      },
      flush: () => this.recorder.flush(),
    });
  }

  private calls(): CallSurroundings {
    const { around, state, emit } = this.core;
    const { policy, diagnostics, clock, log, outputLimit, tellOfFolders } = around;
    const { approvals, requests, hooks, saveOutput } = this;
    return {
      ...{ tools: requests.known, hooks: hooks.calls, approvals, policy, diagnostics, clock, log },
      ...{ outputLimit, tellOfFolders, saveOutput, emit },
      keepOutput: (callId, text) => this.keptOutputs.keep(callId, text),
      mode: () => state().mode,
      proposed: (callId, proposal) => this.proposals.keep(callId, proposal),
      watch: (call, run) => this.changes.watch(call, run),
    };
  }

  private readonly saveOutput = (name: string, text: string) =>
    this.core.around.store.saveOutput(this.core.id, name, text);
}
