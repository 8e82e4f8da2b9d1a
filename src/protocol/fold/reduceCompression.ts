import type { CompressionPlan } from '../compression.ts';
import type { SessionEvent, SessionEventBody } from '../events.ts';
import { patchNewest } from '../pagedList.ts';
import type { Compression, Item, SessionState } from '../state.ts';
import { addLast } from './reduceControl.ts';

type CompressionEvent = SessionEvent<
  | 'compression.started'
  | 'compression.proposed'
  | 'compression.applied'
  | 'compression.ended'
  | 'compression.undone'
  | 'pin.changed'
>;

export function foldCompression(state: SessionState, event: CompressionEvent): SessionState {
  switch (event.type) {
    case 'compression.started': {
      const { compressionId: id, trigger, at: since } = event;
      return { ...state, compression: { status: 'running', id, trigger, since } };
    }
    case 'compression.proposed': {
      const { compressionId: id, plan } = event;
      const trigger = state.compression?.trigger ?? 'manual';
      return { ...state, compression: { status: 'proposed', id, trigger, plan } };
    }
    case 'compression.applied':
      return apply(state, event);
    case 'compression.ended': {
      const { compressionId, end, seq } = event;
      const ended = state.compression?.id === compressionId ? { ...state, compression: undefined } : state;
      if (end.kind !== 'failed') return ended;
      const remedy = end.nothingToDo ? undefined : 'compress';
      const notice: Item = { type: 'notice', id: `n${seq}`, level: 'warning', text: end.message, remedy };
      const isPaused = end.inflated === true && state.compression?.trigger === 'automatic';
      return { ...addLast(ended, notice), compressionPaused: state.compressionPaused || isPaused };
    }
    case 'compression.undone':
      return undo(state, event.compressionId);
    case 'pin.changed': {
      const others = state.pins.filter(id => id !== event.id);
      return { ...state, pins: event.pinned ? [...others, event.id] : others };
    }
  }
}

function apply(state: SessionState, event: SessionEventBody<'compression.applied'>): SessionState {
  const { compressionId: id, trigger, plan } = event;
  const known = state.compressions.find(each => each.id === id);
  const { tokens, parts } = plan;
  const chapters = parts.filter(
    ({ chapterId, summarised }) => summarised > 0 && chapterId !== 'opening',
  ).length;
  const item: Item = { type: 'compression', id, trigger, chapters, tokens };
  if (known)
    return amend(
      patchItem(state, id, () => item),
      known,
      plan,
    );
  return {
    ...addLast(state, item),
    compression: undefined,
    compressionPaused: false,
    compressions: [...state.compressions, { id, trigger, plan }],
    contextTokens: tokens.after,
  };
}

/** Replaces the plan of an applied compression whose summary the user edited. */
function amend(state: SessionState, known: Compression, plan: CompressionPlan): SessionState {
  return {
    ...state,
    compressions: state.compressions.map(each => (each === known ? { ...each, plan } : each)),
    contextTokens: Math.max(0, state.contextTokens + plan.tokens.after - known.plan.tokens.after),
  };
}

function undo(state: SessionState, id: string): SessionState {
  const undone = state.compressions.find(each => each.id === id);
  if (!undone) return state;
  const shown = patchItem(state, id, item => ({ ...item, undone: true }));
  const { before, after } = undone.plan.tokens;
  return {
    ...shown,
    compressions: state.compressions.filter(each => each !== undone),
    contextTokens: state.contextTokens + before - after,
    // Otherwise the next request would compress again.
    compressionPaused: state.compressionPaused || undone.trigger === 'automatic',
  };
}

type CompressionItem = Extract<Item, { type: 'compression' }>;

function patchItem(state: SessionState, id: string, change: (item: CompressionItem) => Item): SessionState {
  const chapters = state.chapters.map(chapter => {
    const items = patchNewest(chapter.items, item =>
      item.type === 'compression' && item.id === id ? change(item) : undefined,
    );
    return items === chapter.items ? chapter : { ...chapter, items };
  });
  return { ...state, chapters };
}
