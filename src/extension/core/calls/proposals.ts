import type { EditProposal } from '../tool.ts';

/** Number of recent proposals that can be shown in the diff editor. */
const kept = 200;

/** File contents that calls proposed, for the diff editor. */
export class ProposedContents {
  private readonly byCall = new Map<string, EditProposal>();

  find(callId: string): EditProposal | undefined {
    return this.byCall.get(callId);
  }

  keep(callId: string, proposal: EditProposal): void {
    this.byCall.set(callId, proposal);
    for (const oldest of this.byCall.keys()) {
      if (this.byCall.size <= kept) break;
      this.byCall.delete(oldest);
    }
  }
}
