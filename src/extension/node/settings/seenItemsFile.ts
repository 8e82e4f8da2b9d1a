import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SeenItems } from '../../platform/customizations/seenItems.ts';

/**
 * Fingerprints in an append-only file, one per line, so that windows do not conflict. A separate line revokes a
 * fingerprint, and the newest line about one counts.
 */
export class SeenItemsFile implements SeenItems {
  private readonly path: string;

  /** @param path absolute path, need not exist */
  constructor(path: string) {
    this.path = path;
  }

  /** The user's file. An approval in one window applies to all their windows and runs. */
  static ofUser(home: string): SeenItemsFile {
    return new SeenItemsFile(join(home, '.folio', 'seen.txt'));
  }

  async isSeen(fingerprint: string): Promise<boolean> {
    // A missing or unreadable file contains no approvals.
    const text = await readFile(this.path, 'utf8').catch(() => '');
    const lines = text.split('\n');
    return fingerprint !== '' && lines.lastIndexOf(fingerprint) > lines.lastIndexOf(forgotten(fingerprint));
  }

  async markSeen(fingerprints: readonly string[]): Promise<void> {
    await this.add(fingerprints);
  }

  async forget(fingerprints: readonly string[]): Promise<void> {
    await this.add(fingerprints.map(forgotten));
  }

  private async add(lines: readonly string[]): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true });
    await appendFile(this.path, lines.map(line => `${line}\n`).join(''), { mode: 0o600 });
  }
}

function forgotten(fingerprint: string): string {
  return `forgotten ${fingerprint}`;
}
