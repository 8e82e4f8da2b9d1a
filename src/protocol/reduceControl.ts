/* The part of the fold that is about waiting prompts, hooks and plans. */

import type { PlanDecided, PlanWritten } from './events.ts';
import type { HookEnded, HookStarted } from './hooks.ts';
import { append, patchNewest } from './pages.ts';
import type { PromptChanged, PromptQueued, PromptUnqueued } from './queue.ts';
import type { HookItem, SessionState } from './state.ts';

type ControlEvent = (
  | PromptQueued
  | PromptChanged
  | PromptUnqueued
  | HookStarted
  | HookEnded
  | PlanWritten
  | PlanDecided
) & { readonly at: number };

export function foldControl(state: SessionState, event: ControlEvent): SessionState {
  switch (event.type) {
    case 'prompt.queued':
      return { ...state, queue: [...state.queue, event.prompt] };
    case 'prompt.changed':
      return {
        ...state,
        queue: state.queue.map(each => (each.id === event.prompt.id ? event.prompt : each)),
      };
    case 'prompt.unqueued':
      return { ...state, queue: state.queue.filter(({ id }) => id !== event.id) };
    case 'hook.started':
      return startHook(state, event);
    case 'hook.ended':
      return endHook(state, event);
    case 'plan.written':
      return { ...state, plan: { path: event.path, title: event.title } };
    case 'plan.decided':
      return state.plan?.path === event.path
        ? { ...state, plan: { ...state.plan, approved: event.approved } }
        : state;
  }
}

function startHook(state: SessionState, started: HookStarted & { readonly at: number }): SessionState {
  const { runId: id, event, name, callId, at } = started;
  const item: HookItem = {
    type: 'hook',
    id,
    event,
    name,
    callId,
    status: { kind: 'running', startedAt: at },
  };
  const last = state.chapters.length - 1;
  const chapter = state.chapters[last]!;
  return {
    ...state,
    chapters: state.chapters.with(last, { ...chapter, items: append(chapter.items, item) }),
  };
}

/** A chapter may have begun meanwhile: the hook is looked for from the end. */
function endHook(
  state: SessionState,
  { runId, outcome, summary, output, durationMs }: HookEnded,
): SessionState {
  const status: HookItem['status'] = { kind: 'ended', outcome, summary, output, durationMs };
  for (let at = state.chapters.length - 1; at >= 0; at--) {
    const chapter = state.chapters[at]!;
    const items = patchNewest(chapter.items, item =>
      item.type === 'hook' && item.id === runId ? { ...item, status } : undefined,
    );
    if (items !== chapter.items)
      return { ...state, chapters: state.chapters.with(at, { ...chapter, items }) };
  }
  return state;
}
