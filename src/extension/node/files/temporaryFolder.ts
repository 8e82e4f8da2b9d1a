/*
 * Temporary folders. The name of one holds its process and the namespace in which that number holds, so that the next
 * process that makes one removes what a killed one left.
 */

import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from '../../base/once.ts';
import { isAlive } from './fileLock.ts';

/** Absolute; whoever asks for it removes it. @param kind a word that says what it is for */
export async function makeTemporaryFolder(kind: string): Promise<string> {
  const namespace = await pidNamespace();
  void removeLeftOver(namespace);
  return await mkdtemp(join(tmpdir(), `folio-${kind}-${process.pid}-${namespace}-`));
}

/** An hour: another container may share the folder, whose processes cannot be seen from here. */
const spared = 3_600_000;

/** Removes the folders of processes that ended without doing so. What cannot be removed is left. */
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

/** Where the system does not show them. */
const unknown = 'unknown';

/** Names what process numbers hold for: this start of this system, and a namespace that containers do not share. */
const pidNamespace = once(async () => {
  try {
    const namespace = await readlink('/proc/self/ns/pid');
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    return createHash('sha256').update(`${namespace} ${boot}`).digest('hex').slice(0, 12);
  } catch {
    return unknown;
  }
});
