/* Where an address leads, whatever it is made to look like. */

export interface LinkTarget {
  /** As a program opens it: a host in letters of other scripts stands in its plain form (`xn--…`). */
  readonly address: string;
  /** The host, or the mail address. */
  readonly to: string;
  readonly isMail: boolean;
  /** It can be taken for another: a name before an `@`, or a host in letters of other scripts. */
  readonly isDisguised: boolean;
}

/** `undefined` for what is no web or mail address. */
export function findLinkTarget(url: string): LinkTarget | undefined {
  // Without the slashes the parser would add them, and nobody who reads the address would see its host.
  if (!/^(https?:\/\/|mailto:)/i.test(url) || !URL.canParse(url)) return undefined;
  const { protocol, href: address, host, pathname, username, password } = new URL(url);
  if (protocol === 'mailto:') return { address, to: pathname, isMail: true, isDisguised: false };
  const isDisguised = username !== '' || password !== '' || /(^|\.)xn--/.test(host);
  return { address, to: host, isMail: false, isDisguised };
}
