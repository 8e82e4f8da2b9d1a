import type { SessionEvent } from '../../../protocol/events.ts';
import type { AgentEvent } from '../../../protocol/fold/agents.ts';
import { limitOutput } from '../../base/limitOutput.ts';
import type { RunningOutput, SessionStore } from '../../platform/storage.ts';
import type { TurnLimits } from '../limitSettings.ts';
import type { InterruptedOutput, InterruptedOutputs } from '../recording/rebuiltResult.ts';
import { MaskedStream } from '../recording/unfinishedText.ts';

interface Keeping {
  readonly stream: MaskedStream;
  readonly file: RunningOutput;
}

/**
 * Outputs of a session's calls. Live output is written to disk, with secrets masked, until the call's result is
 * recorded, so that a crash of the host loses nothing that was shown. Long results are saved in full.
 */
export class CallOutputs {
  private readonly store: Pick<SessionStore, 'openRunningOutput' | 'saveOutput'>;
  private readonly sessionId: string;
  private readonly limits: TurnLimits;
  private readonly kept = new Map<string, Keeping>();

  constructor(
    store: Pick<SessionStore, 'openRunningOutput' | 'saveOutput'>,
    sessionId: string,
    limits: TurnLimits,
  ) {
    this.store = store;
    this.sessionId = sessionId;
    this.limits = limits;
  }

  /** Characters of a result that the model gets uncut. */
  get limit(): number {
    return this.limits.current.outputLength;
  }

  /** Saves a text or picture in a file and returns its path. Rejects if writing fails. */
  readonly save = (name: string, content: string | Uint8Array): Promise<string> =>
    this.store.saveOutput(this.sessionId, name, content);

  /** Writes live output to disk. Never throws. */
  keep(callId: string, text: string): void {
    let keeping = this.kept.get(callId);
    if (!keeping) {
      const file = this.store.openRunningOutput(this.sessionId, fileNameOf(callId));
      keeping = { stream: new MaskedStream(), file };
      this.kept.set(callId, keeping);
    }
    keeping.file.append(keeping.stream.next(text));
  }

  fold(event: SessionEvent): void {
    switch (event.type) {
      case 'message.added':
        for (const part of event.message.parts) if (part.kind === 'result') this.discard(part.id);
        return;
      case 'turn.ended':
        for (const callId of [...this.kept.keys()]) this.discard(callId);
    }
  }

  /** A subagent's conversation is never resumed, and its event has what the card shows. */
  foldAgent({ event }: AgentEvent): void {
    if (event.type === 'call.ended') this.discard(event.callId);
  }

  private discard(callId: string): void {
    this.kept.get(callId)?.file.discard();
    this.kept.delete(callId);
  }
}

/**
 * Reads live output that an earlier run of the host left for these calls. Saves long output to a file.
 */
export async function readInterruptedOutputs(
  store: Pick<SessionStore, 'readCallOutput' | 'saveOutput'>,
  sessionId: string,
  callIds: readonly string[],
  limit: number,
): Promise<InterruptedOutputs> {
  const printed = new Map<string, InterruptedOutput>();
  for (const callId of callIds) {
    const kept = await store.readCallOutput(sessionId, fileNameOf(callId));
    if (!kept) continue;
    const save = (text: string) => store.saveOutput(sessionId, `interrupted-${callId}.txt`, text);
    printed.set(callId, { ...(await limitOutput(kept.text, limit, save)), isWhole: kept.isWhole });
  }
  return printed;
}

/** Deletes the live output of these calls. Call once the journal has it. */
export function discardInterruptedOutputs(
  store: Pick<SessionStore, 'openRunningOutput'>,
  sessionId: string,
  printed: InterruptedOutputs,
): void {
  for (const callId of printed.keys()) store.openRunningOutput(sessionId, fileNameOf(callId)).discard();
}

function fileNameOf(callId: string): string {
  return `running-${callId}.log`;
}
