/* Folds the routing of models, and the decisions of the user when one fails. */

import type { SessionEventBody } from '../events.ts';
import type { SessionState } from '../state.ts';

export function foldRouting(
  state: SessionState,
  event: SessionEventBody<'model.routed' | 'model.asked' | 'model.decided'>,
): SessionState {
  switch (event.type) {
    case 'model.routed': {
      const { turnId, model, by, reason } = event;
      return { ...state, routed: { turnId, model, by, reason } };
    }
    case 'model.asked': {
      const { activity } = state;
      if (activity.status === 'resting') return state;
      const { turnId, since } = activity;
      return { ...state, activity: { status: 'choosing', turnId, since, failure: event.failure } };
    }
    case 'model.decided': {
      const { activity } = state;
      if (activity.status !== 'choosing') return state;
      const { turnId, since } = activity;
      return { ...state, activity: { status: 'working', turnId, since } };
    }
  }
}
