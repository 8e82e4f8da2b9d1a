/* Composes open comments as one prompt: for the transcript their text, for the model also the lines they refer to. */

import type { CommentThread, ThreadComment } from '../../../protocol/comments.ts';
import { fenced, formatQuantity, oneLine } from '../../base/text.ts';

export interface ComposedComments {
  readonly ids: readonly string[];
  /** For the transcript. */
  readonly text: string;
  /** The text for the model. */
  readonly wording: string;
}

interface LinedComment {
  readonly thread: CommentThread;
  readonly lines: readonly string[];
}

/** Lines quoted per comment at most; the model can read the rest itself. */
const quotedLines = 60;

const frame =
  'The user commented on lines of files. Settle each comment by changing its lines, or answer it with answer_comment.';

export function composeComments(comments: readonly LinedComment[]): ComposedComments {
  const threads = comments.map(({ thread }) => thread);
  const lines = threads.map(thread => `- ${describePlace(thread)}: ${oneLine(newest(thread).text, 300)}`);
  return {
    ids: threads.map(({ id }) => id),
    text: [formatQuantity(threads.length, 'comment'), ...lines].join('\n'),
    wording: [frame, ...comments.map(describeComment)].join('\n\n'),
  };
}

/** Formats `src/a.ts, lines 3 to 5`. */
export function describePlace({ shown, place }: Pick<CommentThread, 'shown' | 'place'>): string {
  const first = place.start + 1;
  if (place.count < 2) return `${shown}, line ${first}`;
  return `${shown}, lines ${first} to ${place.start + place.count}`;
}

function describeComment({ thread, lines }: LinedComment): string {
  const head = `Comment ${thread.number}, ${describePlace(thread)}`;
  return [`${head}${quote(thread, lines)}`, ...thread.remarks.map(describeRemark(thread))].join('\n');
}

function quote({ place }: CommentThread, lines: readonly string[]): string {
  if (place.count === 0) return ` (the lines are gone; they read):\n${fenced(place.lines.join('\n'))}`;
  const shown = lines.slice(0, quotedLines);
  const left = lines.length - shown.length;
  const more = left > 0 ? `\n(${formatQuantity(left, 'more line')})` : '';
  return `:\n${fenced(shown.join('\n'))}${more}`;
}

/** Names the speakers only if both the user and the agent wrote. */
function describeRemark({ remarks }: CommentThread): (remark: ThreadComment) => string {
  if (remarks.every(({ by }) => by === 'person')) return ({ text }) => text;
  return ({ by, text }) => `${by === 'person' ? 'The user' : 'You'}: ${text}`;
}

/** The user's latest remark. */
function newest({ remarks }: CommentThread): ThreadComment {
  return remarks.findLast(({ by }) => by === 'person') ?? remarks[0]!;
}
