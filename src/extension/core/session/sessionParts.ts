/* The parts of a session, and which of them needs which. `session.ts` is what others see of them. */

import { liveChapter } from '../../../protocol/state.ts';
import { AgentJournals } from '../agents/agentJournals.ts';
import { Agents } from '../agents/agents.ts';
import { invokeAgent } from '../agents/invokeAgent.ts';
import { Approvals } from '../calls/approvals.ts';
import { CallOutputs } from '../calls/callOutputs.ts';
import { Proposals } from '../calls/proposals.ts';
import type { CallSurroundings } from '../calls/surroundings.ts';
import { Changes } from '../changes/changes.ts';
import { Conversation } from '../conversation/conversation.ts';
import { Requests } from '../conversation/requests.ts';
import { sideQuestions } from '../conversation/sideQuestions.ts';
import type { RecordEvent, Transcript } from '../conversation/transcript.ts';
import { SessionHooks, sessionOfHooks } from '../hooks/sessionHooks.ts';
import { sessionPlans } from '../plan/plans.ts';
import type { Recorder } from '../recording/recorder.ts';
import { Routing } from '../routing/routing.ts';
import type { AnyTool } from '../tool.ts';
import { Rewinds } from './rewinds.ts';
import { SessionCompressions } from './sessionCompressions.ts';
import { SessionPrompt } from './sessionPrompt.ts';
import type { SessionSurroundings } from './surroundings.ts';
import { toolSurface } from './toolSurface.ts';
import { Turns } from './turns.ts';

/** The parts know this of the session that they belong to. */
export interface SessionCore {
  readonly id: string;
  /** It goes on with an earlier journal. */
  readonly resumed: boolean;
  readonly around: SessionSurroundings;
  readonly transcript: Transcript;
  readonly recorder: Recorder;
  /** Gives an event its number and time, among all that happens in the session. */
  readonly number: RecordEvent;
}

export class SessionParts {
  readonly approvals = new Approvals();
  readonly proposals = new Proposals();
  readonly changes: Changes;
  readonly rewinds: Rewinds;
  readonly routing: Routing;
  readonly hooks: SessionHooks;
  readonly conversation: Conversation;
  readonly compressions: SessionCompressions;
  readonly turns: Turns;
  readonly agents: Agents;
  private readonly core: SessionCore;
  private readonly outputs: CallOutputs;

  constructor(core: SessionCore) {
    this.core = core;
    const { id, around, transcript, recorder } = core;
    this.outputs = new CallOutputs(around.store, id, around.outputLimit);
    this.changes = this.makeChanges();
    this.rewinds = new Rewinds(transcript, this.changes, recorder, around.clock);
    this.routing = this.makeRouting();
    this.hooks = this.makeHooks();
    const requests = this.makeRequests();
    const { routing } = this;
    const prompt = new SessionPrompt(around.readPrompt, { transcript, routing, requests });
    this.conversation = this.makeConversation(requests, prompt);
    const { compressions } = this.conversation;
    compressions.onInstalled(() => around.forgetEditorContext());
    this.compressions = new SessionCompressions(compressions, transcript.history, this.rewinds, recorder);
    this.turns = this.makeTurns(prompt);
    this.agents = this.makeAgents(prompt);
    transcript.addFold(event => this.changes.fold(event));
    transcript.addFold(event => this.outputs.fold(event));
    transcript.addAgentFold(told => this.outputs.foldAgent(told));
  }

  private makeChanges(): Changes {
    const { around, transcript, recorder } = this.core;
    const { folders, files, blobs, versionControl, clock, log } = around;
    return new Changes({
      folders,
      files,
      blobs,
      versionControl,
      clock,
      log,
      emit: transcript.emit,
      recorded: async () => {
        await Promise.all([recorder.flush(), this.agents.flush()]);
      },
      chapterId: () => liveChapter(transcript.state).id,
    });
  }

  private makeRouting(): Routing {
    const { around, transcript } = this.core;
    const { models, availability, interactive, provider, maxAttempts } = around;
    const routing = new Routing({
      models,
      availability,
      interactive,
      provider,
      maxAttempts,
      history: transcript.history,
      state: () => transcript.state,
      emit: transcript.emit,
      asking: sideQuestions(around, 'route', transcript.emit),
    });
    transcript.addFold(event => routing.fold(event));
    return routing;
  }

  private makeHooks(): SessionHooks {
    const { id, around, transcript, resumed } = this.core;
    return new SessionHooks({
      ...sessionOfHooks(around, id),
      history: transcript.history,
      state: () => transcript.state,
      emit: transcript.emit,
      resumed,
    });
  }

  private makeRequests(): Requests {
    const { around, transcript } = this.core;
    const { log, policy, agents } = around;
    const surface = this.makeToolSurface();
    const own: readonly AnyTool[] = [
      ...around.tools(surface),
      ...(agents
        ? [invokeAgent({ kinds: agents.kinds, send: (task, signal) => this.agents.send(task, signal) })]
        : []),
    ];
    return new Requests(
      transcript.history,
      own,
      { saveOutput: this.outputs.save, log },
      tool => policy.forbids(tool, transcript.state.mode),
      around.moreTools?.(surface),
    );
  }

  private makeToolSurface() {
    const { id, around, transcript } = this.core;
    const { files, clock, store, maxAttempts } = around;
    const { emit } = transcript;
    const edits = sideQuestions(around, 'edit', emit, this.routing);
    return toolSurface({
      sessionId: id,
      clock,
      transcript,
      routing: this.routing,
      asking: { ...edits, maxAttempts: () => Math.min(2, maxAttempts()) },
      plans: sessionPlans({
        files,
        folder: () => store.plansFolder(id),
        mode: () => transcript.state.mode,
        emit,
      }),
    });
  }

  private makeConversation(requests: Requests, prompt: SessionPrompt): Conversation {
    const { around, transcript } = this.core;
    const { hooks, routing, outputs } = this;
    const { history } = transcript;
    return new Conversation({
      ports: around,
      transcript,
      requests,
      prompt,
      routing,
      hooks,
      saveOutput: outputs.save,
      withOwnIds: answer => history.withOwnIds(answer, () => around.clock.newId()),
      canRecall: true,
    });
  }

  private makeTurns(prompt: SessionPrompt): Turns {
    const { around, recorder } = this.core;
    const { conversation, routing, hooks, rewinds, changes } = this;
    return new Turns({
      conversation,
      prompt,
      routing,
      hooks,
      calls: () => this.calls(),
      recorder,
      rewinds,
      changes,
      sources: around,
    });
  }

  private makeAgents(prompt: SessionPrompt): Agents {
    const { id, around, transcript, number } = this.core;
    const { conversation, routing, hooks, turns } = this;
    return new Agents({
      conversation,
      prompt,
      routing,
      hooks,
      turns,
      calls: () => this.calls(),
      ports: around,
      journals: new AgentJournals(id, around.store, number, sentence =>
        transcript.emit({ type: 'notice.shown', level: 'warning', text: sentence }),
      ),
    });
  }

  private calls(): CallSurroundings {
    const { around, transcript } = this.core;
    const { policy, diagnostics, clock, log, tellOfFolders } = around;
    const { approvals, conversation, hooks, changes, proposals, outputs } = this;
    return {
      caller: { mode: () => transcript.state.mode, emit: transcript.emit },
      tools: conversation.requests.known,
      hooks: hooks.calls,
      approvals,
      policy,
      changes,
      proposals,
      outputs,
      diagnostics,
      tellOfFolders,
      clock,
      log,
    };
  }
}
