import { isRecord } from '../../base/record.ts';

/** A typed piece of what was thought: its text, a summary of it, or the whole of it sealed. */
type ReasoningDetail = Readonly<Record<string, unknown>>;

/**
 * Puts the pieces together that a server streams, so that they go back as one list: in their order, and each as long
 * as it would have been in a whole answer. Sealed ones never come in pieces.
 */
export class ReasoningDetails {
  private readonly details: ReasoningDetail[] = [];

  get list(): readonly ReasoningDetail[] {
    return this.details;
  }

  /** @param pieces as they came; what is no list of objects is none */
  add(pieces: unknown): void {
    if (!Array.isArray(pieces)) return;
    for (const piece of pieces.filter(isRecord)) {
      const last = this.details.at(-1);
      if (last && goesOn(last, piece)) this.details[this.details.length - 1] = joined(last, piece);
      else this.details.push(piece);
    }
  }
}

/** Where the words of a type stand. */
const wordsOf: ReadonlyMap<unknown, string> = new Map([
  ['reasoning.text', 'text'],
  ['reasoning.summary', 'summary'],
]);

/** A signature closes what it signs. */
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
