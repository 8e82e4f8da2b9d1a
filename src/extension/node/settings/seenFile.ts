import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SeenItems } from '../../platform/customizations/seenItems.ts';

/**
 * Fingerprints in a file, one a line; lines are only ever added, so that windows do not get in each other's way. A
 * line of its own says that a fingerprint is forgotten, and the newest line about a fingerprint counts.
 */
export class SeenFile implements SeenItems {
  private readonly path: string;

  /** @param path absolute; need not exist */
  constructor(path: string) {
    this.path = path;
  }

  /** The file of a user. A thing that they let count in one window counts in all their windows and runs. */
  static ofUser(home: string): SeenFile {
    return new SeenFile(join(home, '.folio', 'seen.txt'));
  }

  async isSeen(fingerprint: string): Promise<boolean> {
    // A file that is missing or cannot be read has seen nothing.
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
