/* Finds where a link really leads. */

export interface LinkTarget {
  /** As a program opens it, with an internationalised host in Punycode (`xn--…`). */
  readonly address: string;
  /** Host or mail address. */
  readonly to: string;
  readonly isMail: boolean;
  /** True if it may be mistaken for another: user information before `@`, or an internationalised host. */
  readonly isDisguised: boolean;
}

/** Returns `undefined` for other than web and mail addresses. */
export function findLinkTarget(url: string): LinkTarget | undefined {
  // The parser would add missing slashes, which hides the real host from readers.
  if (!/^(https?:\/\/|mailto:)/i.test(url) || !URL.canParse(url)) return undefined;
  const { protocol, href: address, host, pathname, username, password } = new URL(url);
  if (protocol === 'mailto:') return { address, to: pathname, isMail: true, isDisguised: false };
  const isDisguised = username !== '' || password !== '' || /(^|\.)xn--/.test(host);
  return { address, to: host, isMail: false, isDisguised };
}
