/*
 * What the page gets of facts that hold more than it shows. A compression keeps whole messages, with their media, for
 * the requests to come; the page shows the summary and what became of each chapter.
 */

import type { CompressionPlan } from '../../../protocol/compression.ts';
import type { SessionEvent } from '../../../protocol/events.ts';
import type { Compression, SessionState } from '../../../protocol/state.ts';

export function eventForPage(event: SessionEvent): SessionEvent {
  const isPlan = event.type === 'compression.proposed' || event.type === 'compression.applied';
  return isPlan ? { ...event, plan: withoutMessages(event.plan) } : event;
}

export function stateForPage(state: SessionState): SessionState {
  const { compression: open, compressions, rewound } = state;
  return {
    ...state,
    ...(open?.status === 'proposed' && { compression: { ...open, plan: withoutMessages(open.plan) } }),
    compressions: compressions.map(inForce),
    ...(rewound && { rewound: { ...rewound, compressions: rewound.compressions.map(inForce) } }),
  };
}

function inForce(compression: Compression): Compression {
  return { ...compression, plan: withoutMessages(compression.plan) };
}

function withoutMessages(plan: CompressionPlan): CompressionPlan {
  return { ...plan, replacement: [], cut: [] };
}
