import { activeTopic } from '../../../protocol/state.ts';
import { askSideQuestion } from '../answers/ask.ts';
import { historyChapters, messagesOf } from '../context/compression/historyChapters.ts';
import type { EnvironmentContext } from '../context/environmentContext.ts';
import type { ConversationPorts } from '../conversation/conversation.ts';
import type { Plans } from '../plan/plans.ts';
import { nearestMode } from '../policy/initialMode.ts';
import type { SessionPrograms } from '../programs/runningPrograms.ts';
import type { Transcript } from '../recording/transcript.ts';
import type { Routing } from '../routing/routing.ts';
import type { AskCheapModel } from '../tool.ts';
import type { SessionForTools } from './sessionServices.ts';

/** The session that tools work in. */
interface SurfaceOwner {
  readonly id: string;
  readonly plans: Plans;
  readonly transcript: Transcript;
  readonly programs: SessionPrograms;
  /** Provides the working model, and the one for questions outside the conversation. */
  readonly routing: Pick<Routing, 'working' | 'side' | 'insteadOf'>;
  readonly ports: ConversationPorts;
  readonly environmentContext: Pick<EnvironmentContext, 'add'>;
}

export function sessionForTools(owner: SurfaceOwner): SessionForTools {
  const { id: sessionId, plans, transcript, programs, routing, ports, environmentContext } = owner;
  const { emit, history, places } = transcript;
  return {
    sessionId,
    plans,
    model: () => routing.working,
    askAboutEdit: (question, signal) => askAboutEdit(question, owner, signal),
    startTopic: (title, previousSummary) => {
      if (isSameTopic(activeTopic(transcript.state), title)) return false;
      emit({ type: 'chapter.started', chapterId: ports.clock.newId(), title, previousSummary });
      return true;
    },
    setTodos: todos => emit({ type: 'todos.changed', todos }),
    follow: follower => {
      environmentContext.add({ next: () => follower.beforePrompt() });
      transcript.addFold(event => follower.onEvent(event));
      return {
        noteFile: (path, digest) => emit({ type: 'file.seen', path, digest }),
        said: () => history.whole,
      };
    },
    mode: () => transcript.state.mode,
    setMode: intended => {
      const mode = nearestMode(intended, ports.limits.current.modes);
      if (mode !== transcript.state.mode) emit({ type: 'mode.changed', mode });
    },
    hasCompressed: () => transcript.state.compressions.length > 0,
    commands: {
      programs,
      reportWaiting: (callId, waits, starter) => {
        const startedBy = starter === callId ? undefined : starter;
        emit({ type: 'call.waited', callId, waits, startedBy });
      },
    },
    chapters: () => {
      const { whole } = history;
      const chapters = historyChapters(transcript.state, places, whole.length);
      return chapters.map(chapter => ({ ...chapter, messages: messagesOf(chapter, whole) }));
    },
  };
}

async function askAboutEdit(
  { system, text }: Parameters<AskCheapModel>[0],
  owner: SurfaceOwner,
  signal: AbortSignal,
): Promise<string | undefined> {
  const result = await askSideQuestion({ purpose: 'edit', system, text }, owner, signal);
  signal.throwIfAborted();
  return result.kind === 'answered' ? result.text : undefined;
}

/** Compares titles without case, blanks and final punctuation. */
export function isSameTopic(one: string | undefined, other: string): boolean {
  return one !== undefined && plain(one) === plain(other);
}

function plain(title: string): string {
  return title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^[\s"'“”]+|[\s"'“”.…:!]+$/g, '');
}
