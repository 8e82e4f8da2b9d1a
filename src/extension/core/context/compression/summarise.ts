import type { Message } from '../../../../protocol/events.ts';
import { t } from '../../../../protocol/language.ts';
import { withoutTags } from '../../../base/untrusted.ts';
import { type Asker, ask } from '../../answers/ask.ts';
import { checkRequest, summaryRequest, summarySystem } from './summaryPrompt.ts';

/** `nothingToDo`: there was too little to compress. `inflated`: the summary was longer than what it stood for. */
type FailureKind = 'failed' | 'nothingToDo' | 'inflated';

/** Why there is no compression, as a sentence for the person. */
export class CompressionFailure extends Error {
  readonly kind: FailureKind;

  constructor(message: string, kind: FailureKind = 'failed') {
    super(message);
    this.name = 'CompressionFailure';
    this.kind = kind;
  }
}

export interface Material {
  readonly model: string;
  /** The messages to summarise. */
  readonly messages: readonly Message[];
  readonly chapters: readonly string[];
}

/** Makes roles alternate. */
type ForRequest = (messages: readonly Message[]) => readonly Message[];

const unusable = () =>
  t(
    'The context was not compressed: the summary that came is empty or broken. The conversation stays as it was; compress again with "Folio: Compress Context".',
  );

/**
 * Asks for a snapshot, and then whether it lacks anything; the answer to the second question may only improve it.
 * Throws `CompressionFailure`, or the signal's reason on abort.
 */
export async function summarise(
  material: Material,
  forRequest: ForRequest,
  asker: Asker,
  signal: AbortSignal,
): Promise<string> {
  const question = summaryQuestion(material, forRequest);
  const answer = await ask(question, asker, signal);
  signal.throwIfAborted();
  if (answer.kind === 'failed') {
    throw new CompressionFailure(t('The context was not compressed. {0}', answer.error.say()));
  }
  const first = answer.kind === 'answered' ? answer.text : '';
  const snapshot = findSnapshot(first);
  if (!snapshot) throw new CompressionFailure(unusable());
  const text = [
    ...question.text,
    { role: 'model', parts: [{ kind: 'text', text: first }] } as const,
    asUser(checkRequest),
  ];
  const check = await ask({ ...question, text }, asker, signal);
  signal.throwIfAborted();
  // The first snapshot is good already: whatever the check came to does not take it away.
  return (check.kind === 'answered' && findSnapshot(check.text)) || snapshot;
}

export function summaryQuestion({ model, messages, chapters }: Material, forRequest: ForRequest) {
  const text = forRequest([...messages, asUser(summaryRequest(chapters))]);
  return { purpose: 'summary', model, system: summarySystem, text } as const;
}

function asUser(text: string): Message {
  return { role: 'user', parts: [{ kind: 'text', text }] };
}

const opening = '<state_snapshot>';
const closing = '</state_snapshot>';

/** Finds the newest whole snapshot, without the reasoning before it. */
export function findSnapshot(answer: string): string | undefined {
  const end = answer.lastIndexOf(closing);
  // The summarised text may mention snapshots: the newest opening tag with a goal counts.
  for (let start = answer.lastIndexOf(opening, end); start >= 0 && end >= 0; ) {
    const body = answer.slice(start + opening.length, end);
    if (hasGoal(body)) return `${opening}\n${withoutTags(body.trim(), 'state_snapshot')}\n${closing}`;
    if (start === 0) break;
    start = answer.lastIndexOf(opening, start - 1);
  }
  return undefined;
}

/** Parses an edited snapshot. Throws with a sentence when it is not exactly one snapshot. */
export function parseSnapshot(text: string): string {
  const trimmed = text.trim();
  const count = trimmed.split(/<\/?state_snapshot>/).length - 1;
  const isWhole = trimmed.startsWith(opening) && trimmed.endsWith(closing);
  if (!isWhole || count !== 2) {
    throw new Error(`The summary must be one ${opening} element with nothing around it.`);
  }
  if (!hasGoal(trimmed)) throw new Error('The summary needs an <overall_goal> that says something.');
  return trimmed;
}

function hasGoal(body: string): boolean {
  const goal = /<overall_goal>([\s\S]*?)<\/overall_goal>/.exec(body)?.[1];
  return goal !== undefined && goal.replace(/<!--[\s\S]*?-->/g, '').trim() !== '';
}
