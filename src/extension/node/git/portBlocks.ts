/*
 * Reserves ten ports per worktree, so that servers of different sessions do not collide. A file named after the first
 * port contains the path of the worktree, and exists as long as that:
 *
 *     <folder>/27310
 *
 * The file is created exclusively, so concurrent windows get different blocks.
 */

import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';

const blockSize = 10;
/** Below the ports that systems assign to clients, above those of well-known services. */
const firstPort = 21_000;
const blocks = 1100;

export class PortBlocks {
  private readonly folder: string;

  /** @param folder absolute path, the same for all of the user's worktrees */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** Returns the first port of the worktree's block. Its ports are free when chosen, and stay reserved. */
  async claim(worktree: string): Promise<number> {
    const known = await this.find(worktree);
    if (known !== undefined) return known;
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const start = createHash('sha256').update(worktree).digest().readUInt32BE() % blocks;
    for (let at = 0; at < blocks; at++) {
      const base = firstPort + ((start + at) % blocks) * blockSize;
      if (!(await this.take(base, worktree))) continue;
      if (await areFree(base)) return base;
      await this.giveBack(base);
    }
    throw new LocalizedError(() => t('No ports are free for the worktree {0}.', worktree));
  }

  async release(worktree: string): Promise<void> {
    const base = await this.find(worktree);
    if (base !== undefined) await this.giveBack(base);
  }

  private async find(worktree: string): Promise<number | undefined> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.folder))
      if ((await readFile(join(this.folder, name), 'utf8').catch(goneMeanwhile)) === worktree)
        return Number(name);
    return undefined;
  }

  private async take(base: number, worktree: string): Promise<boolean> {
    try {
      await writeFile(join(this.folder, String(base)), worktree, { flag: 'wx' });
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    }
  }

  private async giveBack(base: number): Promise<void> {
    await rm(join(this.folder, String(base)), { force: true });
  }
}

function goneMeanwhile(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}

async function areFree(base: number): Promise<boolean> {
  for (let port = base; port < base + blockSize; port++)
    for (const host of ['127.0.0.1', '::1']) if (!(await isFree(port, host))) return false;
  return true;
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer();
    // A machine without IPv6 has no listener there.
    server.once('error', error => resolve(codeOf(error) !== 'EADDRINUSE' && codeOf(error) !== 'EACCES'));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
