/*
 * A prompt with placeholders. It is parsed once, so that inserted text (arguments, files, command output) cannot add
 * placeholders.
 */

export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'argument'; readonly which: ArgumentIndex }
  /** `raw`: the placeholder's text, which stays if the file cannot be read. */
  | { readonly kind: 'file'; readonly path: string; readonly raw: string }
  | { readonly kind: 'command'; readonly words: readonly CommandPart[] };

/** Parts of a command line. */
export type CommandPart = Extract<TemplatePart, { kind: 'text' | 'argument' }>;

/** The whole argument, or its word with this number, from 1. */
export type ArgumentIndex = 'all' | number;

export interface Template {
  readonly pieces: readonly TemplatePart[];
  /** Files that are attached in full, while their names stay in the text. */
  readonly named: readonly TemplateAttachment[];
}

export type TemplateAttachment =
  | {
      readonly kind: 'path';
      /** The longest first. The first that exists is used. */
      readonly readings: readonly string[];
      /** Tells the user if it does not exist. */
      readonly deliberate: boolean;
    }
  | { readonly kind: 'argument'; readonly which: ArgumentIndex };

export type ParsedTemplate =
  | { readonly kind: 'template'; readonly template: Template }
  /** `problem`: the end of a sentence about the file. */
  | { readonly kind: 'broken'; readonly problem: string };

/** True if the template places arguments itself. */
export function takesArguments({ pieces }: Template): boolean {
  return pieces.some(
    piece =>
      piece.kind === 'argument' ||
      (piece.kind === 'command' && piece.words.some(({ kind }) => kind === 'argument')),
  );
}

/** Merges adjacent texts and drops empty ones. */
export function joinTexts<T extends TemplatePart>(pieces: readonly T[]): readonly T[] {
  const joined: T[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (piece.kind !== 'text') joined.push(piece);
    else if (last?.kind === 'text') joined[joined.length - 1] = { ...last, text: last.text + piece.text };
    else if (piece.text !== '') joined.push(piece);
  }
  return joined;
}
