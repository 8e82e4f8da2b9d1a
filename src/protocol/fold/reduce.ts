/*
 * The only writer of a session's state. Pure. The cost of an event does not grow with the session, except for a
 * change to an old call, which is searched from the end.
 */

import type { SessionEvent, SessionEventBody } from '../events.ts';
import { append, emptyPagedList, lastItem, patchNewest, trimEnd } from '../pagedList.ts';
import {
  type CallItem,
  type CallStatus,
  type Chapter,
  countsAsCall,
  type Item,
  newestChapter,
  noUsage,
  type SessionState,
} from '../state.ts';
import type { FileCounts } from '../values.ts';
import { choicesOf } from '../words/choices.ts';
import { activeMsAt, countWaitingTime, endWait } from './activity.ts';
import { addedFileCounts, addFileCounts, filesChangedByCall } from './fileCounts.ts';
import { newestOutput } from './liveOutput.ts';
import { changeComment, changeReview, changeShelved, foldRewind, foldUndoneRewind } from './reduceChanges.ts';
import { foldCompression } from './reduceCompression.ts';
import { foldControl, queueAfterTurn, titleFromPrompt } from './reduceControl.ts';
import { foldPlace } from './reducePlace.ts';
import { foldRouting } from './reduceRouting.ts';
import { addSpending, countStep, settleSpending, spendingOf, startStep, totalTokens } from './spending.ts';

/** Folds an event. Events that were already folded, and unknown types, change at most `seq`. */
export function reduce(state: SessionState, event: SessionEvent): SessionState {
  if (event.seq <= state.seq) return state;
  const at = event.type === 'turn.ended' ? (event.lastActiveAt ?? event.at) : event.at;
  return { ...countWaitingTime(state, applyEvent(state, event), at), seq: event.seq };
}

function applyEvent(state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case 'session.started': {
      const { sessionId, folders, model, mode } = event;
      const chapters = state.chapters.map(chapter => ({ ...chapter, startedAt: event.at }));
      return { ...state, sessionId, folders, model, mode, chapters };
    }
    case 'session.resumed':
      return { ...state, activity: { status: 'resting' } };
    case 'mode.changed':
      return { ...state, mode: event.mode };
    case 'model.changed':
      return { ...state, model: event.model };
    case 'model.routed':
    case 'model.asked':
    case 'model.decided':
      return foldRouting(state, event);
    case 'agent.chosen':
    case 'agent.offered':
    case 'session.moved':
    case 'worktree.based':
    case 'worktree.settled':
    case 'file.written':
      return { ...state, ...foldPlace(state, event) };
    case 'session.renamed':
      return { ...state, title: event.title };
    case 'turn.started':
      return startTurn(state, event, event.at);
    case 'turn.retried':
      return retryTurn(state, event.turnId, event.at);
    case 'turn.ended':
      return endTurn(state, event, event.at);
    case 'chapter.started':
      return startChapter(state, event, event.at);
    case 'chapter.renamed':
      return renameChapter(state, event.chapterId, event.title);
    case 'mentions.read':
      return addMentions(state, event);
    case 'step.started':
      return startStep(endWait(state), event);
    case 'step.retried':
      return retryStep(state, event);
    case 'step.ended':
      return endStep(state, event);
    case 'side.asked':
      return { ...state, ...addSpending(state, event) };
    case 'text.appended':
      return appendText(endWait(state), 'text', event.stepId, event.text, event.seq);
    case 'thought.appended':
      return appendText(endWait(state), 'thought', event.stepId, event.text, event.seq);
    case 'call.requested': {
      const { callId: id, stepId, tool, effect, title, said, args } = event;
      const status = { kind: 'validating' } as const;
      const item: CallItem = { type: 'call', id, stepId, tool, effect, title, said, args, status };
      const counted = countsAsCall(item) ? 1 : 0;
      return changeNewest(state, chapter => ({ ...addItem(chapter, item), calls: chapter.calls + counted }));
    }
    case 'call.judged':
      return patchCall(state, event.callId, call => ({ ...call, judged: event.judged }));
    case 'call.asked': {
      const asking = patchCall(state, event.callId, call => ({
        ...withStatus(call, { kind: 'asking', ask: event.ask }),
        askedAtWork: call.status.kind === 'running' || call.askedAtWork,
        work: call.status.kind === 'running' ? call.status : call.work,
      }));
      const { activity } = state;
      if (activity.status === 'resting') return asking;
      const { turnId, since } = activity;
      return { ...asking, activity: { status: 'waiting', turnId, since, callId: event.callId } };
    }
    case 'call.decided': {
      const { decision, choice, reason } = event;
      const decided = patchCall(state, event.callId, call => ({
        ...withStatus(call, { kind: 'scheduled' }),
        decided: { decision, reason, lasting: findLasting(call, choice) },
      }));
      return endWait(decided);
    }
    case 'call.started': {
      const started = patchCall(state, event.callId, call =>
        withStatus(
          { ...call, work: undefined },
          call.work ?? {
            kind: 'running',
            startedAt: event.at,
            output: '',
            canRestart: event.canRestart,
          },
        ),
      );
      const { activity } = state;
      // The ask that the running call had made was withdrawn.
      const hasAsked = activity.status === 'waiting' && activity.callId === event.callId;
      return hasAsked ? endWait(started) : started;
    }
    case 'call.output':
      return patchCall(state, event.callId, call =>
        call.status.kind === 'running'
          ? withStatus(call, { ...call.status, output: newestOutput(call.status.output + event.text) })
          : call.work
            ? { ...call, work: { ...call.work, output: newestOutput(call.work.output + event.text) } }
            : call,
      );
    case 'call.waited': {
      const { waits, startedBy } = event;
      return patchCall(state, event.callId, call =>
        call.status.kind === 'running' || call.status.kind === 'ended'
          ? withStatus(call, { ...call.status, waits, startedBy })
          : call,
      );
    }
    case 'call.ended':
      return endCall(state, event);
    case 'call.changed':
      return changeCall(state, event);
    case 'todos.changed':
      return { ...state, todos: event.todos };
    case 'review.changed':
      return { ...state, reviews: changeReview(state.reviews, event.path, event.review) };
    case 'review.putAside':
      return { ...state, shelved: changeShelved(state.shelved, event) };
    case 'comment.changed':
      return { ...state, comments: changeComment(state.comments, event) };
    case 'session.rewound':
      return foldRewind(state, event);
    case 'rewind.undone':
      return foldUndoneRewind(state, event.rewindId);
    case 'compression.started':
    case 'compression.proposed':
    case 'compression.applied':
    case 'compression.ended':
    case 'compression.undone':
    case 'pin.changed':
      return foldCompression(state, event);
    case 'prompt.queued':
    case 'prompt.changed':
    case 'prompt.unqueued':
    case 'hook.started':
    case 'hook.ended':
    case 'plan.written':
    case 'plan.decided':
    case 'program.changed':
      return foldControl(state, event);
    case 'message.added':
    case 'checkpoint.taken':
    case 'file.seen':
      return state;
    case 'notice.shown': {
      const item: Item = { type: 'notice', id: `n${event.seq}`, level: event.level, text: event.text };
      return changeNewest(state, chapter => addItem(chapter, item));
    }
  }
  return state;
}

function startTurn(state: SessionState, event: SessionEventBody<'turn.started'>, at: number): SessionState {
  const { turnId: id, text, attachments } = event;
  const started = changeNewest(state, chapter => ({
    ...addItem(chapter, { type: 'prompt', id, text, attachments, at }),
    status: 'live',
    endedAt: undefined,
  }));
  return {
    ...started,
    title: state.title || titleFromPrompt(text),
    rewound: undefined,
    queue: state.queue.filter(waiting => waiting.id !== event.queuedAs),
    activity: { status: 'working', turnId: id, since: at },
  };
}

/** Removes the line about the end of the turn, and what a failed answer left. */
function retryTurn(state: SessionState, turnId: string, at: number): SessionState {
  const last = lastItem(newestChapter(state).items);
  const failed = last?.type === 'end' && last.end.kind === 'failed';
  const isVoid = (item: Item) =>
    item.type === 'end' || (failed && (item.type === 'text' || item.type === 'thought'));
  const reopened = changeNewest(state, chapter => ({
    ...chapter,
    items: trimEnd(chapter.items, isVoid),
    status: 'live',
    endedAt: undefined,
  }));
  return { ...reopened, rewound: undefined, activity: { status: 'working', turnId, since: at } };
}

function endTurn(state: SessionState, event: SessionEventBody<'turn.ended'>, at: number): SessionState {
  const { turnId, end, lastActiveAt: endedAt = at } = event;
  const ended = changeNewest(settleSpending(state), chapter => ({
    ...(end.kind === 'rested' ? chapter : addItem(chapter, { type: 'end', id: `${turnId}-end`, end })),
    status: 'done',
    endedAt,
    activeMs: activeMsAt(state, chapter, endedAt),
  }));
  return { ...ended, queue: queueAfterTurn(state.queue), activity: { status: 'resting' } };
}

function startChapter(
  state: SessionState,
  event: SessionEventBody<'chapter.started'>,
  at: number,
): SessionState {
  const live = newestChapter(state);
  const { startedAt = at, spent: [before, own] = [live, { usage: noUsage }] } = state.newestStep ?? {};
  const previous: Chapter = {
    ...live,
    ...spendingOf(before),
    status: 'done',
    endedAt: startedAt,
    activeMs: activeMsAt(state, live, startedAt),
    summary: event.previousSummary ?? live.summary,
  };
  const next: Chapter = {
    id: event.chapterId,
    number: previous.number + 1,
    title: event.title,
    status: 'live',
    startedAt,
    items: emptyPagedList,
    files: [],
    calls: 0,
    ...own,
    activeMs: 0,
  };
  return { ...state, newestStep: undefined, chapters: [...state.chapters.slice(0, -1), previous, next] };
}

function renameChapter(state: SessionState, chapterId: string, title: string): SessionState {
  const at = state.chapters.findIndex(({ id }) => id === chapterId);
  const chapter = state.chapters[at];
  return chapter ? { ...state, chapters: state.chapters.with(at, { ...chapter, title }) } : state;
}

function addMentions(
  state: SessionState,
  { turnId, mentions }: SessionEventBody<'mentions.read'>,
): SessionState {
  return changeNewest(state, chapter => ({
    ...chapter,
    items: patchNewest(chapter.items, item =>
      item.type === 'prompt' && item.id === turnId ? { ...item, mentions } : undefined,
    ),
  }));
}

/** Removes text and thoughts of the partial answer, which are always the last items. */
function retryStep(state: SessionState, event: SessionEvent<'step.retried'>): SessionState {
  const isVoid = (item: Item) =>
    (item.type === 'text' || item.type === 'thought') && item.stepId === event.stepId;
  const { model = state.answering } = event;
  const trimmed = {
    ...changeNewest(state, chapter => ({ ...chapter, items: trimEnd(chapter.items, isVoid) })),
    answering: model,
  };
  if (state.activity.status === 'resting') return trimmed;
  const { turnId, since } = state.activity;
  const { reason, attempt, maxAttempts } = event;
  const until = event.at + event.delayMs;
  return { ...trimmed, activity: { status: 'retrying', turnId, since, reason, attempt, maxAttempts, until } };
}

function endStep(before: SessionState, event: SessionEvent<'step.ended'>): SessionState {
  const { usage, cost, saved, cacheLoss } = event;
  const state = { ...before, spending: countStep(before, event) };
  if (!usage) return state;
  const spent = { usage, cost, saved };
  const ended = changeNewest(state, chapter => ({ ...chapter, ...addSpending(chapter, spent) }));
  const { count } = state.cacheLosses ?? { count: 0 };
  const { startedAt = event.at } = state.newestStep ?? {};
  return {
    ...ended,
    newestStep: { startedAt, spent: [spendingOf(newestChapter(state)), spent] },
    ...addSpending(state, spent),
    cacheLosses: cacheLoss ? { count: count + 1, newest: { ...cacheLoss, at: event.at } } : state.cacheLosses,
    contextTokens: totalTokens(usage),
  };
}

/** Finds the lasting permission that was chosen. Journals without a choice have no list. */
function findLasting({ status }: CallItem, choice: string | undefined) {
  if (choice === undefined || status.kind !== 'asking') return undefined;
  return choicesOf(status.ask).find(({ id, scope }) => id === choice && scope !== 'once');
}

function endCall(state: SessionState, event: SessionEventBody<'call.ended'>): SessionState {
  const { callId, outcome, display, durationMs } = event;
  const { activity } = state;
  // A subagent's call may wait for the user while another call ends.
  const isElsewhere = activity.status === 'waiting' && activity.callId !== callId;
  const patched = patchCall(state, callId, ({ work: _work, ...call }) => {
    const ended: CallStatus = { kind: 'ended', outcome, display, durationMs };
    const { status } = call;
    // The result went to the model while the command still waits for input.
    if (outcome !== 'ok' || status.kind !== 'running' || !status.waits) return withStatus(call, ended);
    return withStatus(call, { ...ended, waits: true, startedBy: status.startedBy });
  });
  const ended = isElsewhere ? patched : endWait(patched);
  const files = filesChangedByCall(event);
  if (files.length === 0) return ended;
  return changeNewest(ended, chapter => ({ ...chapter, files: files.reduce(addFileCounts, chapter.files) }));
}

/** Counts the files in the chapter of the call, which may have ended. */
function changeCall(state: SessionState, { callId, touched }: SessionEvent<'call.changed'>): SessionState {
  let before: readonly FileCounts[] = [];
  const patched = patchCall(state, callId, call => {
    if (call.status.kind !== 'ended') return call;
    before = filesChangedByCall(call.status);
    const { undone: _undone, ...written } = call;
    return withStatus(written, { ...call.status, display: { ...call.status.display, touched } });
  });
  const at = patched.chapters.findIndex((chapter, index) => chapter !== state.chapters[index]);
  if (at < 0) return state;
  const chapter = patched.chapters[at]!;
  const files = addedFileCounts(before, touched).reduce(addFileCounts, chapter.files);
  return { ...patched, chapters: patched.chapters.with(at, { ...chapter, files }) };
}

function appendText(
  state: SessionState,
  type: 'text' | 'thought',
  stepId: string,
  text: string,
  seq: number,
): SessionState {
  return changeNewest(state, chapter => {
    const last = lastItem(chapter.items);
    if (last?.type === type && last.stepId === stepId) {
      const grown = { ...last, text: last.text + text };
      return { ...chapter, items: patchNewest(chapter.items, item => (item === last ? grown : undefined)) };
    }
    return addItem(chapter, { type, id: `${type}${seq}`, stepId, text });
  });
}

export function changeNewest(state: SessionState, change: (chapter: Chapter) => Chapter): SessionState {
  const last = state.chapters.length - 1;
  return { ...state, chapters: state.chapters.with(last, change(state.chapters[last]!)) };
}

/** Changes a call. Searches the newest chapter first, since live calls are there. */
export function patchCall(
  state: SessionState,
  callId: string,
  change: (call: CallItem) => CallItem,
): SessionState {
  for (let c = state.chapters.length - 1; c >= 0; c--) {
    const chapter = state.chapters[c]!;
    const items = patchNewest(chapter.items, item =>
      item.type === 'call' && item.id === callId ? change(item) : undefined,
    );
    if (items !== chapter.items) return { ...state, chapters: state.chapters.with(c, { ...chapter, items }) };
  }
  return state;
}

function addItem(chapter: Chapter, item: Item): Chapter {
  return { ...chapter, items: append(chapter.items, item) };
}

function withStatus(call: CallItem, status: CallStatus): CallItem {
  return { ...call, status };
}
