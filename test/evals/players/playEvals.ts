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
    else server.script(...readFirst(player));
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

/** A file that is written whole must have been read, in an answer before if it was not read by then. */
function readFirst(answers: readonly ScriptedAnswer[]): readonly ScriptedAnswer[] {
  const known = new Set<string>();
  return answers.flatMap(answer => {
    const written = pathsOf('write_file', answer).filter(path => !known.has(path));
    for (const path of [...written, ...pathsOf('read_file', answer)]) known.add(path);
    return written.length === 0 ? [answer] : [written.map(read), answer];
  });
}

/** The files that calls of a tool name. */
function pathsOf(tool: string, answer: ScriptedAnswer): readonly string[] {
  const steps = Array.isArray(answer) ? (answer as readonly Step[]) : [];
  return steps.flatMap(step => {
    const parts = step.kind === 'chunk' ? (step.chunk.candidates?.[0]?.content?.parts ?? []) : [];
    return parts.flatMap(({ functionCall }) =>
      functionCall?.name === tool ? [String(functionCall.args?.file_path)] : [],
    );
  });
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
      { tags: ['longer'] },
      async (_does, bad) => {
        const why = typeof bad.why === 'string' ? bad.why : expect.stringMatching(bad.why);
        expect(outcomeOf(await playEvals([each.eval], bad.play))).toEqual({ kind: 'failed', why });
      },
    );
  });
}
