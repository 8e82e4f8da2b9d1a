import type { Message } from '../../../../protocol/events.ts';
import { t } from '../../../../protocol/language.ts';
import { type Asker, ask } from '../../answers/ask.ts';
import { findSnapshot } from './snapshot.ts';
import { checkRequest, summaryRequest, summarySystem } from './summaryPrompt.ts';

/** `nothingToDo`: there was too little to compress. `inflated`: the summary was longer than what it stood for. */
type FailureKind = 'failed' | 'nothingToDo' | 'inflated';

/** Why there is no compression, as a sentence for the user. */
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
    'The context was not compressed: the model returned an empty or invalid summary. The conversation is unchanged. Compress again with "Folio: Compress Context".',
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
