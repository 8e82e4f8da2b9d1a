/*
 * The folder of the user's background host: its address, its record and settings of its sessions. Nobody else may
 * open it, which is checked before anything in it counts.
 */

import { createHash, randomBytes } from 'node:crypto';
import { lstat, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { t } from '../../../protocol/language.ts';
import { SpokenError } from '../../base/errors.ts';
import { tryParseJson } from '../../base/record.ts';
import { writeAtomically } from '../../node/files/atomicWrite.ts';
import { isMissing } from '../../node/files/fileErrors.ts';
import { folderIn, recordName } from './hostPlace.ts';

const address = z.object({ socket: z.string(), token: z.string().min(32) });
export type HostAddress = z.infer<typeof address>;

const recorded = z.object({
  args: z.array(z.string()),
  cwd: z.string(),
  folders: z.array(z.string()).optional(),
  /** Absent: it has not begun. */
  sessionId: z.string().optional(),
  title: z.string(),
  /** Prompts that it had as it came; absent: it has not begun. */
  prompts: z.number().optional(),
  /** The prompt of an earlier order, which may not have reached the journal; absent: that of the arguments. */
  due: z.string().optional(),
  /** It works there, also when nothing of it has reached the disk. */
  worktree: z.object({ name: z.string(), path: z.string(), home: z.string(), base: z.string() }).optional(),
  container: z.object({ inside: z.string() }).optional(),
  /** The command that is still to set its worktree up. */
  setUp: z.string().optional(),
});
/** A session as the record holds it: what another host needs to run it, but for the environment. */
export type RecordedSession = z.infer<typeof recorded>;

export class HostFolder {
  readonly path: string;

  /** @param home absolute */
  constructor(home: string) {
    this.path = folderIn(home);
  }

  get lock(): string {
    return join(this.path, 'lock');
  }

  get log(): string {
    return join(this.path, 'host.log');
  }

  /** Makes it where it is missing. Throws when others can open it. */
  async prepare(): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    await this.check();
  }

  /** False when there is none. Throws when it is another user's, or others can open it. */
  async check(): Promise<boolean> {
    const found = await lstat(this.path).catch(error => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (!found) return false;
    const mine = process.getuid?.();
    const isPrivate = mine === undefined || (found.uid === mine && (found.mode & 0o077) === 0);
    if (found.isDirectory() && isPrivate) return true;
    throw new SpokenError(() =>
      t(
        'Other users can open {0}, so no session runs in the background. Change its permissions so that only you can open it.',
        this.path,
      ),
    );
  }

  /** For a new host. Each has a name of its own, so that none removes the socket of another. */
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
    return z.array(recorded).safeParse(await this.read(recordName)).data ?? [];
  }

  async writeRecord(sessions: readonly RecordedSession[]): Promise<void> {
    // Windows take the file for a sign that there are some.
    if (sessions.length === 0) await rm(join(this.path, recordName), { force: true });
    else await this.write(recordName, sessions);
  }

  /** Keeps the settings of a window for a session that it hands over. Returns the path of the file. */
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
