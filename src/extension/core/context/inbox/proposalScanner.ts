/*
 * Reviews a session when the user leaves it. For each stretch with enough content, a light model proposes facts and
 * skills for the inbox, once. A session whose window closes is reviewed the next time it is left.
 */

import type { SessionState } from '../../../../protocol/state.ts';
import { englishMessageOf } from '../../../base/errors.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import { askSideQuestion, type ModelQuestionContext } from '../../answers/ask.ts';
import type { History } from '../../history/history.ts';
import type { Memory } from '../memory.ts';
import type { Inbox } from './inbox.ts';
import { maxPendingEntries } from './inboxContent.ts';
import { parseProposals, proposalTitle } from './parseProposals.ts';
import { type KnownFacts, proposalSystem, proposalText } from './proposalPrompt.ts';
import { readUnreviewedPart, type UnreviewedPart } from './unreviewedPart.ts';

/** A shorter stretch is not worth a review. */
const leastPrompts = 3;
const leastCalls = 8;

/** Services for a session's proposals. */
export interface InboxServices {
  readonly inbox: Inbox;
  /** The setting is on and the workspace is trusted. */
  readonly isOn: () => boolean;
  readonly readMemory: () => Promise<Memory>;
  readonly skills: () => readonly string[];
}

interface ReviewedSession extends ModelQuestionContext {
  readonly ports: ModelQuestionContext['ports'] & { readonly clock: Clock; readonly log: Log };
  readonly transcript: ModelQuestionContext['transcript'] & {
    readonly state: SessionState;
    readonly history: Pick<History, 'whole'>;
  };
}

/** Proposes facts and skills from the parts of a session that were not scanned yet. */
export class ProposalScanner {
  private readonly place: InboxServices;
  private readonly session: ReviewedSession;
  private readonly stopping = new AbortController();
  private running: Promise<number> | undefined;

  constructor(place: InboxServices, session: ReviewedSession) {
    this.place = place;
    this.session = session;
  }

  /** Returns the number of new proposals. Never rejects. Runs once at a time. */
  scan(signal: AbortSignal = this.stopping.signal): Promise<number> {
    const { log } = this.session.ports;
    this.running ??= this.scanOnce(AbortSignal.any([signal, this.stopping.signal]))
      .catch((error: unknown) => {
        log.warn(`What a session proposes to keep is lost: ${englishMessageOf(error)}`);
        return 0;
      })
      .finally(() => {
        this.running = undefined;
      });
    return this.running;
  }

  /** Resolves when nothing more will be recorded. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async scanOnce(signal: AbortSignal): Promise<number> {
    const { place, session } = this;
    if (!place.isOn() || signal.aborted || !mayHoldEnough(session.transcript.state)) return 0;
    const { entries, decided, seen } = await place.inbox.read();
    const { sessionId } = session.transcript.state;
    const stretch = this.readStretch(seen[sessionId] ?? 0);
    if (stretch.prompts < leastPrompts || stretch.calls < leastCalls || entries.length >= maxPendingEntries)
      return 0;
    const known: KnownFacts = {
      memory: linesOf(await place.readMemory()),
      decided: [...decided, ...entries.map(proposalTitle)],
      skills: place.skills(),
    };
    const text = proposalText(stretch.places, known);
    const question = { purpose: 'memory', system: proposalSystem, text, temperature: 0 } as const;
    const answer = await askSideQuestion(question, session, signal);
    if (answer.kind === 'stopped') return 0;
    if (answer.kind === 'failed') throw answer.error;
    return this.keep(answer.text, stretch, known);
  }

  /** An unreadable answer is not requested again. */
  private async keep(answer: string, stretch: UnreviewedPart, known: KnownFacts): Promise<number> {
    const { ports, transcript } = this.session;
    const proposals = parseProposals(answer, stretch.places, known);
    if (!proposals) ports.log.warn('What a session proposes to keep cannot be read, so it is dropped.');
    const { sessionId, title } = transcript.state;
    const checked = { sessionId, session: title, until: stretch.until, at: ports.clock.now() };
    await this.place.inbox.add(proposals ?? [], checked);
    return proposals?.length ?? 0;
  }

  private readStretch(since: number): UnreviewedPart {
    const { state, history } = this.session.transcript;
    return readUnreviewedPart(state, history.whole, since);
  }
}

/** Most sessions are small, so this check avoids reading files. A session with a used-up budget spends no more. */
function mayHoldEnough({ chapters }: SessionState): boolean {
  const calls = chapters.reduce((sum, chapter) => sum + chapter.calls, 0);
  const last = chapters.at(-1)?.items.pages.at(-1)?.at(-1);
  return calls >= leastCalls && !(last?.type === 'end' && last.end.kind === 'budget');
}

function linesOf({ blocks }: Memory): readonly string[] {
  const lines = blocks.flatMap(({ text }) => text.split('\n').map(line => line.trim()));
  return lines.filter(line => line !== '');
}
