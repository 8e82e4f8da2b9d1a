/*
 * Asks the user for consent to things that a workspace brings. They have no effect until the workspace is trusted and
 * the user has allowed exactly these. This is the only place that decides so, for hooks, rules, servers, commands,
 * agents, skills, tools, settings and extensions. A fingerprint covers a thing's location and everything that it does,
 * so a changed thing is a new one:
 *
 *     waiting ── decide ──▶ enabled ── withdraw ──▶ refused
 *        ▲ └──── decide ──────────────────────────────▲ │
 *        └───────────────────── reopen ─────────────────┘
 */

import type { CustomizationKind } from '../../../protocol/panel/customizations.ts';
import { Emitter } from '../../base/emitter.ts';
import type { SeenItems } from '../../platform/customizations/seenItems.ts';

/** Only things that are `enabled` have any effect. */
export type ConsentState = 'enabled' | 'waiting' | 'refused';

/** A thing that waits for consent, as shown to the user. */
export interface ConsentItem {
  readonly kind: CustomizationKind;
  readonly name: string;
  /** Describes what it would do. */
  readonly detail: string;
  /** Absolute path of the file that defines it. */
  readonly path: string;
}

/** A part of Folio whose things need consent. */
export interface ConsentReviewer {
  /** Called after a decision to update which things are enabled or wait. Never rejects. */
  review(): Promise<void>;
}

/** Tells what the user has allowed, and collects what waits for a decision. */
export class ConsentService {
  private readonly seen: SeenItems;
  private readonly trusted: () => boolean;
  private readonly changed = new Emitter<void>();
  private readonly waiting = new Map<ConsentReviewer, ReadonlyMap<string, ConsentItem>>();

  /** Fires when other things wait for consent than before. */
  readonly onDidChange = this.changed.event;

  /** @param seen decisions of the user, in all windows. @param trusted tells whether the workspace is trusted */
  constructor(seen: SeenItems, trusted: () => boolean) {
    this.seen = seen;
    this.trusted = trusted;
  }

  /** In an untrusted workspace nothing is enabled, whatever was decided. */
  get isTrusted(): boolean {
    return this.trusted();
  }

  /** Everything that waits for the user's decision, by fingerprint. */
  get unseen(): ReadonlyMap<string, ConsentItem> {
    return new Map([...this.waiting.values()].flatMap(waiting => [...waiting]));
  }

  /** Sources are reviewed in the order of joining. */
  join(source: ConsentReviewer): void {
    this.waiting.set(source, new Map());
  }

  /** @param waiting everything of the source that now waits, by fingerprint */
  setWaiting(source: ConsentReviewer, waiting: ReadonlyMap<string, ConsentItem>): void {
    const before = [...(this.waiting.get(source)?.keys() ?? [])].join();
    this.waiting.set(source, waiting);
    if (before !== [...waiting.keys()].join()) this.changed.fire();
  }

  async stateOf(fingerprint: string): Promise<ConsentState> {
    if (!this.trusted()) return 'waiting';
    if (await this.seen.isSeen(fingerprint)) return 'enabled';
    return (await this.seen.isSeen(refusalOf(fingerprint))) ? 'refused' : 'waiting';
  }

  /** @param shown fingerprints that the user saw; things that came or changed meanwhile still wait */
  async decide(decision: 'allowed' | 'refused', shown: readonly string[]): Promise<void> {
    const { unseen } = this;
    const meant = shown.filter(each => unseen.has(each));
    if (decision === 'allowed') await this.allow(meant);
    else await this.seen.markSeen(meant.map(refusalOf));
    await this.review();
  }

  /** Enables things that the user saw elsewhere than in `unseen`. Calls no `review`. */
  async allow(fingerprints: readonly string[]): Promise<void> {
    await this.seen.markSeen(fingerprints);
  }

  /** Makes refused things wait again, so that the user sees them before they have any effect. */
  async reopen(fingerprints: readonly string[]): Promise<void> {
    await this.seen.forget((await this.thoseThatAre('refused', fingerprints)).map(refusalOf));
    await this.review();
  }

  /** Disables things that the user had enabled. */
  async withdraw(fingerprints: readonly string[]): Promise<void> {
    const meant = await this.thoseThatAre('enabled', fingerprints);
    // In this order, a partial write leaves a thing waiting, but never enabled.
    await this.seen.forget(meant);
    await this.seen.markSeen(meant.map(refusalOf));
    await this.review();
  }

  private async thoseThatAre(
    state: ConsentState,
    fingerprints: readonly string[],
  ): Promise<readonly string[]> {
    const states = await Promise.all(fingerprints.map(each => this.stateOf(each)));
    return fingerprints.filter((_each, index) => states[index] === state);
  }

  private async review(): Promise<void> {
    for (const source of this.waiting.keys()) await source.review();
  }
}

/** A refusal is stored under a fingerprint of its own. */
function refusalOf(fingerprint: string): string {
  return `refused-${fingerprint}`;
}
