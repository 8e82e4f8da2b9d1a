/** A command that cannot be carried out throws it, and then nothing has happened. The message is for the user. */
export class CommandError extends Error {
  /** Says what to type instead. Dialogs leave it out, since their buttons offer it. */
  readonly hint: string;

  constructor(message: string, hint = '') {
    super(message);
    this.hint = hint;
  }
}
