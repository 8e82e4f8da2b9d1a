/*
 * Paths that the agent must not read or change unasked although they lie in the workspace. This is one list for
 * tools, searches, mentions and the path arguments of commands. Names are compared as the strictest system would:
 * without case, without trailing dots and blanks, without the names of alternate data streams.
 */

import { type Saying, t } from '../../protocol/language.ts';

export type Access = 'read' | 'write';

/** `sealed`: never. `asks`: a user decides each time, whatever mode or rule holds. */
export interface Protection {
  readonly kind: 'sealed' | 'asks';
  readonly why: Saying;
  /** Settings of a repository, whose keys a command without network can give to nobody. */
  readonly isGitConfig?: boolean;
}

/** @param inside a path relative to its workspace folder, with either kind of slash */
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

/** Names that stand for all protected ones, to find out whether a shell's pattern could mean one. */
export const protectedSamples: readonly string[] = [
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
  // `..` and `.` are gone by now: a name of dots alone is kept as it is.
  return folded === '' ? name : folded;
}

/** `git~1` is what Windows calls it for programs of old. */
function isGitFolder(name: string): boolean {
  return name === '.git' || /^git~\d$/.test(name);
}

const secretFolders = new Set(['.ssh', '.aws', '.gnupg', '.azure', '.kube']);
const secretPlaces =
  /(?:^|\/)(?:\.docker\/config\.json|\.config\/gcloud(?:\/|$)|\.gemini\/(?:oauth_creds|google_accounts)\.json)/;
/** Settings, rules and hooks, from which follows what runs without asking. */
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
