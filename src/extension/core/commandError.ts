/** A command that cannot be carried out throws it, and then nothing has happened. The message is for the user. */
export class CommandError extends Error {}
