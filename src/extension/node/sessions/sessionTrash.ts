import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import { isMissing, toFileError } from '../files/fileErrors.ts';
import { fileExists } from '../files/fileExists.ts';

/** Folders of deleted sessions, named by time and id: `1763712000000_<id>`. They are moved, not copied. */
export class SessionTrash {
  private readonly folder: string;

  /** `folder`: absolute path on the disk of the sessions, created with the first deletion. */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** Returns the new path. */
  async put(from: string, sessionId: string, now: number): Promise<string> {
    const place = join(this.folder, `${Math.floor(now)}_${sessionId}`);
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      await rename(from, place);
      return place;
    } catch (error) {
      throw toFileError(error, from);
    }
  }

  /** Restores the latest one if there are several. */
  async take(sessionId: string, to: string): Promise<void> {
    const [newest] = (await this.list())
      .filter(each => each.sessionId === sessionId)
      .sort((a, b) => b.deletedAt - a.deletedAt);
    if (!newest) throw new LocalizedError(() => t('This session is no longer in the trash.'));
    if (await fileExists(to)) throw new LocalizedError(() => t('This session is already here.'));
    try {
      await rename(join(this.folder, newest.name), to);
    } catch (error) {
      throw toFileError(error, to);
    }
  }

  async empty(before: number): Promise<void> {
    const old = (await this.list()).filter(({ deletedAt }) => deletedAt < before);
    for (const { name } of old) {
      const path = join(this.folder, name);
      await rm(path, { recursive: true, force: true }).catch(error => {
        throw toFileError(error, path);
      });
    }
  }

  private async list(): Promise<readonly Deleted[]> {
    try {
      return (await readdir(this.folder)).flatMap(name => {
        const [, time, sessionId] = /^(\d{1,16})_(.+)$/.exec(name) ?? [];
        return time && sessionId ? [{ name, sessionId, deletedAt: Number(time) }] : [];
      });
    } catch (error) {
      if (isMissing(error)) return [];
      throw toFileError(error, this.folder);
    }
  }
}

interface Deleted {
  readonly name: string;
  readonly sessionId: string;
  readonly deletedAt: number;
}
