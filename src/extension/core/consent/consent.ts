/*
 * Things that a workspace brings do nothing until the workspace is trusted and the user has let exactly these
 * things count. This is the one place that decides so, for hooks, rules, servers, commands, agents, skills, tools,
 * settings and extensions. A fingerprint identifies a thing by its place and all that it does, so a changed thing is
 * a new one:
 *
 *     waiting ── decide ──▶ enabled ── withdraw ──▶ refused
 *        ▲ └──── decide ──────────────────────────────▲ │
 *        └───────────────────── reopen ─────────────────┘
 */

import type { CustomizationKind } from '../../../protocol/panel/customizations.ts';
import { Emitter } from '../../base/emitter.ts';
import type { SeenItems } from '../../platform/customizations/seenItems.ts';

/** Only what is `enabled` does anything. */
export type ConsentState = 'enabled' | 'waiting' | 'refused';

/** Something that waits, as the user is told of it. */
export interface Brought {
  readonly kind: CustomizationKind;
  readonly name: string;
  /** Says what the thing would do. */
  readonly detail: string;
  /** The file that names it, absolute. */
  readonly path: string;
}

/** A part of Folio whose things need consent. */
export interface ConsentRoom {
  /** The user has decided: looks again at which of its things count and which wait. Never rejects. */
  review(): Promise<void>;
}

export class Consent {
  private readonly seen: SeenItems;
  private readonly trusted: () => boolean;
  private readonly changed = new Emitter<void>();
  private readonly temporaryRoots = new Map<ConsentRoom, ReadonlyMap<string, Brought>>();

  /** Other things wait for the user's decision than before. */
  readonly onDidChange = this.changed.event;

  /** @param seen what the user has decided, in this and other windows. @param trusted whether the workspace is */
  constructor(seen: SeenItems, trusted: () => boolean) {
    this.seen = seen;
    this.trusted = trusted;
  }

  /** Without trust nothing of the workspace counts, whatever was decided. */
  get isTrusted(): boolean {
    return this.trusted();
  }

  /** All that the user has to decide on, by fingerprint. */
  get unseen(): ReadonlyMap<string, Brought> {
    return new Map([...this.temporaryRoots.values()].flatMap(waiting => [...waiting]));
  }

  /** Rooms review in the order in which they joined. */
  join(room: ConsentRoom): void {
    this.temporaryRoots.set(room, new Map());
  }

  /** @param waiting everything of the room that waits now, by fingerprint */
  setWaiting(room: ConsentRoom, waiting: ReadonlyMap<string, Brought>): void {
    const before = [...(this.temporaryRoots.get(room)?.keys() ?? [])].join();
    this.temporaryRoots.set(room, waiting);
    if (before !== [...waiting.keys()].join()) this.changed.fire();
  }

  async stateOf(fingerprint: string): Promise<ConsentState> {
    if (!this.trusted()) return 'waiting';
    if (await this.seen.isSeen(fingerprint)) return 'enabled';
    return (await this.seen.isSeen(refusalOf(fingerprint))) ? 'refused' : 'waiting';
  }

  /** @param shown what the user was shown of `unseen`; what came or changed meanwhile still waits */
  async decide(decision: 'allowed' | 'refused', shown: readonly string[]): Promise<void> {
    const { unseen } = this;
    const meant = shown.filter(each => unseen.has(each));
    if (decision === 'allowed') await this.allow(meant);
    else await this.seen.markSeen(meant.map(refusalOf));
    await this.review();
  }

  /** Lets count what the user was shown elsewhere than in `unseen`. No room reviews. */
  async allow(fingerprints: readonly string[]): Promise<void> {
    await this.seen.markSeen(fingerprints);
  }

  /** Things that the user refused wait for them again: the user sees them again before they may do anything. */
  async reopen(fingerprints: readonly string[]): Promise<void> {
    await this.seen.forget((await this.thoseThatAre('refused', fingerprints)).map(refusalOf));
    await this.review();
  }

  /** Things that the user had let count stop counting, from the next occasion on. */
  async withdraw(fingerprints: readonly string[]): Promise<void> {
    const meant = await this.thoseThatAre('enabled', fingerprints);
    // In this order: what is written in part leaves a thing that waits, and none that counts.
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
    for (const room of this.temporaryRoots.keys()) await room.review();
  }
}

/** A thing counts by its fingerprint; that a user refused it is another thing that they were shown. */
function refusalOf(fingerprint: string): string {
  return `refused-${fingerprint}`;
}
