/*
 * Whether an event holds what its folds look into. A bit that fell over on the disk may have changed a name or a word in
 * it, and a fold that stumbles would take the whole session along. Members that earlier versions did not write, and
 * those that are only shown, are not asked for.
 */

import type { SessionEvent } from '../../../protocol/events.ts';
import { isRecord } from '../../base/record.ts';

type Need = (value: unknown) => boolean;
type Needs = Readonly<Record<string, Need>>;
/** The same as a list, which a journal of many thousand lines is looked through with faster. */
type NeedList = readonly (readonly [name: string, need: Need])[];

export function hasShape(event: SessionEvent): boolean {
  const needs = lists.get(event.type);
  return needs === undefined || meets(event, needs);
}

const text: Need = value => typeof value === 'string';
const number: Need = value => typeof value === 'number' && Number.isFinite(value);
const flag: Need = value => typeof value === 'boolean';
const record: Need = isRecord;
const mode = oneOf('default', 'autoEdit', 'plan', 'yolo');
const blob: Need = value => value === null || typeof value === 'string';

const usage = within({ prompt: number, cached: number, output: number, thoughts: number });
const attachments = listOf(within({ kind: text }));
const prompt = within({ id: text, text, attachments, when: oneOf('steer', 'next') });
const todos = listOf(within({ description: text, status: text }));
const hunk = within({ id: number, status: oneOf('pending', 'rejected'), chapterIds: listOf(text) });
const review = within({
  path: text,
  shown: text,
  change: oneOf('created', 'modified'),
  base: text,
  present: text,
  hunks: listOf(hunk),
});
const files = listOf(within({ path: text }));

/** Why work ended is said in a sentence, which a kind may need more for. */
const budget = within({ kind: oneOf('steps', 'tokens', 'money', 'time'), scope: text, limit: number });
const turnEnd = byKind({
  budget: within({ budget }),
  loop: within({ loop: within({ detail: text }) }),
  hook: within({ reason: text }),
  failed: within({ trouble: within({ message: text }) }),
});
const compressionEnd = byKind({ failed: within({ message: text }) });

const partShapes: ReadonlyMap<string, Need> = new Map([
  ['text', within({ text })],
  ['thought', within({ text })],
  ['call', within({ id: text, name: text, args: record })],
  ['result', within({ id: text, name: text, ok: flag, text })],
  ['blob', within({ blob: within({ mimeType: text, data: text }) })],
]);

/** As it goes into requests, so nothing in it may be of a kind that no provider knows. */
const message = within({ role: oneOf('user', 'model'), parts: listOf(isPart) });
const plan = within({
  snapshot: text,
  replacement: listOf(message),
  keptFrom: number,
  cut: listOf(within({ index: number, message })),
  parts: listOf(record),
  tokens: within({ before: number, after: number }),
});

const shapes: { readonly [T in SessionEvent['type']]?: Needs } = {
  'session.started': { sessionId: text, folders: listOf(text), model: text, mode },
  'session.renamed': { title: text },
  'mode.changed': { mode },
  'model.changed': { model: text },
  'turn.started': { turnId: text, text, attachments },
  'turn.retried': { turnId: text },
  'turn.ended': { turnId: text, end: turnEnd },
  'mentions.read': { turnId: text, mentions: listOf(record) },
  'chapter.started': { chapterId: text, title: text },
  'chapter.renamed': { chapterId: text, title: text },
  'step.started': { stepId: text },
  'step.retried': { stepId: text, reason: text },
  'step.ended': { stepId: text, usage: optional(usage), cost: optional(number) },
  'side.asked': { usage, cost: optional(number) },
  'text.appended': { stepId: text, text },
  'thought.appended': { stepId: text, text },
  'call.requested': { callId: text, stepId: text, tool: text, title: text, args: record },
  'call.asked': { callId: text, ask: within({ subject: within({ kind: text }) }) },
  'call.decided': { callId: text, decision: text },
  'call.started': { callId: text },
  'call.ended': { callId: text, outcome: text, display: within({ summary: text }) },
  'todos.changed': { todos },
  'checkpoint.taken': { path: text, before: blob },
  'file.written': { path: text, after: blob },
  'review.changed': { path: text, review: optional(review) },
  'session.rewound': {
    rewindId: text,
    to: within({ kind: oneOf('turn', 'chapter') }),
    scope: text,
    filesFrom: number,
    keptMessages: number,
    todos,
    reviews: listOf(review),
    files,
  },
  'rewind.undone': { rewindId: text, files },
  'compression.started': { compressionId: text },
  'compression.proposed': { compressionId: text, plan },
  'compression.applied': { compressionId: text, plan },
  'compression.ended': { compressionId: text, end: compressionEnd },
  'compression.undone': { compressionId: text },
  'pin.changed': { id: text, pinned: flag },
  'prompt.queued': { prompt },
  'prompt.changed': { prompt },
  'prompt.unqueued': { id: text },
  'hook.started': { runId: text, event: text },
  'hook.ended': { runId: text, outcome: text },
  'plan.written': { path: text, title: text },
  'plan.decided': { path: text },
  'message.added': { message },
  'notice.shown': { text },
};

const lists: ReadonlyMap<string, NeedList> = new Map(
  Object.entries(shapes).map(([type, needs]) => [type, Object.entries(needs)]),
);

function isPart(value: unknown): boolean {
  const kind = isRecord(value) ? value.kind : undefined;
  return typeof kind === 'string' && partShapes.get(kind)?.(value) === true;
}

function meets(value: object, needs: NeedList): boolean {
  for (const [name, need] of needs) if (!need(Reflect.get(value, name))) return false;
  return true;
}

function within(needs: Needs): Need {
  const list = Object.entries(needs);
  return value => isRecord(value) && meets(value, list);
}

/** Kinds without needs of their own, of earlier versions too, need nothing else. */
function byKind(needs: Needs): Need {
  const list = new Map(Object.entries(needs));
  return value => isRecord(value) && text(value.kind) && (list.get(value.kind as string)?.(value) ?? true);
}

function listOf(need: Need): Need {
  return value => Array.isArray(value) && value.every(need);
}

function optional(need: Need): Need {
  return value => value === undefined || need(value);
}

function oneOf(...words: readonly string[]): Need {
  return value => words.some(word => word === value);
}
