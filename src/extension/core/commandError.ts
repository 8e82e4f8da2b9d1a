/** A command that cannot be carried out throws it, and then nothing has happened. The message is for the user. */
export class CommandError extends Error {
  /** What to type instead. Left out in dialogs, whose buttons offer it. */
  readonly hint: string;

  constructor(message: string, hint = '') {
    super(message);
    this.hint = hint;
  }
}
