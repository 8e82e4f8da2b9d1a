import type { Proposal } from '../tool.ts';

/** The proposals of older calls can no longer be shown side by side. */
const kept = 200;

/** File contents that calls propose or proposed, for the diff editor. */
export class ProposedContents {
  private readonly byCall = new Map<string, Proposal>();

  find(callId: string): Proposal | undefined {
    return this.byCall.get(callId);
  }

  keep(callId: string, proposal: Proposal): void {
    this.byCall.set(callId, proposal);
    for (const oldest of this.byCall.keys()) {
      if (this.byCall.size <= kept) break;
      this.byCall.delete(oldest);
    }
  }
}
