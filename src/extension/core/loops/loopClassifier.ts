/*
 * Detects loops that counters miss: an agent that repeats itself in other words. It asks a model after 30 steps of a
 * turn, then every 5 to 15 steps, more often if the model doubts. A finding needs two opinions.
 */

import type { Message } from '../../../protocol/events.ts';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../platform/log.ts';
import {
  type LoopCheckRequest,
  type LoopClassification,
  loopCheckRequest,
  parseLoopVerdict,
} from './loopCheckPrompt.ts';

export interface LoopClassifierPorts {
  /** Asks a model outside the conversation. If it rejects, this check is skipped. */
  readonly ask: (request: LoopCheckRequest) => Promise<string>;
  /** Messages of the session, the newest last. */
  readonly messages: () => readonly Message[];
  readonly log: Pick<Log, 'warn'>;
}

const firstCheck = 30;
const usualPause = 10;
const shortestPause = 5;
const maxPauseSteps = 15;
const certain = 0.9;

export class LoopClassifier {
  private readonly around: LoopClassifierPorts;
  private goal = '';
  private steps = 0;
  private nextCheck = firstCheck;

  constructor(around: LoopClassifierPorts) {
    this.around = around;
  }

  /** @param goal what the user asked for */
  beginTurn(goal: string): void {
    this.goal = goal;
    this.steps = 0;
    this.nextCheck = firstCheck;
  }

  countStep(): void {
    this.steps++;
  }

  /** Explains the lack of progress if two opinions agree. Never rejects for a model error. */
  async classify(): Promise<string | undefined> {
    if (this.steps < this.nextCheck) return undefined;
    const first = await this.hear('first');
    const second = first && first.unproductive >= certain ? await this.hear('second') : undefined;
    this.nextCheck = this.steps + pauseAfter(second ?? first);
    return second && second.unproductive >= certain ? second.why || first?.why || '' : undefined;
  }

  private async hear(opinion: LoopCheckRequest['opinion']): Promise<LoopClassification | undefined> {
    const { ask, messages, log } = this.around;
    try {
      const judgement = parseLoopVerdict(await ask(loopCheckRequest(this.goal, messages(), opinion)));
      if (!judgement) log.warn('The classification about a long turn could not be read.');
      return judgement;
    } catch (error) {
      // Watching must never end a turn. The turn itself notices a stop by the user.
      log.warn(`A long turn could not be classified: ${messageOf(error)}`);
      return undefined;
    }
  }
}

function pauseAfter(judgement: LoopClassification | undefined): number {
  if (!judgement) return usualPause;
  return Math.round(maxPauseSteps - (maxPauseSteps - shortestPause) * judgement.unproductive);
}
