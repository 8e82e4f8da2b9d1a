/*
 * A prompt with places in it that are filled when it is sent. It is taken apart once, so that nothing that comes into
 * it (arguments, files, what a command prints) can add a place of its own.
 */

/** One stretch of the prompt, in order. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'argument'; readonly which: Which }
  /** `raw`: as it stands in the file; it stays when the file cannot be read. */
  | { readonly kind: 'file'; readonly path: string; readonly raw: string }
  | { readonly kind: 'command'; readonly words: readonly CommandPiece[] };

/** Pieces of a command line. */
export type CommandPiece = Extract<Piece, { kind: 'text' | 'argument' }>;

/** All that was typed behind the name, or the word with this number, from 1. */
export type Which = 'all' | number;

export interface Template {
  readonly pieces: readonly Piece[];
  /** Files that go along whole, while their names stay in the text. */
  readonly named: readonly NamedFile[];
}

export type NamedFile =
  | {
      readonly kind: 'path';
      /** The longest first; the first that leads to something is meant. */
      readonly readings: readonly string[];
      /** When it leads to nothing, that is said. */
      readonly deliberate: boolean;
    }
  | { readonly kind: 'argument'; readonly which: Which };

export type ParsedTemplate =
  | { readonly kind: 'template'; readonly template: Template }
  /** `problem`: the end of a sentence about the file. */
  | { readonly kind: 'broken'; readonly problem: string };

/** A template that names arguments says itself where they go. */
export function takesArguments({ pieces }: Template): boolean {
  return pieces.some(
    piece =>
      piece.kind === 'argument' ||
      (piece.kind === 'command' && piece.words.some(({ kind }) => kind === 'argument')),
  );
}

/** Adjacent texts as one, empty ones left out. */
export function joinTexts<T extends Piece>(pieces: readonly T[]): readonly T[] {
  const joined: T[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (piece.kind !== 'text') joined.push(piece);
    else if (last?.kind === 'text') joined[joined.length - 1] = { ...last, text: last.text + piece.text };
    else if (piece.text !== '') joined.push(piece);
  }
  return joined;
}
