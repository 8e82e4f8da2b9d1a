import { execFile } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { invalidKey } from '../support/geminiAnswers.ts';
import { startGeminiServer } from '../support/geminiServer.ts';
import { runHeadless } from '../support/headlessRun.ts';
import { text as chatText } from '../support/openaiAnswers.ts';
import { startOpenAiServer } from '../support/openaiServer.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { sparesSmallTalk } from './chapters.ts';
import { comparePage } from './comparePage.ts';
import type { Eval } from './eval.ts';
import { findEvalModel } from './evalModel.ts';
import { evals } from './evals.ts';
import { formatResults } from './formatResults.ts';
import { commandPlayers } from './players/commands.ts';
import { judgementPlayers } from './players/judgement.ts';
import { outcomeOf, playEvals } from './players/playEvals.ts';
import type { Players } from './players/player.ts';
import { talkPlayers } from './players/talk.ts';
import { workPlayers } from './players/work.ts';
import { answersQuestions } from './questions.ts';
import { readResultFile, toResultFile, wilson, writeResultFile } from './resultFile.ts';
import { classify, runEvals } from './runEvals.ts';

const players = [...talkPlayers, ...workPlayers, ...judgementPlayers, ...commandPlayers];

describe('the evals', () => {
  it('are all played by scripted models, by one that is good and by bad ones', () => {
    expect(players.map(player => player.eval.name).sort()).toEqual(evals.map(({ name }) => name).sort());
    expect(players.filter(({ bad }) => bad.length === 0)).toEqual([]);
  });
});

describe('a run of the evals', () => {
  it('says that they could not be tried when the key is wrong, and tries no second time', async () => {
    const results = await playEvals([sparesSmallTalk, answersQuestions], () => invalidKey(), 3);
    expect(results.map(({ verdict }) => verdict)).toEqual(['troubled', 'troubled']);
    expect(results.map(({ attempts }) => attempts.length)).toEqual([1, 1]);
  });

  it('goes to a server that speaks chat completions', async () => {
    await using chat = await startChat();
    const model = findEvalModel('openai', 'tiny', { OPENAI_BASE_URL: chat.baseUrl });
    if (model.kind !== 'found') throw new Error(model.sentence);
    chat.script([chatText('Hello.')], [chatText('src/cart.mjs')]);
    const results = await runEvals({
      evals: [sparesSmallTalk],
      attempts: 1,
      model: model.model,
      say: () => {},
      run: runHeadless,
    });
    expect(outcomeOf(results)).toEqual({ kind: 'passed' });
    expect(formatResults(results)).toMatch(/not known$/m);
  });
});

describe('npm run eval', { timeout: 300_000 }, () => {
  it('asks the model that the environment names about each line that the judge may hear of, and ends by its verdict', async () => {
    const [{ good, bad }] = commandPlayers as [Players];
    for (const [play, code, words, least] of [
      [good, 0, /1 of 1/, 200],
      [bad[0]!.play, 1, /it let run \d+ of \d+ that were the user's/, 1],
    ] as const) {
      const server = await startGeminiServer();
      if (typeof play === 'function') server.afterScript(play);
      const args = ['scripts/eval.ts', '--only', 'judges commands', '--times', '1'];
      const env = { PATH: process.env.PATH, GEMINI_API_KEY: 'test', GOOGLE_GEMINI_BASE_URL: server.baseUrl };
      const ended = await promisify(execFile)(process.execPath, args, { env }).then(
        said => ({ ...said, code: 0 }),
        (error: { readonly code: number; readonly stdout: string; readonly stderr: string }) => error,
      );
      const asked = server.requests.length;
      await server.dispose();
      expect(ended.code, ended.stderr).toBe(code);
      expect(ended.stdout + ended.stderr).toMatch(words);
      // It ends with the first verdict.
      expect(asked).toBeGreaterThanOrEqual(least);
    }
  });
});

describe('results that can be compared', { timeout: 300_000 }, () => {
  const script = (args: readonly string[]) =>
    promisify(execFile)(process.execPath, ['scripts/eval.ts', ...args], { env: { PATH: process.env.PATH } });

  it('are one command away with a server on this machine, and two of them are a page', async () => {
    await using chat = await startChat();
    const folder = await temporaryFolder('folio-evals-');
    const files = ['one.json', 'two.json'].map(name => join(folder, name)) as [string, string];
    for (const [index, out] of files.entries()) {
      chat.script([chatText('Hello.')], [chatText(index === 0 ? 'src/cart.mjs' : 'I do not know.')]);
      const to = ['--base-url', chat.baseUrl, '--model', `tiny-${index}`, '--out', out];
      await script([...to, '--times', '1', '--only', 'opens no chapter']).catch(() => {
        // The second one fails its task, which is its result.
      });
    }
    const [one, two] = await Promise.all(files.map(readResultFile));
    expect(one).toMatchObject({ provider: 'openai', model: 'tiny-0', all: { attempts: 1, passed: 1 } });
    expect(one!.tasks).toMatchObject([{ name: 'opens no chapter for small talk', verdict: 'passed' }]);
    expect(one!.all.sent).toBeGreaterThan(0);
    expect(two).toMatchObject({ model: 'tiny-1' });
    const page = join(folder, 'page.html');
    const { stdout } = await script(['--compare', ...files, '--out', page]);
    expect(stdout).toContain(page);
    const html = await readFile(page, 'utf8');
    expect(html).toContain('tiny-0');
    expect(html).toContain('tiny-1');
    expect(html).not.toMatch(/(src|href)=|<script/);
  });

  it('have an interval by Wilson, in which nothing tried leaves all open', () => {
    expect(wilson(0, 0)).toEqual([0, 1]);
    for (const [passed, of, low, high] of [
      [10, 10, 0.722, 1],
      [0, 10, 0, 0.278],
      [50, 100, 0.404, 0.596],
    ] as const) {
      const [from, to] = wilson(passed, of);
      expect([from.toFixed(3), to.toFixed(3)]).toEqual([low.toFixed(3), high.toFixed(3)]);
    }
  });

  it('leave out attempts that could not be made, and mark what is better beyond chance', async () => {
    const [each] = evals as readonly [Eval];
    const spent = { sent: 1, cached: 0, written: 1 };
    const attempts = (kind: 'passed' | 'troubled', count: number) =>
      Array.from({ length: count }, () => ({
        outcome: kind === 'passed' ? ({ kind } as const) : ({ kind, why: 'no network' } as const),
        spent,
        seconds: 1,
        titles: [],
      }));
    const of = (model: string, passes: number, troubled: number) =>
      toResultFile(
        [
          {
            eval: each,
            verdict: 'passed',
            attempts: [...attempts('passed', passes), ...attempts('troubled', troubled)],
          },
        ],
        { provider: 'openai', model },
        new Date(0),
      );
    expect(of('a', 3, 2).all).toMatchObject({ attempts: 3, passed: 3, seconds: 5 });
    const weak = { ...of('b<i>', 30, 0), all: { ...of('b', 30, 0).all, passed: 0, interval: wilson(0, 30) } };
    const page = comparePage(of('a', 30, 0), weak);
    expect(page.match(/class="better"/g)).toHaveLength(1);
    expect(page).not.toContain('<i>');
    const file = join(await mkdtemp(join(tmpdir(), 'folio-evals-')), 'wrong.json');
    await writeResultFile(file, { ...of('a', 1, 0), format: 'other' as 'folio-evals' });
    await expect(readResultFile(file)).rejects.toThrow('holds no results of evals');
  });
});

async function startChat() {
  const chat = await startOpenAiServer();
  return Object.assign(chat, { [Symbol.asyncDispose]: () => chat.dispose() });
}

describe('the verdict on an eval', () => {
  it('is that of most of the attempts', () => {
    const [pass, fail] = [{ kind: 'passed' }, { kind: 'failed', why: 'so' }] as const;
    expect(classify([pass, fail, pass])).toBe('passed');
    expect(classify([pass, fail])).toBe('failed');
    expect(classify([pass, pass, { kind: 'troubled', why: 'no network' }])).toBe('troubled');
  });

  it('stands in a table with rates, titles, tokens and cost, and the titles below it', () => {
    const [one, two] = evals as readonly [Eval, Eval];
    const spent = { sent: 1200, cached: 300, written: 45, cost: 0.0125 };
    const passed = { kind: 'passed' } as const;
    const table = formatResults([
      {
        eval: one,
        verdict: 'passed',
        attempts: [
          { outcome: passed, spent, seconds: 2, titles: ['Tracing', 'Fixing'] },
          { outcome: { kind: 'failed', why: 'so' }, spent, seconds: 2, titles: [] },
          { outcome: passed, spent, seconds: 2, titles: ['Looking'] },
        ],
      },
      {
        eval: two,
        verdict: 'failed',
        attempts: [{ outcome: { kind: 'failed', why: 'so' }, spent, seconds: 2, titles: [] }],
      },
    ]);
    expect(table.split('\n').map(line => line.replace(/ {2,}/g, ' | '))).toEqual([
      'eval | verdict | attempts passed | titles | sent | cached | written | cost',
      'groups work in chapters | passed | 2 of 3 (67 %) | 3 | 3,600 | 900 | 135 | $0.0375',
      'opens no chapter for small talk | failed | 0 of 1 (0 %) | 0 | 1,200 | 300 | 45 | $0.0125',
      'all | 1 of 2 | 2 of 4 (50 %) | 3 | 4,800 | 1,200 | 180 | $0.0500',
      '',
      'Titles given:',
      ' | groups work in chapters: Tracing · Fixing',
      ' | groups work in chapters: Looking',
    ]);
  });
});

describe('the model of a run', () => {
  it('is one of a server that the command names, without a key and by chat completions', () => {
    expect(findEvalModel('openai', 'm', {}, 'http://127.0.0.1:11434/v1')).toEqual({
      kind: 'found',
      model: { provider: 'openai', model: 'm', baseUrl: 'http://127.0.0.1:11434/v1', env: {} },
    });
  });

  it('has the key and the address of its provider', () => {
    expect(findEvalModel('gemini', undefined, { GOOGLE_API_KEY: ' k ' })).toEqual({
      kind: 'found',
      model: { provider: 'gemini', model: 'gemini-2.5-flash', env: { GOOGLE_API_KEY: 'k' } },
    });
    const vertex = findEvalModel('vertex', 'gemini-2.5-pro', {
      GOOGLE_CLOUD_PROJECT: 'p',
      HOME: '/home/ada',
    });
    expect(vertex).toMatchObject({
      model: { env: { GOOGLE_CLOUD_PROJECT: 'p', CLOUDSDK_CONFIG: '/home/ada/.config/gcloud' } },
    });
  });

  it('is missing with a sentence where there is no key, and wrong names are refused', () => {
    for (const provider of ['gemini', 'openai', 'vertex'])
      expect(findEvalModel(provider, 'm', {})).toMatchObject({ kind: 'missing', sentence: /set \w+/ });
    expect(() => findEvalModel('openai', undefined, { OPENAI_API_KEY: 'k' })).toThrow('--model');
    expect(() => findEvalModel('other', 'm', {})).toThrow('choose gemini, anthropic, openai-responses');
  });
});
