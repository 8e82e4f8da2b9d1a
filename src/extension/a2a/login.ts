import { t } from '../../protocol/language.ts';
import {
  type LoginSecret,
  RemoteAgentError,
  type RemoteAgentServer,
} from '../core/agents/remote/remoteAgents.ts';

export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  /** Values to mask in everything that a server sends. */
  readonly values: readonly string[];
}

export type Variables = Readonly<Record<string, string | undefined>>;

/** Throws a `RemoteAgentError` if a variable is missing. */
export function readCredentials({ login, ofWorkspace }: RemoteAgentServer, env: Variables): Credentials {
  if (login === undefined) return { headers: {}, values: [] };
  const read = (secret: LoginSecret) => readSecret(secret, env, ofWorkspace);
  if (login.kind === 'header') {
    const value = read(login.secret);
    return { headers: { [login.header]: `${login.prefix}${value}` }, values: [value] };
  }
  const [user, password] = [read(login.user), read(login.password)];
  const joined = Buffer.from(`${user}:${password}`).toString('base64');
  return { headers: { authorization: `Basic ${joined}` }, values: [password, joined] };
}

function readSecret(secret: LoginSecret, env: Variables, ofWorkspace: boolean): string {
  if ('text' in secret) return checked(secret.text, () => t('The key in its file cannot be sent.'));
  const { variable } = secret;
  if (ofWorkspace && /^(GEMINI|GOOGLE|OPENAI|ANTHROPIC)_(\w+_)?API_?KEY$/i.test(variable))
    throw new RemoteAgentError(() =>
      t('{0} is a key of Folio, which workspace agents cannot use.', variable),
    );
  const value = env[variable]?.trim();
  if (value === undefined || value === '')
    throw new RemoteAgentError(() =>
      t('The agent needs the environment variable {0}, which is not set.', variable),
    );
  return checked(value, () => t('The value of {0} cannot be sent.', variable));
}

/** Header values allow no line breaks, and no characters beyond Latin-1. */
function checked(value: string, say: () => string): string {
  if (/^[\x20-\x7e\xa0-\xff]+$/.test(value)) return value;
  throw new RemoteAgentError(say);
}
