/*
 * The folder of the user's background host: its address, its record, and the settings of its sessions. Content counts
 * only after a check that no other user can access it.
 */

import { createHash, randomBytes } from 'node:crypto';
import { lstat, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import { tryParseJson } from '../../base/record.ts';
import { writeAtomically } from '../../node/files/atomicWrite.ts';
import { isMissing } from '../../node/files/fileErrors.ts';
import { hostFolderIn, hostRecordName } from './hostPlace.ts';

const address = z.object({ socket: z.string(), token: z.string().min(32) });
export type HostAddress = z.infer<typeof address>;

const recorded = z.object({
  args: z.array(z.string()),
  cwd: z.string(),
  folders: z.array(z.string()).optional(),
  /** Omitted before it has begun. */
  sessionId: z.string().optional(),
  title: z.string(),
  /** Number of prompts it had on arrival. Omitted before it has begun. */
  prompts: z.number().optional(),
  /** The prompt of an earlier order that may not be in the journal. Defaults to that of the arguments. */
  due: z.string().optional(),
  /** The worktree in which it works, even if nothing of it is saved yet. */
  worktree: z.object({ name: z.string(), path: z.string(), home: z.string(), base: z.string() }).optional(),
  container: z.object({ inside: z.string() }).optional(),
  /** Command that must still set its worktree up. */
  setUp: z.string().optional(),
});
/** A recorded session: everything that another host needs to run it, except the environment. */
export type RecordedSession = z.infer<typeof recorded>;

export class HostFolder {
  readonly path: string;

  /** @param home absolute path */
  constructor(home: string) {
    this.path = hostFolderIn(home);
  }

  get lock(): string {
    return join(this.path, 'lock');
  }

  get log(): string {
    return join(this.path, 'host.log');
  }

  /** Creates the folder if it is missing. Throws if others can access it. */
  async prepare(): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    await this.check();
  }

  /** Resolves to false if there is no folder. Throws if it belongs to another user, or others can access it. */
  async check(): Promise<boolean> {
    const found = await lstat(this.path).catch(error => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (!found) return false;
    const mine = process.getuid?.();
    const isPrivate = mine === undefined || (found.uid === mine && (found.mode & 0o077) === 0);
    if (found.isDirectory() && isPrivate) return true;
    throw new LocalizedError(() =>
      t(
        'Other users can open {0}, so no session runs in the background. Change its permissions so that only you can open it.',
        this.path,
      ),
    );
  }

  /** An address for a new host. The name is unique, so that no host removes another's socket. */
  makeAddress(): HostAddress {
    const name = `${process.pid}-${randomBytes(4).toString('hex')}`;
    const pipe = createHash('sha256').update(`${this.path} ${name}`).digest('hex').slice(0, 24);
    const isWindows = process.platform === 'win32';
    const socket = isWindows ? `\\\\.\\pipe\\folio-${pipe}` : join(this.path, `${name}.sock`);
    return { socket, token: randomBytes(32).toString('hex') };
  }

  async readAddress(): Promise<HostAddress | undefined> {
    if (!(await this.check())) return undefined;
    return address.safeParse(await this.read('address.json')).data;
  }

  async writeAddress(made: HostAddress): Promise<void> {
    await this.write('address.json', made);
  }

  async removeAddress({ socket, token }: HostAddress): Promise<void> {
    if (process.platform !== 'win32') await rm(socket, { force: true });
    if ((await this.readAddress())?.token === token) await rm(join(this.path, 'address.json'));
  }

  async readRecord(): Promise<readonly RecordedSession[]> {
    if (!(await this.check())) return [];
    return z.array(recorded).safeParse(await this.read(hostRecordName)).data ?? [];
  }

  async writeRecord(sessions: readonly RecordedSession[]): Promise<void> {
    // Windows check whether the file exists to see whether there are sessions.
    if (sessions.length === 0) await rm(join(this.path, hostRecordName), { force: true });
    else await this.write(hostRecordName, sessions);
  }

  /** Saves a window's settings for a session that it hands over. Returns the path of the file. */
  async writeSettings(sessionId: string, settings: object): Promise<string> {
    await this.prepare();
    const name = settingsName(sessionId);
    await this.write(name, settings);
    return join(this.path, name);
  }

  async removeSettings(sessionId: string): Promise<void> {
    await rm(join(this.path, settingsName(sessionId)), { force: true });
  }

  private async read(name: string): Promise<unknown> {
    const text = await readFile(join(this.path, name), 'utf8').catch(error => {
      if (isMissing(error)) return '';
      throw error;
    });
    return tryParseJson(text);
  }

  private async write(name: string, value: unknown): Promise<void> {
    await writeAtomically(join(this.path, name), Buffer.from(JSON.stringify(value)), { mode: 0o600 });
  }
}

function settingsName(sessionId: string): string {
  return `settings-${sessionId.replace(/[^\w-]/g, '_')}.json`;
}
