import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns whether Google's library would find credentials. Checks the same places in the same order, but reads and uses
 * none, and does not load the library.
 */
export async function hasGoogleCredentials(env: Environment): Promise<boolean> {
  const named = env.GOOGLE_APPLICATION_CREDENTIALS;
  if (named) return exists(named);
  const folder = gcloudFolder(env);
  if (folder !== undefined && (await exists(join(folder, 'application_default_credentials.json'))))
    return true;
  return env.METADATA_SERVER_DETECTION !== 'none' && (await runsAtGoogle(env));
}

function gcloudFolder(env: Environment): string | undefined {
  if (env.CLOUDSDK_CONFIG) return env.CLOUDSDK_CONFIG;
  if (process.platform === 'win32') return env.APPDATA && join(env.APPDATA, 'gcloud');
  return env.HOME && join(env.HOME, '.config', 'gcloud');
}

/** There a metadata server provides credentials. Probing for it would take seconds everywhere else. */
async function runsAtGoogle(env: Environment): Promise<boolean> {
  if (env.GCE_METADATA_HOST || env.GCE_METADATA_IP || env.K_SERVICE || env.CLOUD_RUN_JOB) return true;
  if (process.platform !== 'linux') return false;
  // The machine's vendor. The file is missing elsewhere, and in many containers.
  const product = await readFile('/sys/class/dmi/id/product_name', 'utf8').catch(() => '');
  return product.startsWith('Google');
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
