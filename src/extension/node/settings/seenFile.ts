import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SeenItems } from '../../platform/customizations/seenItems.ts';

/**
 * Fingerprints in a file, one a line; lines are only ever added, so that windows do not get in each other's way. What
 * is forgotten gets a line that says so, and of several about one fingerprint the newest counts.
 */
export class SeenFile implements SeenItems {
  private readonly path: string;

  /** @param path absolute; need not exist */
  constructor(path: string) {
    this.path = path;
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
