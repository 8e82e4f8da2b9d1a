/* The judge of commands, in a policy of its own, with a real model: nothing is run. */

import { askSideQuestion } from '../../src/extension/core/answers/ask.ts';
import { TurnLimits } from '../../src/extension/core/limitSettings.ts';
import type { ModelProvider } from '../../src/extension/core/model.ts';
import {
  CommandClassifier,
  type UndecidedCommand,
} from '../../src/extension/core/policy/commandClassifier.ts';
import { PriceCalculator } from '../../src/extension/models/prices.ts';
import { SystemClock } from '../../src/extension/node/systemClock.ts';
import type { SessionEvent, SessionEventBody } from '../../src/protocol/events.ts';
import { plainProvider } from '../support/plainProvider.ts';
import { PolicyWorld } from '../support/policyWorld.ts';
import { type JudgedLine, RunTrouble } from './eval.ts';
import type { EvalModel } from './evalSession.ts';

/** @param task the user's prompt, as the model is told it */
export async function judgeLines(
  lines: readonly string[],
  task: string,
  model: EvalModel,
  heard: (events: readonly SessionEvent[]) => void,
): Promise<readonly JudgedLine[]> {
  const world = await PolicyWorld.make();
  const classify = makeJudge(task, model, heard);
  try {
    const classified: JudgedLine[] = [];
    // One after the other, since keys have a limit of requests a minute.
    for (const line of lines) classified.push(await classifyLine(line, world, classify));
    return classified;
  } finally {
    await world.dispose();
  }
}

async function classifyLine(
  command: string,
  world: PolicyWorld,
  classify: CommandClassifier,
): Promise<JudgedLine> {
  const { signal } = new AbortController();
  const hear = (open: UndecidedCommand) => classify.classify(open, signal);
  const target = { kind: 'command', command, cwd: world.workspace, canBeHeld: true } as const;
  const query = { tool: 'run_shell_command', effect: 'run', mode: 'default' } as const;
  const { kind } = await world.policy.classify({ ...query, args: { command }, target, hear });
  return { line: command, isAllowed: kind === 'allow' };
}

function makeJudge(
  task: string,
  model: EvalModel,
  heard: (events: readonly SessionEvent[]) => void,
): CommandClassifier {
  const provider = providerOf(model);
  const clock = new SystemClock();
  const prices = new PriceCalculator(() => ({}), clock);
  let seq = 0;
  const emit = (event: SessionEventBody) => heard([{ ...event, seq: ++seq, at: Date.now() } as SessionEvent]);
  const asker = {
    ports: {
      models: { provider: () => provider, costOf: prices.costOf.bind(prices, model.provider) },
      limits: new TurnLimits(() => plainLimits),
      clock,
    },
    transcript: { emit },
    routing: { side: model.model, insteadOf: () => undefined },
  };
  return new CommandClassifier({
    isOn: () => true,
    model: () => model.model,
    task: () => task,
    ask: async ({ system, text }, signal) => {
      const result = await askSideQuestion(
        { purpose: 'command', system, text, temperature: 0 },
        asker,
        signal,
      );
      if (result.kind === 'failed') throw new RunTrouble(result.error.message);
      return result.kind === 'answered' ? result.text : undefined;
    },
  });
}

const plainLimits = {
  budgets: [],
  maxAttempts: 1,
  compressionThreshold: 1,
  outputLength: 40_000,
  loopDetection: false,
  nextSpeakerCheck: false,
  classify: true,
};

function providerOf({ provider, baseUrl, env }: EvalModel): ModelProvider {
  const clock = new SystemClock();
  return plainProvider({
    provider: () => provider,
    apiKey: async () => Object.entries(env).find(([name]) => name.endsWith('_API_KEY'))?.[1],
    baseUrl: () => baseUrl ?? '',
    newId: () => clock.newId(),
    vertex: {
      project: () => env.GOOGLE_CLOUD_PROJECT ?? '',
      location: () => env.GOOGLE_CLOUD_LOCATION ?? '',
    },
  });
}
