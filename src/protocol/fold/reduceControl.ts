import type {
  ListedProgram,
  ProgramStatus,
  QueuedPrompt,
  SessionEvent,
  SessionEventBody,
} from '../events.ts';
import { append, patchNewest } from '../pagedList.ts';
import type { HookItem, Item, SessionState } from '../state.ts';
import type { NewestPlan } from '../values.ts';
import { headOf } from '../words/cutText.ts';

type ControlEvent = SessionEvent<
  | 'prompt.queued'
  | 'prompt.changed'
  | 'prompt.unqueued'
  | 'hook.started'
  | 'hook.ended'
  | 'plan.written'
  | 'plan.decided'
  | 'program.changed'
>;

export function foldControl(state: SessionState, event: ControlEvent): SessionState {
  switch (event.type) {
    case 'prompt.queued':
      return {
        ...state,
        title: state.title || titleFromPrompt(event.prompt.text),
        queue: [...state.queue, event.prompt],
      };
    case 'prompt.changed':
      return {
        ...state,
        queue: state.queue.map(each => (each.id === event.prompt.id ? event.prompt : each)),
      };
    case 'prompt.unqueued':
      return unqueue(state, event, event.at);
    case 'hook.started':
      return startHook(state, event);
    case 'hook.ended':
      return endHook(state, event);
    case 'plan.written':
    case 'plan.decided':
      return { ...state, plan: foldPlan(state.plan, event) };
    case 'program.changed':
      return { ...state, programs: changeProgram(state.programs, event.callId, event.program) };
  }
}

/** Returns the title of a session that has no name yet. */
export function titleFromPrompt(prompt: string): string {
  const line = prompt.trim().split('\n', 1)[0] ?? '';
  return line.length > 80 ? `${headOf(line, 79)}…` : line;
}

function foldPlan(
  plan: NewestPlan | undefined,
  event: SessionEventBody<'plan.written' | 'plan.decided'>,
): NewestPlan | undefined {
  if (event.type === 'plan.written') return { path: event.path, title: event.title };
  return plan?.path === event.path ? { ...plan, approved: event.approved } : plan;
}

/** Updates the list of programs. Without `program` the entry is removed. */
function changeProgram(
  programs: readonly ListedProgram[] = [],
  id: string,
  changed: ProgramStatus | undefined,
): readonly ListedProgram[] {
  if (!changed) return programs.filter(each => each.id !== id);
  const at = programs.findIndex(each => each.id === id);
  const listed = { ...changed, id };
  return at < 0 ? [...programs, listed] : programs.with(at, listed);
}

/** Returns the queue after a turn: unread steering prompts now start turns of their own, in order. */
export function queueAfterTurn(queue: readonly QueuedPrompt[]): readonly QueuedPrompt[] {
  return queue.some(({ when }) => when === 'steer') ? queue.map(each => ({ ...each, when: 'next' })) : queue;
}

/** Removes a prompt from the queue. One that steered the turn goes into the transcript. */
function unqueue(
  state: SessionState,
  { id, because }: SessionEventBody<'prompt.unqueued'>,
  at: number,
): SessionState {
  const prompt = state.queue.find(each => each.id === id);
  const queue = state.queue.filter(each => each !== prompt);
  if (!prompt || because !== 'steered') return { ...state, queue };
  const { text, attachments } = prompt;
  return { ...addLast(state, { type: 'prompt', id, text, attachments, steered: true, at }), queue };
}

function startHook(state: SessionState, started: SessionEvent<'hook.started'>): SessionState {
  const { runId: id, event, name, callId, at } = started;
  const item: HookItem = {
    type: 'hook',
    id,
    event,
    name,
    callId,
    status: { kind: 'running', startedAt: at },
  };
  return addLast(state, item);
}

export function addLast(state: SessionState, item: Item): SessionState {
  const last = state.chapters.length - 1;
  const chapter = state.chapters[last]!;
  return {
    ...state,
    chapters: state.chapters.with(last, { ...chapter, items: append(chapter.items, item) }),
  };
}

/** Records the end of a hook. Searches from the end, since a chapter may have begun meanwhile. */
function endHook(
  state: SessionState,
  { runId, outcome, summary, output, durationMs }: SessionEventBody<'hook.ended'>,
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
