/*
 * Finds the address at which the panel reaches a server's page. A browser on another machine needs an address that VS
 * Code forwards.
 */

import { t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';

/** Same contract as `env.asExternalUri`. */
type Forward = (address: string) => Promise<string>;

/** @param ownLink a link to this window; in a browser it starts with the origin of the workbench */
export function createPageForward(forward: Forward, ownLink: string): Forward {
  return async local => {
    const forwarded = await forward(local);
    return isLoopback(forwarded)
      ? choosePageAddress(local, forwarded, '')
      : choosePageAddress(local, forwarded, await forward(ownLink));
  };
}

/**
 * Returns the address for the panel. A page must never share the origin of the workbench, or only its sandbox would
 * keep it from VS Code. Throws a user-facing message.
 * @param forwarded VS Code's mapping of the local address
 * @param workbench an address of the workbench; on the desktop not a web address
 */
export function choosePageAddress(local: string, forwarded: string, workbench: string): string {
  const wanted = parseWeb(forwarded);
  // A character that ends a CSP source could inject into the policy.
  if (!wanted || /[;,'"\s]/.test(wanted.href))
    throw new LocalizedError(() => t('The machine that runs the server cannot be reached from here.'));
  // A browser on this machine may get a proxy path below VS Code's own address, which not every VS Code server
  // supports.
  if (isLoopback(forwarded)) return wanted.pathname === new URL(local).pathname ? wanted.href : local;
  const own = parseWeb(workbench);
  if (own?.origin === wanted.origin)
    throw new LocalizedError(() =>
      t(
        'VS Code forwards ports below its own address, where a page could reach VS Code. Give forwarded ports another address, or open the folder in a desktop VS Code.',
      ),
    );
  if (wanted.protocol === 'http:' && own?.protocol !== 'http:')
    throw new LocalizedError(() => t('Its address {0} is not encrypted.', wanted.origin));
  return wanted.href;
}

/** The panel's policy always allows these addresses. */
export function isLoopback(address: string): boolean {
  return /^http:\/\/(?:127\.0\.0\.1|localhost):\d+\//.test(address);
}

function parseWeb(address: string): URL | undefined {
  const url = URL.parse(address);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
}
