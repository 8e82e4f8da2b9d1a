/* Folds subagents: each has its own conversation inside the call that started it. */

import type { SessionEvent } from '../events.ts';
import { emptySession, type SessionState, type TurnSpending } from '../state.ts';
import { endWait } from './activity.ts';
import { type AgentEvent, type EmittedEvent, isAgentEvent } from './agents.ts';
import { addFileCounts, filesChangedByCall } from './fileCounts.ts';
import { changeNewest, patchCall, reduce } from './reduce.ts';
import { addSpending, addTurnSpent, nothingSpent } from './spending.ts';

/** Folds an event of the session like `reduce`, or one of its subagents like `reduceAgent`. */
export function reduceWithAgents(state: SessionState, reported: EmittedEvent): SessionState {
  return isAgentEvent(reported) ? reduceAgent(state, reported) : reduce(state, reported);
}

/**
 * Folds an event of a subagent into its session.
 * @param work the subagent's state after the event, if already known
 */
export function reduceAgent(
  state: SessionState,
  { callId, agent: name, event }: AgentEvent,
  work?: SessionState,
): SessionState {
  if (event.seq <= state.seq) return state;
  const placed = patchCall(state, callId, call => ({
    ...call,
    agent: { name, session: work ?? reduce(call.agent?.session ?? emptySession, event) },
  }));
  return { ...countAgent(placed, event), seq: event.seq };
}

/** Counts asks, spending and file changes of a subagent for the session. */
function countAgent(state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case 'call.asked':
      return waitFor(state, event.callId);
    case 'call.decided':
    case 'call.started':
      return resumeAfter(state, event.callId);
    case 'call.ended': {
      const resumed = resumeAfter(state, event.callId);
      const files = filesChangedByCall(event);
      if (files.length === 0) return resumed;
      return changeNewest(resumed, chapter => ({
        ...chapter,
        files: files.reduce(addFileCounts, chapter.files),
      }));
    }
    case 'step.ended':
      return event.usage ? spend(state, { ...event, usage: event.usage }) : state;
    case 'side.asked':
      return { ...state, ...addSpending(state, event) };
    default:
      return state;
  }
}

function waitFor(state: SessionState, callId: string): SessionState {
  const { activity } = state;
  if (activity.status === 'resting') return state;
  const { turnId, since } = activity;
  return { ...state, activity: { status: 'waiting', turnId, since, callId } };
}

/** Resumes work if this call was asked about and no other asks. */
function resumeAfter(state: SessionState, callId: string): SessionState {
  const { activity } = state;
  return activity.status === 'waiting' && activity.callId === callId ? endWait(state) : state;
}

function spend(state: SessionState, { usage, cost, saved }: Omit<TurnSpending, 'steps'>): SessionState {
  const more = { usage, cost, saved };
  const spent = changeNewest(state, chapter => ({ ...chapter, ...addSpending(chapter, more) }));
  // The turn counts what the steps of a subagent cost, but not the steps.
  const spending = addTurnSpent(state.spending ?? nothingSpent, { steps: 0, ...more });
  return { ...spent, ...addSpending(state, more), spending, newestStep: undefined };
}
