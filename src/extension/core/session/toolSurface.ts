import { activeTopic } from '../../../protocol/state.ts';
import type { Clock } from '../../platform/clock.ts';
import { messagesOf, toldChapters } from '../context/compression/toldChapters.ts';
import { type AskSurroundings, ask } from '../conversation/ask.ts';
import type { Transcript } from '../conversation/transcript.ts';
import type { Plans } from '../plan/plans.ts';
import type { Routing } from '../routing/routing.ts';
import type { AskBeside } from '../tool.ts';
import { isSameTopic } from './sameTopic.ts';
import type { ToolSurface } from './surroundings.ts';

export interface SurfaceSurroundings {
  readonly sessionId: string;
  readonly clock: Clock;
  readonly transcript: Transcript;
  readonly plans: Plans;
  /** Who works, and who answers beside the conversation. */
  readonly routing: Pick<Routing, 'working' | 'side'>;
  readonly asking: AskSurroundings;
}

export function toolSurface(around: SurfaceSurroundings): ToolSurface {
  const { sessionId, clock, transcript, plans, routing } = around;
  const { emit, history, places } = transcript;
  return {
    sessionId,
    plans,
    model: () => routing.working,
    askAboutEdit: (question, signal) => askBeside(question, around, signal),
    startTopic: (title, previousSummary) => {
      if (isSameTopic(activeTopic(transcript.state), title)) return false;
      emit({ type: 'chapter.started', chapterId: clock.newId(), title, previousSummary });
      return true;
    },
    setTodos: todos => emit({ type: 'todos.changed', todos }),
    mode: () => transcript.state.mode,
    setMode: mode => {
      if (mode !== transcript.state.mode) emit({ type: 'mode.changed', mode });
    },
    hasCompressed: () => transcript.state.compressions.length > 0,
    chapters: () => {
      const { whole } = history;
      const chapters = toldChapters(transcript.state, places, whole.length);
      return chapters.map(chapter => ({ ...chapter, messages: messagesOf(chapter, whole) }));
    },
  };
}

/** Longer than this nobody waits for an answer that only helps. */
const longestWaitMs = 40_000;

async function askBeside(
  { system, text }: Parameters<AskBeside>[0],
  { routing, asking }: Pick<SurfaceSurroundings, 'routing' | 'asking'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const messages = [{ role: 'user', parts: [{ kind: 'text', text }] }] as const;
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(longestWaitMs)]);
  const result = await ask({ model: routing.side, system, messages, tools: [], signal: inTime }, asking);
  signal.throwIfAborted();
  return result.kind === 'answered' ? result.text : undefined;
}
