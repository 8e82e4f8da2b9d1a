/*
 * Finds loops that no counter sees: an agent that goes in circles with ever different words. After 30 steps of a turn
 * it asks a model, then again every 5 to 15 steps, the sooner the more the model doubts. One opinion is never enough
 * for a finding.
 */

import type { Message } from '../../../protocol/events.ts';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../platform/log.ts';
import {
  type Classification,
  type LoopCheckRequest,
  loopCheckRequest,
  parseLoopVerdict,
} from './loopCheckPrompt.ts';

export interface ClassifierPorts {
  /** Asks a model beside the conversation. May reject: then there is no classification this time. */
  readonly ask: (request: LoopCheckRequest) => Promise<string>;
  /** The session's, the newest last. */
  readonly messages: () => readonly Message[];
  readonly log: Pick<Log, 'warn'>;
}

const firstCheck = 30;
const usualPause = 10;
const shortestPause = 5;
const maxPauseSteps = 15;
const certain = 0.9;

export class LoopDetector {
  private readonly around: ClassifierPorts;
  private goal = '';
  private steps = 0;
  private nextCheck = firstCheck;

  constructor(around: ClassifierPorts) {
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

  /**
   * Why the agent gets nowhere, when two opinions agree that it does not. Never rejects for a problem with the model.
   */
  async classify(): Promise<string | undefined> {
    if (this.steps < this.nextCheck) return undefined;
    const first = await this.hear('first');
    const second = first && first.unproductive >= certain ? await this.hear('second') : undefined;
    this.nextCheck = this.steps + pauseAfter(second ?? first);
    return second && second.unproductive >= certain ? second.why || first?.why || '' : undefined;
  }

  private async hear(opinion: LoopCheckRequest['opinion']): Promise<Classification | undefined> {
    const { ask, messages, log } = this.around;
    try {
      const judgement = parseLoopVerdict(await ask(loopCheckRequest(this.goal, messages(), opinion)));
      if (!judgement) log.warn('The classification about a long turn could not be read.');
      return judgement;
    } catch (error) {
      // Watching must never be what ends a turn; a stop by the user is noticed by the turn itself.
      log.warn(`A long turn could not be classified: ${messageOf(error)}`);
      return undefined;
    }
  }
}

function pauseAfter(judgement: Classification | undefined): number {
  if (!judgement) return usualPause;
  return Math.round(maxPauseSteps - (maxPauseSteps - shortestPause) * judgement.unproductive);
}
