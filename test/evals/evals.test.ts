import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, call, invalidKey, text } from '../support/geminiAnswers.ts';
import {
  type GeminiServer,
  lastPrompt,
  lastResults,
  type RecordedRequest,
  startGeminiServer,
  toolNames,
} from '../support/geminiServer.ts';
import { evals } from './evals.ts';
import { formatResults, judge, runEvals } from './runEvals.ts';

let server: GeminiServer;

beforeEach(async () => {
  server = await startGeminiServer();
});

afterEach(() => server.dispose());

/** Every request is answered by the same model, as if it were a real one. */
async function runWith(model: (request: RecordedRequest) => Answer, attempts = 1) {
  server.afterScript(model);
  const said: string[] = [];
  const results = await runEvals({
    evals,
    attempts,
    model: { apiKey: 'test', baseUrl: server.baseUrl, model: 'gemini-2.5-pro' },
    say: line => said.push(line),
  });
  expect(server.requests.map(({ fault }) => fault).filter(Boolean)).toEqual([]);
  return { results, said };
}

describe('the evals', () => {
  it('pass with a model that groups its work, answers questions and remembers', async () => {
    const { results, said } = await runWith(attentive);
    expect(said.filter(line => !line.endsWith('passed'))).toEqual([]);
    expect(results.map(({ verdict }) => verdict)).toEqual(evals.map(() => 'passed'));
    expect(formatResults(results)).toContain('keeps a planted fact');
  });

  it('fail, each with its reason, with a model that does none of it', async () => {
    const { results, said } = await runWith(careless);
    expect(results.map(({ verdict }) => verdict)).toEqual(evals.map(() => 'failed'));
    expect(said).toEqual([
      'groups work in chapters, 1 of 1: failed, 0 chapters: none',
      'opens no chapter for small talk, 1 of 1: failed, a chapter for "Hello."',
      expect.stringMatching(/led to: Write src\/cart\.mjs/),
      'keeps a planted fact, 1 of 1: failed, the answer was: I do not know.',
    ]);
  });

  it('say that they could not be tried when the key is wrong, and try no second time', async () => {
    const { results } = await runWith(() => invalidKey(), 3);
    expect(results.map(({ verdict }) => verdict)).toEqual(evals.map(() => 'troubled'));
    expect(results.map(({ attempts }) => attempts.length)).toEqual(evals.map(() => 1));
  });

  it('are decided by most of the attempts', () => {
    const [pass, fail] = [{ kind: 'passed' }, { kind: 'failed', why: 'so' }] as const;
    expect(judge([pass, fail, pass])).toBe('passed');
    expect(judge([pass, fail])).toBe('failed');
    expect(judge([pass, pass, { kind: 'troubled', why: 'no network' }])).toBe('troubled');
  });
});

function attentive(request: RecordedRequest): Answer {
  if (toolNames(request).length === 0) return [text(snapshotWith('Port 47813, Ilse Brandt.'))];
  const prompt = lastPrompt(request);
  const done = lastResults(request).map(({ name }) => name);
  if (prompt.startsWith('average() in')) return workInChapters(done);
  if (prompt.startsWith('Read all files')) return done.length > 0 ? [text('About counts.')] : readAll(prompt);
  if (prompt.startsWith('Which port')) return [text('Port 47813, which belongs to Ilse Brandt.')];
  return [text('An empty cart has a length of 0; src/report.mjs uses it, and there is no test.')];
}

function workInChapters(done: readonly string[]): Answer {
  const read = call('read_file', { file_path: 'src/cart.mjs' });
  const write = call('write_file', { file_path: 'src/cart.mjs', content: '// fixed\n' });
  if (done.length === 0) return [call('create_new_topic', { title: 'Tracing the NaN' }), read];
  if (done.includes('read_file')) return [call('create_new_topic', { title: 'Fixing the average' }), write];
  return [text('Fixed.')];
}

function careless(request: RecordedRequest): Answer {
  if (toolNames(request).length === 0) return [text(snapshotWith('Something about a database.'))];
  const prompt = lastPrompt(request);
  const done = lastResults(request).length > 0;
  if (done) return [text('Done.')];
  if (prompt === 'Hello.') return [call('create_new_topic', { title: 'Greeting the person' })];
  if (prompt.startsWith('Read all files')) return readAll(prompt);
  if (prompt.startsWith('Which port')) return [text('I do not know.')];
  if (prompt.startsWith('For later')) return [text('Noted.')];
  return [call('write_file', { file_path: 'src/cart.mjs', content: '// changed\n' })];
}

function readAll(prompt: string): Answer {
  const folder = /in (\w+)\//.exec(prompt)![1];
  return [1, 2, 3, 4].map(number => call('read_file', { file_path: `${folder}/part${number}.txt` }));
}

function snapshotWith(knowledge: string): string {
  return `<state_snapshot><overall_goal>Talk about notes.</overall_goal><key_knowledge>${knowledge}</key_knowledge></state_snapshot>`;
}
