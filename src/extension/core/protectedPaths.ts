/*
 * Paths inside the workspace that the agent must not read or change without asking. Tools, searches, mentions and
 * command arguments share this list. Names are compared as on the strictest file system: without case, trailing dots
 * and blanks, and names of alternate data streams.
 */

import { type LocalizedMessage, t } from '../../protocol/language.ts';

export type Access = 'read' | 'write';

/** `sealed`: never allowed. `asks`: a user decides each time, in every mode and despite any rule. */
export interface Protection {
  readonly kind: 'sealed' | 'asks';
  readonly why: LocalizedMessage;
  /** Settings of a repository. A command without network cannot leak the keys in them. */
  readonly isGitConfig?: boolean;
}

/** @param inside path relative to its workspace folder, with `/` or `\` */
export function findProtection(inside: string, access: Access): Protection | undefined {
  const names = inside.split(/[\\/]/).map(plainName).filter(Boolean);
  const path = names.join('/');
  if (names.some(name => isGitFolder(name))) {
    if (access === 'write') return { kind: 'sealed', why: () => t('Only git may change files in .git.') };
    const [, name] = /(?:^|\/)\.git\/(?:.*\/)?(config|credentials)$/.exec(path) ?? [];
    if (name !== undefined)
      return {
        kind: 'asks',
        why: () => t('{0} may hold keys.', inside),
        isGitConfig: name === 'config',
      };
  }
  if (names.some(name => secretFolders.has(name)) || secretPlaces.test(path) || isSecretName(names.at(-1)))
    return { kind: 'asks', why: () => t('{0} may hold secrets.', inside) };
  if (access === 'write' && decidingPlaces.test(path))
    return { kind: 'asks', why: () => t('{0} decides what Folio or the editor may run.', inside) };
  return undefined;
}

/** Samples of protected names, to check whether a shell pattern could match one. */
export const protectedNameSamples: readonly string[] = [
  '.env',
  '.env.local',
  '.env.production',
  '.envrc',
  'id_rsa',
  'id_ed25519',
  'server.pem',
  'server.key',
  'store.p12',
  'store.pfx',
  'store.jks',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.git-credentials',
  '.htpasswd',
  'credentials.json',
  '.ssh',
  '.aws',
  '.gnupg',
];

function plainName(name: string): string {
  const folded = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/:.*$/, '')
    .replace(/[. ]+$/, '');
  // `..` and `.` are resolved by now, so a name of dots only is kept.
  return folded === '' ? name : folded;
}

/** `git~1` is its short name on Windows. */
function isGitFolder(name: string): boolean {
  return name === '.git' || /^git~\d$/.test(name);
}

const secretFolders = new Set(['.ssh', '.aws', '.gnupg', '.azure', '.kube']);
const secretPlaces =
  /(?:^|\/)(?:\.docker\/config\.json|\.config\/gcloud(?:\/|$)|\.gemini\/(?:oauth_creds|google_accounts)\.json)/;
/** Settings, rules, hooks, extensions, tasks and the like: they decide what Folio or the editor runs. */
const decidingPlaces =
  /(?:^|\/)(?:\.folio(?:\/|$)|\.gemini\/(?:settings\.json$|policies(?:\/|$)|hooks(?:\/|$)|extensions(?:\/|$)|trustedfolders\.json$)|\.gemini$|\.claude\/(?:settings(?:\.local)?\.json$|hooks(?:\/|$))|\.claude$|\.vscode\/(?:settings|tasks|launch|mcp)\.json$|\.devcontainer(?:\/|$)|\.devcontainer\.json$|[^/]+\.code-workspace$)/;

const examples = /^\.env(?:\.[\w-]+)*\.(?:example|sample|template|dist|defaults)$/;
const secretNames = [
  /^\.env(?:\..+)?$/,
  /^\.envrc$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_\w+)?$/,
  /\.(?:pem|key|p8|p12|pfx|jks|keystore|kdbx|ppk)$/,
  /^[._]netrc$/,
  /^\.(?:npmrc|pypirc|pgpass|my\.cnf|git-credentials|htpasswd|vault-token)$/,
  /^(?:credentials|service[-_]?account.*|client_secret.*)\.json$/,
];

function isSecretName(name = ''): boolean {
  return !examples.test(name) && secretNames.some(pattern => pattern.test(name));
}
