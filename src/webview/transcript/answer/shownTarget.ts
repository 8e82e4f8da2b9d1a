import { findLinkTarget } from '../../../protocol/words/linkTarget.ts';

/** What a pointer over a link shows: the address itself, never what the model would have it say. */
export function titleOf(href: string): string {
  const target = findLinkTarget(href);
  if (!target) return href;
  return target.isDisguised ? `${target.to}\n${target.address}` : target.address;
}

/** What must stand beside a link; `undefined` where its text makes nobody expect another target. */
export function targetBeside(text: string, href: string): string | undefined {
  const target = findLinkTarget(href);
  if (!target) return undefined;
  const { to, isDisguised } = target;
  if (isDisguised) return to;
  const named = nameIn(text);
  return named === undefined || isSame(named, to) ? undefined : to;
}

/** A host or mail address that the text names first. Characters that nobody sees do not hide it. */
function nameIn(text: string): string | undefined {
  const plain = text.replace(/\p{Default_Ignorable_Code_Point}/gu, '').slice(0, 500);
  return /(?:[^\s/@:]+@)*(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}/u.exec(plain)?.[0];
}

function isSame(named: string, to: string): boolean {
  const bare = (host: string) =>
    host
      .toLowerCase()
      .replace(/^www\./, '')
      .replace(/:\d+$/, '');
  return bare(named) === bare(to);
}
