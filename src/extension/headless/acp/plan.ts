import type { Plan, PlanEntry } from '@agentclientprotocol/sdk';
import type { Chapter, SessionState } from '../../../protocol/state.ts';
import type { Todo } from '../../../protocol/values.ts';

/** Maximum number of chapters in the plan, because clients show the whole list. */
const maxChapters = 30;

/**
 * The chapters as titled entries, followed by the model's open todos. `_meta` tells them apart, for clients that show
 * chapters themselves.
 */
export function toAcpPlan({ chapters, todos }: SessionState): Plan {
  const titled = chapters.filter(({ number }) => number > 0).slice(-maxChapters);
  return { entries: [...titled.map(chapterEntry), ...todos.flatMap(todoEntry)] };
}

function chapterEntry({ id, number, title, summary, status }: Chapter): PlanEntry {
  return {
    content: title,
    priority: 'medium',
    status: status === 'live' ? 'in_progress' : 'completed',
    _meta: { 'folio/chapter': { id, number, title, summary } },
  };
}

const statuses = {
  pending: 'pending',
  blocked: 'pending',
  in_progress: 'in_progress',
  completed: 'completed',
} as const;

/** The protocol has no status for cancelled entries. */
function todoEntry({ description, status }: Todo): readonly PlanEntry[] {
  if (status === 'cancelled') return [];
  return [
    {
      content: description,
      priority: 'medium',
      status: statuses[status],
      _meta: { 'folio/todo': { status } },
    },
  ];
}
