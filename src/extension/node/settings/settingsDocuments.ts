import type { SettingsDocument, SettingsDocuments } from '../../platform/settingsDocuments.ts';
import { isMissing } from '../files/fileErrors.ts';
import { readBounded } from '../files/readBounded.ts';
import { StatSnapshot } from '../files/statSnapshot.ts';
import { parseTolerantJson } from '../files/tolerantJson.ts';

/** The content of a file, with a snapshot from when it was read. */
interface Reading {
  readonly document: SettingsDocument | undefined;
  readonly snapshot: StatSnapshot;
  /** False if it may have changed since without a visible difference. */
  readonly isSettled: boolean;
}

/** No hand-written settings file is longer. */
const maxBytes = 4 * 1024 * 1024;

/** Reads saved files only; unsaved text of an editor does not count. */
export class NodeSettingsDocuments implements SettingsDocuments {
  private readonly now: () => number;
  private readonly readText: typeof readBounded;
  private readonly readings = new Map<string, Reading>();
  private readonly running = new Map<string, Promise<SettingsDocument | undefined>>();

  /** @param now returns milliseconds, for comparison with file times */
  constructor(now: () => number = Date.now, readText: typeof readBounded = readBounded) {
    this.now = now;
    this.readText = readText;
  }

  /** Reads once for concurrent callers. */
  read(path: string): Promise<SettingsDocument | undefined> {
    const running = this.running.get(path) ?? this.readOnce(path).finally(() => this.running.delete(path));
    this.running.set(path, running);
    return running;
  }

  private async readOnce(path: string): Promise<SettingsDocument | undefined> {
    const known = this.readings.get(path);
    if (known?.isSettled && (await known.snapshot.isUnchanged())) return known.document;
    const at = this.now();
    const snapshot = new StatSnapshot();
    const document = await this.readAgain(path, snapshot, known?.document);
    // The reason why a file is unreadable may be temporary.
    const isSettled = document?.status !== 'unreadable' && snapshot.isSettled(at);
    this.readings.set(path, { document, snapshot, isSettled });
    return document;
  }

  private async readAgain(
    path: string,
    snapshot: StatSnapshot,
    before: SettingsDocument | undefined,
  ): Promise<SettingsDocument | undefined> {
    try {
      await snapshot.scan(path);
      const text = await this.readText(path, maxBytes);
      const isSame = before !== undefined && before.status !== 'unreadable' && before.text === text;
      return isSame ? before : await parseDocument(text);
    } catch (error) {
      return isMissing(error) ? undefined : { status: 'unreadable', error };
    }
  }
}

async function parseDocument(text: string): Promise<SettingsDocument> {
  // An empty file sets nothing.
  if (text.replace(/^\uFEFF/, '').trim() === '') return { status: 'parsed', text, content: {} };
  try {
    const content = await parseTolerantJson(text);
    // Fails for content too deeply nested to walk.
    JSON.stringify(content);
    return { status: 'parsed', text, content };
  } catch (error) {
    return { status: 'damaged', text, error };
  }
}
