import type { ReviewedFile, ShelvedFile } from '../changes.ts';
import type { CommentThread } from '../comments.ts';
import type { SessionEventBody } from '../events.ts';
import type { RewindTarget } from '../intentions.ts';
import { iterate, mapPagedList, takeBefore } from '../pagedList.ts';
import {
  type CallItem,
  type Chapter,
  countsAsCall,
  type Item,
  type Rewound,
  type SessionState,
} from '../state.ts';
import type { RestoredFile } from '../values.ts';
import { addFileCounts, filesChangedByCall, filesNotUndone } from './fileCounts.ts';

export function changeReview(
  reviews: readonly ReviewedFile[],
  path: string,
  review: ReviewedFile | undefined,
): readonly ReviewedFile[] {
  const at = reviews.findIndex(known => known.path === path);
  if (!review) return at < 0 ? reviews : reviews.toSpliced(at, 1);
  return at < 0 ? [...reviews, review] : reviews.with(at, review);
}

export function changeShelved(
  shelved: readonly ShelvedFile[],
  { path, reviews }: ShelvedFile,
): readonly ShelvedFile[] {
  const others = shelved.filter(known => known.path !== path);
  return reviews.length === 0 ? others : [...others, { path, reviews }];
}

export function changeComment(
  comments: readonly CommentThread[],
  { id, thread }: SessionEventBody<'comment.changed'>,
): readonly CommentThread[] {
  const at = comments.findIndex(known => known.id === id);
  if (!thread) return at < 0 ? comments : comments.toSpliced(at, 1);
  return at < 0 ? [...comments, thread] : comments.with(at, thread);
}

/** Removes the rewound items and keeps them for undoing. Spent tokens stay counted. */
export function foldRewind(state: SessionState, event: SessionEventBody<'session.rewound'>): SessionState {
  const { rewindId, scope, files, to, keptMessages } = event;
  const { chapters, contextTokens, todos, compressions, plan, comments } = state;
  const before = { chapters, contextTokens, todos, compressions, plan, comments };
  const rewound = { rewindId, to, scope, files, ...before };
  if (scope === 'files') return { ...state, rewound, chapters: markUndone(chapters, to, files) };
  return {
    ...state,
    rewound,
    chapters: chaptersBefore(chapters, to),
    todos: event.todos,
    plan: event.plan,
    // The agent's own session would remember what was rewound.
    driver: state.driver && { ...state.driver, session: undefined },
    // The rewound agent has not read these comments.
    comments: comments.map(each => (each.status === 'sent' ? { ...each, status: 'open' } : each)),
    contextTokens: 0,
    compression: undefined,
    compressions: compressions.filter(({ plan }) => plan.keptFrom <= keptMessages),
  };
}

function chaptersBefore(chapters: readonly Chapter[], to: RewindTarget): readonly Chapter[] {
  const isPoint = (item: Item) => to.kind === 'turn' && item.type === 'prompt' && item.id === to.turnId;
  const at = chapters.findIndex(chapter =>
    to.kind === 'chapter'
      ? chapter.id === to.chapterId
      : takeBefore(chapter.items, isPoint) !== chapter.items,
  );
  if (at < 0) return chapters;
  const kept = chapters.slice(0, at);
  // The untitled first chapter stays, since a session needs a chapter.
  if (to.kind === 'chapter') return kept.length > 0 ? kept : chapters.slice(0, 1);
  const cut = chapters[at]!;
  return [...kept, { ...cut, ...withCounts(takeBefore(cut.items, isPoint)), status: 'done' }];
}

/** Counts the remaining items and changes of a chapter. */
function withCounts(items: Chapter['items']): Pick<Chapter, 'items' | 'calls' | 'files' | 'undone'> {
  const calls = [...iterate(items)].filter(item => item.type === 'call');
  const all = [...everyCall(items)];
  const undone = new Set(all.flatMap(call => call.undone ?? [])).size;
  const files = all.flatMap(filesNotUndone).reduce(addFileCounts, []);
  return { items, calls: calls.filter(countsAsCall).length, files, undone: undone || undefined };
}

/** Yields all calls, including those of subagents. */
function* everyCall(items: Chapter['items']): Generator<CallItem> {
  for (const item of iterate(items)) {
    if (item.type !== 'call') continue;
    yield item;
    for (const chapter of item.agent?.session.chapters ?? []) yield* everyCall(chapter.items);
  }
}

/** Marks the undone changes of calls that stay when only files are rewound. */
function markUndone(
  chapters: readonly Chapter[],
  to: RewindTarget,
  files: readonly RestoredFile[],
): readonly Chapter[] {
  const left = new Set(files.flatMap(({ path, result }) => (stays(result) ? [path] : [])));
  let isBehind = false;
  return chapters.map(chapter => {
    isBehind ||= to.kind === 'chapter' && chapter.id === to.chapterId;
    const items = mapPagedList(chapter.items, item => {
      isBehind ||= to.kind === 'turn' && item.type === 'prompt' && item.id === to.turnId;
      const isMeant = isBehind || (to.kind === 'call' && item.id === to.callId);
      return isMeant && item.type === 'call' ? markCall(item, left) : item;
    });
    return items === chapter.items ? chapter : { ...chapter, ...withCounts(items) };
  });
}

function stays(result: RestoredFile['result']): boolean {
  return result === 'conflict' || result === 'lost';
}

/** @param left paths of files that the rewind did not change */
function markCall(call: CallItem, left: ReadonlySet<string>): CallItem {
  const agent = call.agent && markAgent(call.agent, left);
  const changed = call.status.kind === 'ended' ? filesChangedByCall(call.status) : [];
  const gone = changed.flatMap(({ path }) => (left.has(path) ? [] : [path]));
  if (gone.length === 0 && agent === call.agent) return call;
  const undone = [...new Set([...(call.undone ?? []), ...gone])];
  return { ...call, agent, undone: undone.length > 0 ? undone : undefined };
}

function markAgent(agent: NonNullable<CallItem['agent']>, left: ReadonlySet<string>): CallItem['agent'] {
  const { chapters } = agent.session;
  const marked = chapters.map(chapter => {
    const items = mapPagedList(chapter.items, item => (item.type === 'call' ? markCall(item, left) : item));
    return items === chapter.items ? chapter : { ...chapter, ...withCounts(items) };
  });
  if (marked.every((chapter, index) => chapter === chapters[index])) return agent;
  return { ...agent, session: { ...agent.session, chapters: marked } };
}

export function foldUndoneRewind(state: SessionState, rewindId: string): SessionState {
  const { rewound } = state;
  if (rewound?.rewindId !== rewindId) return state;
  const { chapters, contextTokens, todos, compressions, plan } = rewound;
  const comments = state.comments.map(thread => restoreComment(thread, rewound));
  return { ...state, rewound: undefined, chapters, contextTokens, todos, compressions, plan, comments };
}

/** Marks a comment as sent again, unless the user has changed the thread since. */
function restoreComment(thread: CommentThread, { comments, scope }: Rewound): CommentThread {
  const before = comments.find(({ id }) => id === thread.id);
  if (!before) return thread;
  // The files are restored, and the lines of the comment with them.
  const place = scope === 'conversation' ? thread.place : before.place;
  const isUnchanged =
    thread.status === 'open' && JSON.stringify(thread.remarks) === JSON.stringify(before.remarks);
  return { ...thread, place, status: isUnchanged ? before.status : thread.status };
}
