import type { ConsentService } from '../../src/extension/core/consent/consentService.ts';
import type { SeenItems } from '../../src/extension/platform/customizations/seenItems.ts';

/** Decisions of the user, in memory. */
export class MemorySeen implements SeenItems {
  private readonly seen = new Set<string>();

  async isSeen(fingerprint: string): Promise<boolean> {
    return this.seen.has(fingerprint);
  }

  async markSeen(fingerprints: readonly string[]): Promise<void> {
    for (const each of fingerprints) this.seen.add(each);
  }

  async forget(fingerprints: readonly string[]): Promise<void> {
    for (const each of fingerprints) this.seen.delete(each);
  }
}

/** The user decides on everything that waits. */
export async function decideOnAll(consent: ConsentService, decision: 'allowed' | 'refused'): Promise<void> {
  await consent.decide(decision, [...consent.unseen.keys()]);
}
