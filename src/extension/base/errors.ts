import { inEnglish } from '../../protocol/language.ts';

/** A sentence for a user: what went wrong, without stack or class name. */
export function messageOf(error: unknown): string {
  if (error instanceof SpokenError) return error.say();
  if (error instanceof Error) return error.message || error.name;
  return String(error);
}

export function isAbortError(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');
}

/** The `code` of a Node error, for example `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/**
 * An error that people and models read, each in their language: `message` is the user's. In what `inEnglish` says,
 * `messageOf` gives the English.
 */
export class SpokenError extends Error {
  #say: () => string;

  constructor(say: () => string, options?: ErrorOptions) {
    const english = inEnglish(say);
    super(english, options);
    const message = say();
    // The stack, which the log has, begins with the English words: it is written when it is first asked for, which
    // takes longer than all the rest here.
    if (message !== english) Object.assign(this, { stack: this.stack, message });
    this.#say = say;
  }

  /** For a model and for the log. */
  get english(): string {
    return inEnglish(this.#say);
  }

  /** In the language that is spoken now. */
  say(): string {
    return this.#say();
  }

  /** In every language. What `message` holds already stays. */
  reword(change: (text: string) => string): void {
    const say = this.#say;
    this.#say = () => change(say());
  }
}

/** As `messageOf`, for a model or the log. */
export function englishOf(error: unknown): string {
  return inEnglish(() => messageOf(error));
}
