/* Events that close an interrupted conversation: everything open ends, then its turn. */

import type { SessionEventBody, TurnEnd } from '../../../protocol/events.ts';
import { t } from '../../../protocol/language.ts';
import { iterate } from '../../../protocol/pagedList.ts';
import type { AgentRun, Item, SessionState } from '../../../protocol/state.ts';
import { callEndEvent, type Interruption } from './rebuiltResult.ts';

/** An interrupted subagent, with the events that end its work. */
export interface ClosedAgent {
  readonly callId: string;
  readonly agent: AgentRun;
  readonly events: readonly SessionEventBody[];
}

/**
 * Returns the events that end the open work of a session or a subagent; empty if it rests.
 * @param why the failure, if an error ended it; absent: it was interrupted
 */
export function workClosingEvents(
  session: SessionState,
  cut: Interruption,
  why?: string,
): readonly SessionEventBody[] {
  const { lastActiveAt } = cut;
  const { activity } = session;
  if (activity.status === 'resting') return [];
  const end: TurnEnd =
    why === undefined ? { kind: 'stopped' } : { kind: 'failed', trouble: { kind: 'bug', message: why } };
  return [
    ...closeCalls(session, cut),
    ...hookClosingEvents(session),
    ...compressionClosingEvents(session),
    { type: 'turn.ended', turnId: activity.turnId, end, lastActiveAt },
  ];
}

function closeCalls(state: SessionState, cut: Interruption): readonly SessionEventBody[] {
  const calls = itemsOf(state).filter(item => item.type === 'call');
  return calls.filter(({ status }) => status.kind !== 'ended').map(call => callEndEvent(call, cut));
}

/** Returns the events that end running hooks, which do not outlive the host that ran them. */
export function hookClosingEvents(state: SessionState): readonly SessionEventBody[] {
  const open = itemsOf(state).filter(item => item.type === 'hook' && item.status.kind === 'running');
  const summary = t('Interrupted: Folio was closed.');
  return open.map(({ id: runId }) => {
    return { type: 'hook.ended', runId, outcome: 'failed', summary, output: '', durationMs: 0 };
  });
}

export function compressionClosingEvents({ compression }: SessionState): readonly SessionEventBody[] {
  if (compression?.status !== 'running') return [];
  return [{ type: 'compression.ended', compressionId: compression.id, end: { kind: 'stopped' } }];
}

export function itemsOf(state: SessionState): readonly Item[] {
  return state.chapters.flatMap(chapter => [...iterate(chapter.items)]);
}
