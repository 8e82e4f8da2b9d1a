/*
 * Finds loops that no counter sees: an agent that goes in circles with ever different words. After 30 steps of a turn
 * it asks a model, then again every 5 to 15 steps, the sooner the more the model doubts. One opinion is never enough
 * for a finding.
 */

import type { Message } from '../../../protocol/events.ts';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../platform/log.ts';
import { type Judgement, type JudgeRequest, judgeRequest, parseJudgement } from './judgePrompt.ts';

export interface JudgePorts {
  /** Asks a model beside the conversation. May reject: then there is no judgement this time. */
  readonly ask: (request: JudgeRequest) => Promise<string>;
  /** The session's, the newest last. */
  readonly messages: () => readonly Message[];
  readonly log: Pick<Log, 'warn'>;
}

const firstCheck = 30;
const usualPause = 10;
const shortestPause = 5;
const longestPause = 15;
const certain = 0.9;

export class LoopJudge {
  private readonly around: JudgePorts;
  private goal = '';
  private steps = 0;
  private nextCheck = firstCheck;

  constructor(around: JudgePorts) {
    this.around = around;
  }

  /** @param goal what the person asked for */
  beginTurn(goal: string): void {
    this.goal = goal;
    this.steps = 0;
    this.nextCheck = firstCheck;
  }

  countStep(): void {
    this.steps++;
  }

  /** Why the agent gets nowhere, when two opinions agree that it does not. Never rejects for trouble with the model. */
  async judge(): Promise<string | undefined> {
    if (this.steps < this.nextCheck) return undefined;
    const first = await this.hear('first');
    const second = first && first.unproductive >= certain ? await this.hear('second') : undefined;
    this.nextCheck = this.steps + pauseAfter(second ?? first);
    return second && second.unproductive >= certain ? second.why || first?.why || '' : undefined;
  }

  private async hear(opinion: JudgeRequest['opinion']): Promise<Judgement | undefined> {
    const { ask, messages, log } = this.around;
    try {
      const judgement = parseJudgement(await ask(judgeRequest(this.goal, messages(), opinion)));
      if (!judgement) log.warn('The judgement about a long turn could not be read.');
      return judgement;
    } catch (error) {
      // Watching must never be what ends a turn; a stop by the person is noticed by the turn itself.
      log.warn(`A long turn could not be judged: ${messageOf(error)}`);
      return undefined;
    }
  }
}

function pauseAfter(judgement: Judgement | undefined): number {
  if (!judgement) return usualPause;
  return Math.round(longestPause - (longestPause - shortestPause) * judgement.unproductive);
}
