import type { FileSystem } from '../../platform/fileSystem.ts';
import type { Machine } from '../../platform/machine.ts';
import type { OuterSandbox } from './sections/facts.ts';

/** Files of Docker and Podman. */
const markFiles = ['/.dockerenv', '/run/.containerenv'];
/** Variables of systemd-nspawn and Podman, dev containers and Codespaces. */
const markVariables = ['SANDBOX', 'container', 'REMOTE_CONTAINERS', 'CODESPACES'];

/** Detects a container or sandbox around Folio by the marks of container engines. */
export async function findOuterSandbox(
  files: Pick<FileSystem, 'stat'>,
  { env, platform }: Machine,
): Promise<OuterSandbox> {
  if (env.SANDBOX === 'sandbox-exec') return 'seatbelt';
  if (markVariables.some(name => env[name])) return 'container';
  if (platform !== 'linux') return 'none';
  const found = await Promise.all(markFiles.map(path => files.stat(path)));
  return found.some(stat => stat !== undefined) ? 'container' : 'none';
}
