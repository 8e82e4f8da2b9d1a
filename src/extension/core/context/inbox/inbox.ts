/* The inbox of proposals. An entry has no effect before the user accepts it, in the words shown. */

import { t } from '../../../../protocol/language.ts';
import type { InboxEntry, InboxTarget } from '../../../../protocol/panel/inbox.ts';
import { Emitter } from '../../../base/emitter.ts';
import type { FileSystem } from '../../../platform/fileSystem.ts';
import type { SharedText } from '../../../platform/storage.ts';
import type { MemorySources } from '../memoryPlace.ts';
import { formatInbox, type InboxContent, parseInbox } from './inboxContent.ts';
import { type InboxProposal, proposalTitle } from './parseProposals.ts';
import { saveEntry } from './saveEntry.ts';

interface InboxPorts {
  readonly file: SharedText;
  readonly files: Pick<FileSystem, 'stat' | 'realPath' | 'readText' | 'writeText'>;
  readonly place: () => MemorySources;
}

export type InboxDecision =
  | { readonly kind: 'done'; readonly entry: InboxEntry; readonly path?: string }
  /** Nothing happened; the sentence explains why. */
  | { readonly kind: 'refused'; readonly sentence: string };

interface ReviewedPart {
  readonly sessionId: string;
  readonly session: string;
  readonly until: number;
  readonly at: number;
}

export class Inbox {
  private readonly ports: InboxPorts;
  private readonly changed = new Emitter<void>();

  /** Fires when this process changed the entries. */
  readonly onDidChange = this.changed.event;

  constructor(ports: InboxPorts) {
    this.ports = ports;
  }

  /** Oldest first. Rejects with a sentence if the file cannot be read. */
  async list(): Promise<readonly InboxEntry[]> {
    return (await this.read()).entries;
  }

  async read(): Promise<InboxContent> {
    return this.parse(await this.ports.file.read());
  }

  async add(
    proposals: readonly InboxProposal[],
    { sessionId, session, until, at }: ReviewedPart,
  ): Promise<void> {
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
   * Saves the entry at its target and removes it from the inbox.
   * @param text the words shown to the user, maybe edited; absent: as proposed
   */
  async accept(number: number, target: InboxTarget, text?: string): Promise<InboxDecision> {
    const entry = await this.find(number);
    if (!entry) return gone(number);
    const saved = await saveEntry(this.ports, text === undefined ? entry : { ...entry, text }, target);
    if (saved.kind === 'refused') return saved;
    await this.remove(entry);
    return { kind: 'done', entry, path: saved.path };
  }

  async drop(number: number): Promise<InboxDecision> {
    const entry = await this.find(number);
    if (!entry) return gone(number);
    await this.remove(entry);
    return { kind: 'done', entry };
  }

  async edit(number: number, text: string): Promise<InboxDecision> {
    const entry = await this.find(number);
    if (!entry) return gone(number);
    await this.change(content => ({
      ...content,
      entries: content.entries.map(each => (each.number === number ? { ...each, text } : each)),
      // The model's original text is not proposed again either.
      decided: [...content.decided, proposalTitle(entry)],
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
      decided: [...content.decided, proposalTitle(entry)],
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

function gone(number: number): InboxDecision {
  return { kind: 'refused', sentence: t('The inbox has no entry {0}.', number) };
}
