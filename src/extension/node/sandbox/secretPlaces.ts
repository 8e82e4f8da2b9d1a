/* Paths and variables hidden from sandboxed commands: secrets outside of the workspace, and in the environment. */

import { readdir } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** Below the home folder: keys, logins, histories, keyrings, browser profiles, agent sessions. */
const homePlaces: readonly string[] = [
  ...['.ssh', '.aws', '.gnupg', '.azure', '.kube', '.docker', '.oci', '.terraform.d', '.vault-token'],
  ...['.netrc', '_netrc', '.npmrc', '.yarnrc', '.yarnrc.yml', '.pypirc', '.pgpass', '.my.cnf', '.boto'],
  ...['.git-credentials', '.config/git/credentials', '.config/gh', '.config/hub', '.config/glab-cli'],
  ...['.config/gcloud', '.config/doctl', '.config/op', '.config/rclone', '.config/sops', '.config/age'],
  ...['.config/pip/pip.conf', '.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials'],
  ...['.m2/settings.xml', '.gradle/gradle.properties', '.nuget/NuGet', '.composer/auth.json'],
  ...['.bash_history', '.zsh_history', '.zhistory', '.history', '.local/share/fish/fish_history'],
  ...['.python_history', '.node_repl_history', '.psql_history', '.mysql_history', '.sqlite_history'],
  ...['.rediscli_history', '.lesshst', '.viminfo', '.wget-hsts', '.Xauthority', '.ICEauthority'],
  ...['.local/share/keyrings', '.local/share/kwalletd', '.password-store', '.config/keepassxc', '.pki'],
  ...['.mozilla', '.thunderbird', '.config/google-chrome', '.config/chromium', '.config/microsoft-edge'],
  ...['.config/BraveSoftware', '.config/vivaldi', '.config/opera', '.cache/mozilla', '.cache/google-chrome'],
  ...['.var/app', 'snap/firefox', 'snap/chromium', '.config/Slack', '.config/discord', '.config/Signal'],
  ...['.claude.json', '.claude', '.gemini', '.codex', '.copilot', '.cursor', '.folio', '.continue', '.aider'],
  ...['.config/github-copilot', '.config/goose', '.local/share/opencode', '.local/share/goose'],
  ...['.config/Code/User', '.config/Code - OSS/User', '.config/VSCodium/User', '.config/Cursor/User'],
  ...['.vscode-server/data/User', '.vscode-remote/data/User', '.local/share/code-server/User'],
  ...['Library/Keychains', 'Library/Cookies', 'Library/Application Support/Google/Chrome'],
  ...['Library/Application Support/Firefox', 'Library/Application Support/Code/User', 'Library/Safari'],
];

const systemPlaces: readonly string[] = [
  ...['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers', '/etc/sudoers.d'],
  ...['/etc/ssl/private', '/etc/krb5.keytab', '/etc/NetworkManager/system-connections', '/etc/wireguard'],
  ...['/etc/kubernetes', '/etc/rancher', '/etc/docker', '/var/lib/docker', '/var/lib/containerd'],
  ...['/var/log', '/var/spool', '/var/mail', '/var/backups', '/boot', '/lost+found'],
];

interface SecretPlaces {
  readonly home: string;
  /** Absolute workspace folders. */
  readonly folders: () => readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Absolute paths, which need not exist. */
export async function listSecretPlaces({
  home,
  folders,
  env = process.env,
}: SecretPlaces): Promise<readonly string[]> {
  const [hostKeys, homes] = await Promise.all([namesIn('/etc/ssh'), namesIn('/home')]);
  return [
    ...systemPlaces,
    ...hostKeys.filter(name => name.endsWith('_key')).map(name => join('/etc/ssh', name)),
    // A command run by root could read those of all users.
    ...['/root', ...homes.map(name => join('/home', name))].filter(path => !liesWithin(home, path)),
    ...homePlaces.map(place => join(home, place)),
    ...credentialFiles(env).filter(path => ![home, ...folders()].some(each => liesWithin(each, path))),
  ];
}

/**
 * Variables that name a credential file or folder, or a list of them: command lines of Google, Amazon and Azure,
 * Kubernetes, package managers, databases, and all with such suffixes.
 */
const credentialVariable =
  /(?:CREDENTIALS?|TOKEN|SECRETS?|PASS(?:WORD|WD)?|(?:API|PRIVATE|ACCOUNT|CLIENT|SSL|TLS|SIGNING)_?KEY)(?:_?(?:FILE|PATH))?$|^(?:KUBECONFIG|DOCKER_CONFIG|NETRC|PGPASSFILE|PGSERVICEFILE|MYSQL_TEST_LOGIN_FILE|(?:npm|NPM)_(?:config|CONFIG)_(?:user|USER)(?:config|CONFIG)|PIP_CONFIG_FILE|AWS_CONFIG_FILE|AZURE_CONFIG_DIR|AZURE_CLIENT_CERTIFICATE_PATH|CLOUDSDK_CONFIG|BOTO_CONFIG|BOTO_PATH|OCI_CLI_CONFIG_FILE|OCI_CLI_KEY_FILE|TF_CLI_CONFIG_FILE|GH_CONFIG_DIR|GNUPGHOME|PASSWORD_STORE_DIR|RCLONE_CONFIG|SOPS_AGE_KEY_FILE|DOCTL_CONFIG|TWINE_CONFIG|CARGO_REGISTRIES_FILE)$/;

function credentialFiles(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value = '']) =>
    credentialVariable.test(name) ? value.split(delimiter).filter(isAbsolute) : [],
  );
}

/** Returns whether a path is the folder or lies below it. */
export function liesWithin(path: string, folder: string): boolean {
  return path === folder || folder === '/' || path.startsWith(`${folder}/`);
}

/** Removes variables that grant access: keys, tokens, and addresses of agents and desktops. */
export function withoutSecretVariables(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(([name, value]) => !secretName.test(name) && !secretValue.test(value)),
  );
}

const secretName =
  /(?:KEY|TOKEN|SECRET|PASSW|PASSPHRASE|PWD_|CREDENTIAL|COOKIE|SESSION|_AUTH|_PAT$|_DSN$|DATABASE_URL|CONNECTION_STRING)|^(?:SSH_|GPG_|DBUS_|DISPLAY$|WAYLAND_|XAUTHORITY$|XDG_RUNTIME_DIR$|DOCKER_|KUBECONFIG$|PG|MYSQL_|REDIS_|AWS_|AZURE_|ARM_|GOOGLE_|GCLOUD_|CLOUDSDK_|VAULT_|TMUX|STY$|WSL_INTEROP$|BASH_ENV$|ENV$|LD_|.*_proxy$)/i;
/** A password in a URL. */
const secretValue = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i;

async function namesIn(folder: string): Promise<readonly string[]> {
  // Most systems lack one of them. A folder that cannot be listed is ignored.
  return await readdir(folder).catch(() => []);
}
