/* Guesses from error messages of programs what the sandbox denied. */

import { dirname, resolve } from 'node:path';
import { folderContains } from '../../core/folderPaths.ts';
import type { SandboxGrants } from '../../platform/sandbox.ts';

export interface DeniedAccess {
  /** Absolute folders that it may have tried to write to. */
  readonly write: readonly string[];
  /** Hosts that it may have tried to reach. */
  readonly hosts: readonly string[];
  /** Protected or secret paths, which no grant opens. */
  readonly closed: readonly string[];
}

interface CommandPlace {
  readonly cwd: string;
  readonly home: string;
  /** Absolute. */
  readonly workspaces: readonly string[];
  readonly grants: SandboxGrants;
}

export function findDeniedAccess(command: string, output: string, place: CommandPlace): DeniedAccess {
  const write = new Set<string>();
  const closed = new Set<string>();
  for (const path of deniedPaths(output, place.cwd)) {
    const folder = grantFor(path, place);
    if (folder === undefined) closed.add(path);
    else write.add(folder);
  }
  const hosts = deniedHosts(command, output).filter(host => !place.grants.hosts.includes(host));
  return { write: [...write], closed: [...closed], hosts };
}

const complaint = /read-only file system|permission denied|EROFS|EACCES|device or resource busy/i;
/** In quotes, or from a slash to the next blank or colon. */
const named = /['"‘`]((?:\/|\.{0,2}\/|~\/)?[^'"’`\n]+)['"’`]|(?<![\w.])(~?\.{0,2}\/[^\s'":,;()]+)/g;

function deniedPaths(output: string, cwd: string): readonly string[] {
  const paths = output.split('\n').flatMap(line => {
    const found = [...line.matchAll(named)].map(match => match[1] ?? match[2] ?? '');
    if (complaint.test(line)) return found.filter(path => path.includes('/'));
    // The command has its own temporary folder, without files of other programs.
    return /no such file or directory|ENOENT/i.test(line)
      ? found.filter(path => path.startsWith('/tmp/'))
      : [];
  });
  return [...new Set(paths.map(path => resolve(cwd, path)))].slice(0, 5);
}

/** Returns the folder to grant; `undefined` if no grant helps, since the path is protected or the folder too broad. */
function grantFor(path: string, { home, workspaces, grants }: CommandPlace): string | undefined {
  if ([...workspaces, ...grants.write].some(folder => folderContains(folder, path))) return undefined;
  const folder = dirname(path);
  return [home, ...workspaces].some(each => folderContains(folder, each)) ? undefined : folder;
}

const unreachable =
  /(?:could not resolve(?: host(?:name)?)?:?|failed to connect to|ENOTFOUND|EAI_AGAIN|failed to resolve|lookup|resolving|unable to resolve host address|no address associated with hostname|host=)\s*['"‘`(]*((?:[a-z0-9-]+\.)+[a-z]{2,}|localhost)/gi;
const networkFailure =
  /could not resolve|ENOTFOUND|EAI_AGAIN|ENETUNREACH|ECONNREFUSED|name resolution|name or service not known|network is unreachable|connection refused|failed to connect|couldn't connect/i;

/** A program may only say that there is no network. Then the hosts in its command line are assumed. */
function deniedHosts(command: string, output: string): readonly string[] {
  const said = [...output.matchAll(unreachable)].map(match => match[1]!.toLowerCase());
  if (said.length > 0) return [...new Set(said)];
  const isQuiet = output.trim() === '' || output.includes('(no output)');
  if (!networkFailure.test(output) && !isQuiet) return [];
  const addresses = [
    ...command.matchAll(/https?:\/\/(?:[^\s/@'"]*@)?(\[[^\]]+\]|[\w.-]+)(?=[\s/:'"?#]|$)/gi),
  ];
  return [...new Set(addresses.map(match => match[1]!.toLowerCase().replace(/^\[|\]$/g, '')))];
}
