import type { Message } from '../../../../protocol/events.ts';
import { t } from '../../../../protocol/language.ts';
import { askSideQuestion, type ModelQuestionContext } from '../../answers/ask.ts';
import { findSnapshot } from './snapshot.ts';
import { summaryCheckRequest, summaryRequest, summarySystem } from './summaryPrompt.ts';

/** `nothingToDo`: too little to compress. `inflated`: the summary would not have made the context smaller. */
type FailureKind = 'failed' | 'nothingToDo' | 'inflated';

/** The reason for a missing compression, as a sentence for the user. */
export class CompressionFailure extends Error {
  readonly kind: FailureKind;

  constructor(message: string, kind: FailureKind = 'failed') {
    super(message);
    this.name = 'CompressionFailure';
    this.kind = kind;
  }
}

export interface SummaryMaterial {
  readonly model: string;
  /** The messages to summarise. */
  readonly messages: readonly Message[];
  readonly chapters: readonly string[];
}

/** Makes roles alternate. */
type ForRequest = (messages: readonly Message[]) => readonly Message[];

const unusable = () =>
  t(
    'The context was not compressed: the model returned an empty or invalid summary. The conversation is unchanged. Compress again with "Folio: Compress Context".',
  );

/**
 * Asks for a snapshot, then for missing facts; the second answer can only improve it. Throws `CompressionFailure`, or
 * the signal's reason on abort.
 */
export async function summarise(
  material: SummaryMaterial,
  forRequest: ForRequest,
  asker: ModelQuestionContext,
  signal: AbortSignal,
): Promise<string> {
  const question = summaryQuestion(material, forRequest);
  const answer = await askSideQuestion(question, asker, signal);
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
    asUser(summaryCheckRequest),
  ];
  const check = await askSideQuestion({ ...question, text }, asker, signal);
  signal.throwIfAborted();
  // The first snapshot is valid in any case, whatever the check returned.
  return (check.kind === 'answered' && findSnapshot(check.text)) || snapshot;
}

export function summaryQuestion({ model, messages, chapters }: SummaryMaterial, forRequest: ForRequest) {
  const text = forRequest([...messages, asUser(summaryRequest(chapters))]);
  return { purpose: 'summary', model, system: summarySystem, text } as const;
}

function asUser(text: string): Message {
  return { role: 'user', parts: [{ kind: 'text', text }] };
}
