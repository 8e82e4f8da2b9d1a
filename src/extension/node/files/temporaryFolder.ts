/*
 * Creates temporary folders. A folder's name contains its process id and PID namespace, so that the next process that
 * creates one removes the folders of killed processes.
 */

import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from '../../base/once.ts';
import { isAlive } from './fileLock.ts';

/** Resolves with the absolute path; the caller removes the folder. @param kind a word that describes the purpose */
export async function makeTemporaryFolder(kind: string): Promise<string> {
  const namespace = await pidNamespace();
  void removeLeftOver(namespace);
  return await mkdtemp(join(tmpdir(), `folio-${kind}-${process.pid}-${namespace}-`));
}

/** An hour. Another container may share the folder, and its processes are not visible here. */
const spared = 3_600_000;

/** Removes folders of processes that ended without cleanup. Ignores what cannot be removed. */
async function removeLeftOver(namespace: string): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names) {
    const [, pid, ofNamespace] =
      /^folio-(?:sandbox|git|probe|notebook|browser)-(\d+)-(?:(\w+)-)?\w+$/.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const folder = join(tmpdir(), name);
    const made = await stat(folder).catch(() => undefined);
    const isOurs = namespace !== unknown && ofNamespace === namespace;
    if (made && (isOurs || Date.now() - made.mtimeMs > spared))
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Used if the system does not reveal the namespace. */
const unknown = 'unknown';

/** Identifies the scope of process ids: this boot of the system, and a PID namespace, which containers do not share. */
const pidNamespace = once(async () => {
  try {
    const namespace = await readlink('/proc/self/ns/pid');
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    return createHash('sha256').update(`${namespace} ${boot}`).digest('hex').slice(0, 12);
  } catch {
    return unknown;
  }
});
