/** The server wants the person to sign in, or to sign in again with more rights. */
export class SignInNeeded extends Error {
  constructor() {
    super('The server wants the person to sign in, on the page of servers.');
    this.name = 'SignInNeeded';
  }
}
