import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty folder by its real path, which is removed as the running test ends. */
export async function temporaryFolder(prefix: string): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), prefix)));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
