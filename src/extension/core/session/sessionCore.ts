/* Creates and connects the parts of a session. `session.ts` is its public side. */

import { basename, dirname, join } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { newestChapter } from '../../../protocol/state.ts';
import { messageOf } from '../../base/errors.ts';
import { once } from '../../base/once.ts';
import { AgentJournals } from '../agents/agentJournals.ts';
import { invokeAgent } from '../agents/invokeAgent.ts';
import { SubagentRunner } from '../agents/subagentRunner.ts';
import { askSideQuestion } from '../answers/ask.ts';
import { PendingApprovals } from '../calls/approvals.ts';
import type { CallServices } from '../calls/calling.ts';
import { CallOutputs } from '../calls/callOutputs.ts';
import { ProposedContents } from '../calls/proposals.ts';
import { RestartableCommands } from '../calls/restartableCommands.ts';
import { ChangeTracker } from '../changes/changeTracker.ts';
import { ConcurrentRuns } from '../changes/concurrentRuns.ts';
import { answerComment } from '../comments/answerComment.ts';
import { Comments } from '../comments/comments.ts';
import { ProposalScanner } from '../context/inbox/proposalScanner.ts';
import { Conversation, type ConversationPorts } from '../conversation/conversation.ts';
import { RequestComposer } from '../conversation/requestComposer.ts';
import { type ExternalAgentServices, ExternalSession } from '../external/externalSession.ts';
import type { HookContext } from '../hooks/hookRuns.ts';
import { SessionHooks } from '../hooks/sessionHooks.ts';
import { TurnLimits } from '../limitSettings.ts';
import { WorkspacePaths } from '../paths.ts';
import { sessionPlans } from '../plan/plans.ts';
import { CommandClassifier } from '../policy/commandClassifier.ts';
import { RunningPrograms, type SessionPrograms } from '../programs/runningPrograms.ts';
import { SessionPrompt } from '../prompt/sessionPrompt.ts';
import type { JournalRecorder } from '../recording/recorder.ts';
import type { RecordEvent, Transcript } from '../recording/transcript.ts';
import { Routing } from '../routing/routing.ts';
import { Rewinds } from './rewinds.ts';
import { SessionCompressions } from './sessionCompressions.ts';
import { sessionForTools } from './sessionForTools.ts';
import type { SessionServices } from './sessionServices.ts';
import { Turns } from './turns.ts';

/** The record of a new or restored session. */
interface SessionRecord {
  readonly id: string;
  readonly beginning: 'new' | 'resumed';
  readonly transcript: Transcript;
  readonly recorder: JournalRecorder;
  /** Numbers and dates an event within the session. */
  readonly number: RecordEvent;
}

export class SessionCore {
  readonly approvals = new PendingApprovals();
  readonly restarts = new RestartableCommands();
  readonly proposals = new ProposedContents();
  readonly programs: SessionPrograms;
  readonly changes: ChangeTracker;
  readonly comments: Comments;
  readonly rewinds: Rewinds;
  readonly routing: Routing;
  readonly hooks: SessionHooks;
  readonly conversation: Conversation;
  readonly compressions: SessionCompressions;
  readonly turns: Turns;
  readonly agents: SubagentRunner;
  readonly reviewSessions: ProposalScanner | undefined;
  private readonly record: SessionRecord;
  private readonly services: SessionServices;
  private readonly ports: ConversationPorts;
  private readonly outputs: CallOutputs;
  private readonly journals: AgentJournals;
  private readonly prompt: SessionPrompt;
  private external: ExternalAgentServices | undefined;

  /**
   * Preloads what a request needs while the user types, and sends nothing. The prompt rereads its files, so none is
   * stale. Never rejects: the prompt reports such errors.
   */
  readonly getReady = once(async () => {
    const { conversation, routing, turns } = this;
    if (turns.external.isChosen) return turns.external.getReady();
    const { models, log, environmentContext } = this.services;
    // After a request in this run of the host, everything is loaded.
    if (conversation.requests.newest) return;
    await Promise.all([
      conversation.readFrame(),
      environmentContext.forAgent(new AbortController().signal),
      models.provider().load?.(routing.working),
    ]).catch(error => log.warn(`The session could not get ready for its first prompt: ${messageOf(error)}`));
  });

  constructor(record: SessionRecord, services: SessionServices) {
    const { id, transcript, recorder, number, beginning } = record;
    const { models, clock, log, storage, environmentContext, policy } = services;
    this.record = record;
    this.services = services;
    this.ports = { models, limits: new TurnLimits(services.limits), clock, log };
    this.outputs = new CallOutputs(storage.sessions, id, this.ports.limits);
    this.journals = new AgentJournals(id, storage.sessions, number, warner(transcript));
    this.programs = (services.tools.programs ?? new RunningPrograms()).of(id, (callId, program) =>
      transcript.emit({ type: 'program.changed', callId, program }),
    );
    this.changes = this.makeChanges();
    this.comments = this.makeComments();
    this.rewinds = new Rewinds(
      transcript,
      this.changes,
      recorder,
      clock,
      services.workspace.worktreeTransfer,
    );
    this.routing = new Routing(this.ports, transcript, policy);
    this.hooks = new SessionHooks(
      placeOfHooks(services, id, this.changes),
      transcript,
      environmentContext,
      beginning,
    );
    const requests = this.makeRequests();
    this.prompt = new SessionPrompt(services.prompt, { transcript, routing: this.routing, requests });
    this.conversation = this.makeConversation(requests);
    this.compressions = this.makeCompressions();
    requests.add(answerComment(this.comments));
    const calls = this.calls();
    this.turns = this.makeTurns(calls);
    this.agents = this.makeAgents(calls);
    if (services.tools.agents) requests.add(invokeAgent(services.tools.agents, this.agents));
    this.reviewSessions = this.makeSessionReview();
    this.followTranscript();
  }

  /** Changes and outputs receive each event last, after all other parts. */
  private followTranscript(): void {
    const { transcript } = this.record;
    transcript.addFold(event => this.changes.fold(event));
    transcript.addFold(event => this.outputs.fold(event));
    transcript.addAgentFold(reported => this.outputs.foldAgent(reported));
    transcript.onEvent(({ type }) => {
      // While a request is under way, scanning costs no waiting time.
      if (type === 'step.started') this.prepareForCommands();
      if (type === 'step.ended') this.changes.hearAnswer();
    });
  }

  /** Scans nothing if no command can run, as in an untrusted workspace. */
  private prepareForCommands(): void {
    if (this.conversation.requests.offers('run')) void this.changes.prepare();
  }

  private makeComments(): Comments {
    const { workspace, storage, clock } = this.services;
    const { files, folders } = workspace;
    const paths = new WorkspacePaths(files, folders);
    // A plan's path lies in Folio's data and would mean nothing to the user.
    const isPlan = (path: string) => dirname(path) === storage.sessions.plansFolder(this.record.id);
    const show = async (path: string) => (isPlan(path) ? t('plan {0}', basename(path)) : paths.show(path));
    return new Comments(this.record.transcript, files, clock, show);
  }

  private makeCompressions(): SessionCompressions {
    const { transcript, recorder } = this.record;
    const { compressions } = this.conversation;
    compressions.onInstalled(() => this.services.environmentContext.forget());
    return new SessionCompressions(compressions, transcript.history, this.rewinds, recorder);
  }

  private makeChanges(): ChangeTracker {
    const { record, services, journals } = this;
    const { transcript, recorder } = record;
    const { workspace, storage, clock, log } = services;
    return new ChangeTracker({
      folders: workspace.folders,
      files: workspace.files,
      blobs: storage.blobs,
      versionControl: workspace.versionControl,
      alsoIgnored: workspace.alsoIgnored,
      concurrentRuns: (workspace.concurrentRuns ?? new ConcurrentRuns()).beside(() => transcript.state.title),
      clock,
      log,
      emit: transcript.emit,
      recorded: async () => {
        await Promise.all([recorder.flush(), journals.flush()]);
      },
      chapterId: () => newestChapter(transcript.state).id,
    });
  }

  private makeRequests(): RequestComposer {
    const { id, transcript } = this.record;
    const { policy, tools, log, workspace, storage, environmentContext } = this.services;
    const { routing, ports, outputs, programs } = this;
    const folder = () => storage.sessions.plansFolder(id);
    const plans = sessionPlans(workspace.files, folder, transcript);
    const surface = sessionForTools({ id, plans, transcript, programs, routing, ports, environmentContext });
    this.external = tools.external?.(surface);
    return new RequestComposer(
      transcript.history,
      tools.builtIn(surface),
      { saveOutput: outputs.save, log },
      tool => policy.forbids(tool, transcript.state.mode),
      tools.foreign?.(surface),
    );
  }

  private makeConversation(requests: RequestComposer): Conversation {
    const { transcript } = this.record;
    const { ports, prompt, routing, hooks, outputs } = this;
    return new Conversation(ports, {
      transcript,
      requests,
      prompt,
      routing,
      hooks,
      saveOutput: outputs.save,
      withOwnIds: answer => transcript.history.withOwnIds(answer, () => ports.clock.newId()),
      canRecall: true,
    });
  }

  private makeSessionReview(): ProposalScanner | undefined {
    const { inbox } = this.services.storage;
    const { ports, routing } = this;
    return inbox && new ProposalScanner(inbox, { ports, transcript: this.record.transcript, routing });
  }

  private makeTurns(calls: CallServices): Turns {
    const { recorder } = this.record;
    const { conversation, prompt, routing, hooks, rewinds, changes, programs } = this;
    return new Turns({
      external: this.makeExternal(calls),
      conversation,
      prompt,
      routing,
      hooks,
      calls,
      recorder,
      rewinds,
      changes,
      programs,
      services: this.services,
    });
  }

  private makeExternal(calls: CallServices): ExternalSession {
    const { folders, files } = this.services.workspace;
    const { transcript } = this.record;
    const paths = new WorkspacePaths(files, folders);
    return new ExternalSession({
      work: this.external,
      calls,
      transcript,
      paths,
      folders,
      changes: this.changes,
    });
  }

  private makeAgents(calls: CallServices): SubagentRunner {
    const { policy, environmentContext, tools } = this.services;
    const { conversation, prompt, routing, hooks, turns, journals } = this;
    return new SubagentRunner({
      conversation,
      prompt,
      routing,
      hooks,
      turns,
      calls,
      journals,
      policy,
      environmentContext,
      remote: tools.remote,
    });
  }

  /** The session and its subagents share permissions, approvals and files. */
  private calls(): CallServices {
    const { transcript } = this.record;
    const { policy, workspace, environmentContext, clock, log } = this.services;
    const { approvals, restarts, conversation, hooks, changes, proposals, outputs } = this;
    return {
      caller: {
        tools: conversation.requests.known,
        mode: () => transcript.state.mode,
        emit: transcript.emit,
        hooks: hooks.calls,
        memory: environmentContext.memory,
        works: { open: (...work) => this.agents.open(...work) },
      },
      approvals,
      restarts,
      policy,
      commandClassifier: this.makeCommandClassifier(),
      changes,
      proposals,
      outputs,
      diagnostics: workspace.diagnostics,
      clock,
      log,
    };
  }

  private makeCommandClassifier(): CommandClassifier {
    const { transcript } = this.record;
    const { ports, routing } = this;
    return new CommandClassifier({
      isOn: () => ports.limits.current.classify,
      model: () => routing.side,
      task: () => transcript.typedPrompt,
      ask: async ({ system, text }, signal) => {
        const question = { purpose: 'command', system, text, temperature: 0 } as const;
        const result = await askSideQuestion(question, { ports, transcript, routing }, signal);
        signal.throwIfAborted();
        return result.kind === 'answered' ? result.text : undefined;
      },
    });
  }
}

function warner({ emit }: Transcript): (sentence: string) => void {
  return text => emit({ type: 'notice.shown', level: 'warning', text });
}

function placeOfHooks(
  { hooks, workspace, storage, clock }: SessionServices,
  sessionId: string,
  changes: ChangeTracker,
): HookContext {
  const { sessions } = storage;
  // A session's folder contains its journal next to its outputs.
  const transcript = join(dirname(sessions.outputsFolder(sessionId)), 'journal.jsonl');
  const plans = sessions.plansFolder(sessionId);
  return { hooks, sessionId, cwd: workspace.folders[0] ?? '', transcript, plans, clock, changes };
}
