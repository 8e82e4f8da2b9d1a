/* The part of the fold that is about subagents: each has a session of its own, inside of the call that sent it out. */

import { resumeWork } from './activity.ts';
import type { AgentEvent } from './agents.ts';
import type { SessionEvent, Usage } from './events.ts';
import { changedFiles, countFile } from './fileCounts.ts';
import { reduce } from './reduce.ts';
import { addCost, addSpent, addUsage, nothingSpent } from './reduceRouting.ts';
import { type AgentRun, type CallItem, emptySession, type SessionState } from './state.ts';

/** @param patch changes a call of the session; see `reduce` */
export function foldAgent(
  state: SessionState,
  told: AgentEvent & Pick<SessionEvent, 'seq' | 'at'>,
  patch: (state: SessionState, callId: string, change: (call: CallItem) => CallItem) => SessionState,
): SessionState {
  const { callId, agent: name, event, seq, at } = told;
  const folded = patch(state, callId, call => ({
    ...call,
    agent: grow(call.agent, name, { ...event, seq, at }),
  }));
  switch (event.type) {
    case 'call.asked':
      return waitFor(folded, event.callId);
    case 'call.decided':
    case 'call.started':
      return resumeAfter(folded, event.callId);
    case 'call.ended': {
      const resumed = resumeAfter(folded, event.callId);
      const files = changedFiles(event);
      if (files.length === 0) return resumed;
      return inLive(resumed, chapter => ({ ...chapter, files: files.reduce(countFile, chapter.files) }));
    }
    case 'step.ended':
      return event.usage ? spend(folded, event.usage, event.cost) : folded;
    case 'side.asked': {
      const { usage, cost } = event;
      return { ...folded, usage: addUsage(folded.usage, usage), cost: addCost(folded.cost, cost) };
    }
    default:
      return folded;
  }
}

function grow(run: AgentRun | undefined, name: string, event: SessionEvent): AgentRun {
  return { name, session: reduce(run?.session ?? emptySession, event) };
}

/** What a subagent asks, the session asks. */
function waitFor(state: SessionState, callId: string): SessionState {
  const { activity } = state;
  if (activity.status === 'resting') return state;
  const { turnId, since } = activity;
  return { ...state, activity: { status: 'waiting', turnId, since, callId } };
}

/** Only if this call was the one that was asked about, and no other asks. */
function resumeAfter(state: SessionState, callId: string): SessionState {
  const { activity } = state;
  return activity.status === 'waiting' && activity.callId === callId ? resumeWork(state) : state;
}

function spend(state: SessionState, usage: Usage, cost: number | undefined): SessionState {
  const spent = inLive(state, chapter => ({
    ...chapter,
    usage: addUsage(chapter.usage, usage),
    cost: addCost(chapter.cost, cost),
  }));
  // Its steps are none of the turn's own, what they took is.
  const spending = addSpent(state.spending ?? nothingSpent, {
    steps: 0,
    usage,
    ...(cost !== undefined && { cost }),
  });
  return { ...spent, usage: addUsage(state.usage, usage), cost: addCost(state.cost, cost), spending };
}

function inLive(
  state: SessionState,
  change: (chapter: SessionState['chapters'][number]) => SessionState['chapters'][number],
): SessionState {
  const last = state.chapters.length - 1;
  return { ...state, chapters: state.chapters.with(last, change(state.chapters[last]!)) };
}
