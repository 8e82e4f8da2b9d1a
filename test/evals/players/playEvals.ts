import { describe, expect, it } from 'vitest';
import type { Step } from '../../support/geminiAnswers.ts';
import { type ScriptedAnswer, startGeminiServer } from '../../support/geminiServer.ts';
import { runHeadless } from '../../support/headlessRun.ts';
import type { Eval } from '../eval.ts';
import { type EvalResult, type Outcome, runEvals } from '../runEvals.ts';
import { type Player, type Players, read } from './player.ts';

/** A real run of the evals, whose model is a script. */
export async function playEvals(
  evals: readonly Eval[],
  player: Player,
  attempts = 1,
): Promise<readonly EvalResult[]> {
  const server = await startGeminiServer();
  try {
    if (typeof player === 'function') server.afterScript(player);
    else server.script(...player.flatMap(readFirst));
    const results = await runEvals({
      evals,
      attempts,
      model: {
        provider: 'gemini',
        model: 'gemini-2.5-pro',
        baseUrl: server.baseUrl,
        env: { GEMINI_API_KEY: 'test' },
      },
      say: () => {},
      run: runHeadless,
    });
    expect(server.requests.map(({ fault }) => fault).filter(Boolean)).toEqual([]);
    return results;
  } finally {
    await server.dispose();
  }
}

/** A file that is written whole must have been read. */
function readFirst(answer: ScriptedAnswer): readonly ScriptedAnswer[] {
  const steps = Array.isArray(answer) ? (answer as readonly Step[]) : [];
  const paths = steps.flatMap(step => {
    const calls = step.kind === 'chunk' ? (step.chunk.candidates?.[0]?.content?.parts ?? []) : [];
    return calls.flatMap(({ functionCall }) =>
      functionCall?.name === 'write_file' ? [String(functionCall.args?.file_path)] : [],
    );
  });
  return paths.length === 0 ? [answer] : [paths.map(read), answer];
}

export function outcomeOf([result]: readonly EvalResult[]): Outcome | undefined {
  return result?.attempts[0]?.outcome;
}

/** The tests that each eval passes with a good model and fails, for the right reason, with bad ones. */
export function testPlayers(players: readonly Players[]): void {
  describe.each(players.map(each => [each.eval.name, each] as const))('"%s"', (_name, each) => {
    it('passes with a good model', async () => {
      expect(outcomeOf(await playEvals([each.eval], each.good))).toEqual({ kind: 'passed' });
    });

    it.each(each.bad.map(bad => [bad.does, bad] as const))(
      'fails with a model that %s',
      async (_does, bad) => {
        const why = typeof bad.why === 'string' ? bad.why : expect.stringMatching(bad.why);
        expect(outcomeOf(await playEvals([each.eval], bad.play))).toEqual({ kind: 'failed', why });
      },
    );
  });
}
