/** The server wants the person to sign in, or to sign in again with more rights. */
export class SignInNeeded extends Error {
  constructor(server: string) {
    super(`The server ${server} wants a sign-in, on the page of servers.`);
    this.name = 'SignInNeeded';
  }
}
