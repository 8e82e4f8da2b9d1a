import { access } from 'node:fs/promises';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

const variables = [
  'AWS_BEARER_TOKEN_BEDROCK',
  'AWS_ACCESS_KEY_ID',
  'AWS_PROFILE',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
] as const;

/**
 * Returns whether any place where Amazon's library looks for credentials exists. Reads and uses none of them, and does
 * not load the library. Does not detect an AWS machine, because that check takes seconds elsewhere.
 */
export async function hasAwsCredentials(env: Environment): Promise<boolean> {
  if (variables.some(name => env[name])) return true;
  const home = env.HOME || env.USERPROFILE;
  const own = (name: string) => (home ? join(home, '.aws', name) : undefined);
  const files = [env.AWS_SHARED_CREDENTIALS_FILE || own('credentials'), env.AWS_CONFIG_FILE || own('config')];
  return (await Promise.all(files.map(exists))).includes(true);
}

async function exists(path: string | undefined): Promise<boolean> {
  if (path === undefined) return false;
  return access(path).then(
    () => true,
    () => false,
  );
}
