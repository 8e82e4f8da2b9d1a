import { inEnglish } from '../../protocol/language.ts';

/** Returns what went wrong as a sentence for a user, without stack or class name. */
export function messageOf(error: unknown): string {
  if (error instanceof LocalizedError) return error.say();
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
 * An error that users and models read, each in their language. `message` is in the user's; inside `inEnglish`,
 * `messageOf` returns English.
 */
export class LocalizedError extends Error {
  #say: () => string;

  constructor(say: () => string, options?: ErrorOptions) {
    const english = inEnglish(say);
    super(english, options);
    const message = say();
    // The stack, used by the log, begins with the English message. It is computed on first access, which costs more
    // than the rest of this constructor.
    if (message !== english) Object.assign(this, { stack: this.stack, message });
    this.#say = say;
  }

  /** Text for models and the log. */
  get english(): string {
    return inEnglish(this.#say);
  }

  /** Text in the current language. */
  say(): string {
    return this.#say();
  }

  /** Changes the text in every language. Does not update `message`. */
  reword(change: (text: string) => string): void {
    const say = this.#say;
    this.#say = () => change(say());
  }
}

/** Like `messageOf`, for models and the log. */
export function englishMessageOf(error: unknown): string {
  return inEnglish(() => messageOf(error));
}
