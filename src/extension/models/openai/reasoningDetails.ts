import { isRecord } from '../../base/record.ts';

/** A typed chunk of a thought: text, summary, or encrypted. */
type ReasoningDetail = Readonly<Record<string, unknown>>;

/**
 * Merges the chunks of a stream into the list that a non-streamed answer would have had, so that it can be sent back.
 * Encrypted ones never come in chunks.
 */
export class ReasoningDetails {
  private readonly details: ReasoningDetail[] = [];

  get list(): readonly ReasoningDetail[] {
    return this.details;
  }

  /** @param pieces as received; anything but a list of objects is ignored */
  add(pieces: unknown): void {
    if (!Array.isArray(pieces)) return;
    for (const piece of pieces.filter(isRecord)) {
      const last = this.details.at(-1);
      if (last && goesOn(last, piece)) this.details[this.details.length - 1] = joined(last, piece);
      else this.details.push(piece);
    }
  }
}

/** The member that holds the text of each type. */
const wordsOf: ReadonlyMap<unknown, string> = new Map([
  ['reasoning.text', 'text'],
  ['reasoning.summary', 'summary'],
]);

/** A signature ends the chunk that it signs. */
function goesOn(last: ReasoningDetail, piece: ReasoningDetail): boolean {
  return (
    wordsOf.has(piece.type) &&
    last.type === piece.type &&
    last.index === piece.index &&
    (isEmpty(last.id) || isEmpty(piece.id) || last.id === piece.id) &&
    isEmpty(last.signature)
  );
}

function joined(last: ReasoningDetail, piece: ReasoningDetail): ReasoningDetail {
  const words = wordsOf.get(piece.type)!;
  const more = Object.entries(piece).filter(([, value]) => !isEmpty(value));
  const text = [last[words], piece[words]].filter(each => typeof each === 'string').join('');
  return { ...last, ...Object.fromEntries(more), [words]: text };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
