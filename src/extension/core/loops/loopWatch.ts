/*
 * Watches a session's turns for loops and decides how to react:
 *
 *   addText, addCall … ─► endStep ─► nothing, or a nudge for the model, or, when it continues, stop
 */

import type { FoundLoop } from '../../../protocol/budgets.ts';
import { inEnglish, type LocalizedMessage } from '../../../protocol/language.ts';
import { type CallLoop, CallLoopDetector, type LoopCall } from './callLoopDetector.ts';
import { describeCallLoop, describeLoopVerdict, describeTextLoop, nudgeFor } from './describeLoop.ts';
import { LoopClassifier, type LoopClassifierPorts } from './loopClassifier.ts';
import { type TextLoop, TextLoopDetector } from './textLoopDetector.ts';

export type LoopFinding =
  /** `text` is for the model in the next request. */
  | { readonly kind: 'nudge'; readonly loop: FoundLoop; readonly keepText?: number; readonly text: string }
  /** The turn ends; the user may let it continue. */
  | { readonly kind: 'stop'; readonly loop: FoundLoop; readonly keepText?: number };

interface LoopPorts extends LoopClassifierPorts {
  /** The setting `model.disableLoopDetection`. */
  readonly isDisabled: () => boolean;
}

/** After this many nudges, the next finding stops the turn. */
const maxNudges = 2;

interface Candidate {
  readonly kind: FoundLoop['kind'];
  readonly detail: LocalizedMessage;
  /** Equal if the same loop is found again after a nudge. */
  readonly key: string;
  /** Characters of the answer before it began to repeat; the rest is not kept in the history. */
  readonly keepText?: number;
}

type TextKind = 'text' | 'thought';

export class LoopWatch {
  private readonly around: LoopPorts;
  private readonly calls = new CallLoopDetector();
  /** Created on demand, since each needs much memory. */
  private readonly texts = new Map<TextKind, TextLoopDetector>();
  private readonly classify: LoopClassifier;
  private readonly nudged = new Set<string>();
  private isOff = false;

  constructor(around: LoopPorts) {
    this.around = around;
    this.classify = new LoopClassifier(around);
  }

  /** @param goal what the user asked for, to measure progress */
  beginTurn(goal: string): void {
    this.calls.reset();
    this.dropText();
    this.nudged.clear();
    this.classify.beginTurn(goal);
  }

  /** Returns true if the answer repeats itself and should be cut; `endStep` tells how to react. */
  addText(delta: string, kind: TextKind = 'text'): boolean {
    if (this.isSilent()) return false;
    const loops = this.texts.get(kind) ?? new TextLoopDetector();
    this.texts.set(kind, loops);
    return loops.add(delta) !== undefined;
  }

  /** Forgets the text of a step. Call also when a request failed and its answer starts again. */
  dropText(): void {
    for (const loops of this.texts.values()) loops.reset();
  }

  /** Call for each call of an answer in order, with the result for the model, including failures and denials. */
  addCall(call: LoopCall, resultText: string): void {
    if (!this.isSilent()) this.calls.add(call, resultText);
  }

  /** Call after the results of a step. Never rejects for an error of the classifying model. */
  async endStep(): Promise<LoopFinding | undefined> {
    this.classify.countStep();
    const candidate = this.isSilent() ? undefined : await this.findLoop();
    this.dropText();
    // The user may have disabled the watch while the classifier was running.
    if (!candidate || this.isSilent()) return undefined;
    const { kind, detail, key, keepText } = candidate;
    const loop: FoundLoop = { kind, detail: detail() };
    if (this.nudged.has(key) || this.nudged.size >= maxNudges) return { kind: 'stop', loop, keepText };
    this.nudged.add(key);
    return { kind: 'nudge', loop, keepText, text: nudgeFor(kind, inEnglish(detail)) };
  }

  /** Disables further findings in this session, as the user wants. */
  disable(): void {
    this.isOff = true;
  }

  private isSilent(): boolean {
    return this.isOff || this.around.isDisabled();
  }

  private async findLoop(): Promise<Candidate | undefined> {
    const [text, thought] = (['text', 'thought'] as const).map(kind => this.texts.get(kind)?.found);
    if (this.calls.found) return this.takeCalls(this.calls.found);
    if (text) return fromText(text, text.from);
    if (thought) return fromText(thought);
    const why = await this.classify.classify();
    if (why === undefined) return undefined;
    return { kind: 'judged', detail: () => describeLoopVerdict(why), key: 'judged' };
  }

  private takeCalls(found: CallLoop): Candidate {
    this.calls.settle();
    return { kind: 'calls', detail: () => describeCallLoop(found), key: found.key };
  }
}

function fromText(found: TextLoop, keepText?: number): Candidate {
  return { kind: 'text', detail: () => describeTextLoop(found), key: 'text', keepText };
}
