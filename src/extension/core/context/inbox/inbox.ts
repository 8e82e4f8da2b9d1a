/* The inbox of proposals. Nothing of it counts before the user accepts it, in the words that they saw. */

import { t } from '../../../../protocol/language.ts';
import type { InboxEntry, InboxTarget } from '../../../../protocol/panel/inbox.ts';
import { Emitter } from '../../../base/emitter.ts';
import type { FileSystem } from '../../../platform/fileSystem.ts';
import type { SharedText } from '../../../platform/storage.ts';
import type { MemoryPlace } from '../memoryPlace.ts';
import { formatInbox, type InboxContent, parseInbox } from './inboxContent.ts';
import { type Proposal, titleOf } from './parseProposals.ts';
import { saveEntry } from './saveEntry.ts';

interface InboxPorts {
  readonly file: SharedText;
  readonly files: Pick<FileSystem, 'stat' | 'realPath' | 'readText' | 'writeText'>;
  readonly place: () => MemoryPlace;
}

/** The outcome of a decision. */
export type Decided =
  | { readonly kind: 'done'; readonly entry: InboxEntry; readonly path?: string }
  /** Nothing happened; the sentence says why. */
  | { readonly kind: 'refused'; readonly sentence: string };

/** The part of a session that was reviewed for proposals. */
export interface Reviewed {
  readonly sessionId: string;
  readonly session: string;
  readonly until: number;
  readonly at: number;
}

export class Inbox {
  private readonly ports: InboxPorts;
  private readonly changed = new Emitter<void>();

  /** Entries came or went in this process. */
  readonly onDidChange = this.changed.event;

  constructor(ports: InboxPorts) {
    this.ports = ports;
  }

  /** Oldest first. Rejects with a sentence when the file cannot be read. */
  async list(): Promise<readonly InboxEntry[]> {
    return (await this.read()).entries;
  }

  async read(): Promise<InboxContent> {
    return this.parse(await this.ports.file.read());
  }

  async add(proposals: readonly Proposal[], { sessionId, session, until, at }: Reviewed): Promise<void> {
    await this.change(content => {
      const entries = proposals.map((proposal, index) => {
        return { ...proposal, number: content.next + index, at, sessionId, session };
      });
      return {
        ...content,
        entries: [...content.entries, ...entries],
        seen: { ...content.seen, [sessionId]: until },
        next: content.next + entries.length,
      };
    });
  }

  /**
   * Writes the entry where it counts and takes it out of the inbox.
   * @param text the words that the user saw, edited or not; absent: as proposed
   */
  async accept(number: number, target: InboxTarget, text?: string): Promise<Decided> {
    const entry = await this.find(number);
    if (!entry) return gone(number);
    const saved = await saveEntry(this.ports, text === undefined ? entry : { ...entry, text }, target);
    if (saved.kind === 'refused') return saved;
    await this.remove(entry);
    return { kind: 'done', entry, path: saved.path };
  }

  async drop(number: number): Promise<Decided> {
    const entry = await this.find(number);
    if (!entry) return gone(number);
    await this.remove(entry);
    return { kind: 'done', entry };
  }

  /** Puts other words in its place, which wait as it did. */
  async edit(number: number, text: string): Promise<Decided> {
    const entry = await this.find(number);
    if (!entry) return gone(number);
    await this.change(content => ({
      ...content,
      entries: content.entries.map(each => (each.number === number ? { ...each, text } : each)),
      // The words of the model are not proposed again either.
      decided: [...content.decided, titleOf(entry)],
    }));
    return { kind: 'done', entry: { ...entry, text } };
  }

  private async find(number: number): Promise<InboxEntry | undefined> {
    return (await this.list()).find(entry => entry.number === number);
  }

  private remove(entry: InboxEntry): Promise<void> {
    return this.change(content => ({
      ...content,
      entries: content.entries.filter(({ number }) => number !== entry.number),
      decided: [...content.decided, titleOf(entry)],
    }));
  }

  private async change(turn: (content: InboxContent) => InboxContent): Promise<void> {
    await this.ports.file.change(text => formatInbox(turn(this.parse(text))));
    this.changed.fire();
  }

  private parse(text: string | undefined): InboxContent {
    return parseInbox(text, this.ports.file.path ?? '');
  }
}

function gone(number: number): Decided {
  return { kind: 'refused', sentence: t('The inbox has no entry {0}.', number) };
}
