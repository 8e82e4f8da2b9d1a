import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findSnapshot, requireSnapshot } from '../../src/extension/core/context/compression/snapshot.ts';
import { summaryRequest, summarySystem } from '../../src/extension/core/context/compression/summaryPrompt.ts';
import { startRehearsal } from '../../src/extension/rehearsal/rehearsal.ts';
import { eachTest } from '../support/eachTest.ts';
import { geminiAt, model, notify, requestOf, succeeded, user } from '../support/geminiClient.ts';
import { copySample, playScene, sampleTools, type Tools } from '../support/rehearsedTools.ts';

const rehearsal = eachTest(() => startRehearsal({ pauseMs: 0 }));
const sample = eachTest(() => copySample());

const prompt = 'Fix the failing test';
const invoice = () => readFile(join(sample.folder, 'src/invoice.js'), 'utf8');

function play(text = prompt, tools: Tools = sampleTools) {
  return playScene(geminiAt(rehearsal.baseUrl), text, sample.folder, tools);
}

function denying(name: string, reason: string): Tools {
  return { ...sampleTools, [name]: () => Promise.reject(new Error(reason)) };
}

test('the scene reads, sees the test fail, fixes the code and sees the tests pass', async () => {
  const { calls, answer } = await play();
  expect(calls).toEqual([
    '# Reading the invoice code',
    'list_directory',
    'read_file',
    'read_file',
    'read_file',
    '# Reproducing the failure',
    'run_shell_command',
    '# Fixing the rounding',
    'replace',
    '# Checking the fix',
    'run_shell_command',
  ]);
  expect(answer).toContain('6 tests passed, 0 failed; before it was 5 tests passed, 1 failed');
  expect(await invoice()).toContain('return net + roundCents(tax);');
});

test('in plan mode a plan is presented first, and carried out once it is approved', async () => {
  const plans: unknown[] = [];
  const approving = {
    ...sampleTools,
    exit_plan_mode: async (args: unknown) => `${plans.push(args)} approved`,
  };
  const { calls, answer } = await play('Plan how to fix the failing test', approving);
  expect(calls.slice(0, 7)).toEqual([
    '# Reading the invoice code',
    'list_directory',
    'read_file',
    'read_file',
    'read_file',
    'exit_plan_mode',
    '# Reproducing the failure',
  ]);
  expect(plans).toEqual([
    { title: 'Round the tax of an invoice once', plan: expect.stringContaining('npm test') },
  ]);
  expect(answer).toContain('6 tests passed, 0 failed');
});

test('remarks are worked into the plan once, then the scene ends without a change', async () => {
  const plans: string[] = [];
  const sendBack = async ({ plan }: Readonly<Record<string, unknown>>) => {
    plans.push(String(plan));
    throw new Error('The user sent the plan back. They said: Name the risk.');
  };
  const before = await invoice();
  const { answer } = await play('Plan the fix', { ...sampleTools, exit_plan_mode: sendBack });
  expect(plans).toHaveLength(2);
  expect(plans[1]).toContain('> Name the risk.');
  expect(answer).toContain('Nothing was changed');
  expect(await invoice()).toBe(before);
});

test('each chapter but the first sums up the one before it, from what happened', async () => {
  const { history } = await play();
  const topics = history.flatMap(({ parts }) =>
    parts.flatMap(part => (part.kind === 'call' && part.name === 'create_new_topic' ? [part.args] : [])),
  );
  expect(topics.map(({ summary }) => summary)).toEqual([
    undefined,
    expect.stringContaining('src/invoice.js'),
    'The tests ran: 5 tests passed, 1 failed.',
    expect.stringContaining('rounds it once'),
  ]);
});

test('thoughts, text and an estimate of tokens come', async () => {
  const { history } = await play();
  const provider = geminiAt(rehearsal.baseUrl);
  const tools = [{ name: 'list_directory', description: 'Lists.', parameters: { type: 'object' } }];
  const first = await notify(provider.stream(requestOf([user(prompt)], { model: 'rehearsal', tools })));
  const last = await notify(
    provider.stream(requestOf([...history, user('More')], { model: 'rehearsal', tools })),
  );
  expect(first.thoughts).toContain('**Finding my way**');
  const { usage: before, finish } = succeeded(first.end);
  const { usage: after } = succeeded(last.end);
  expect(finish).toBe('STOP');
  expect(before?.thoughts).toBeGreaterThan(0);
  expect(after?.output).toBeGreaterThan(0);
  expect(after?.prompt).toBeGreaterThan(before?.prompt ?? 0);
});

test('an answer is sent in small pieces, as a model writes it', async () => {
  const answer = await fetch(`${rehearsal.baseUrl}/v1beta/models/rehearsal:streamGenerateContent?alt=sse`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-goog-api-key': 'rehearsal' },
    body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }),
  });
  expect((await answer.text()).match(/^data: /gm)?.length).toBeGreaterThan(10);
});

test('a denied edit is told, and nothing more is done', async () => {
  const before = await invoice();
  const { calls, answer } = await play(
    prompt,
    denying('replace', 'The user denied this call; nothing was done.'),
  );
  expect(calls.at(-1)).toBe('replace');
  expect(answer).toContain('I was not allowed to change `src/invoice.js`');
  expect(answer).toContain('5 tests passed, 1 failed');
  expect(answer).not.toContain('is right now');
  expect(await invoice()).toBe(before);
});

test('a denied command is told without what is meant for a model, and nothing more is done', async () => {
  const denial =
    'The user denied this call; nothing was done. They gave no reason: do not try the same again; ask or go another way.\n\n[Active Topic: Finding my way] Start the next.';
  const { calls, answer } = await play(prompt, denying('run_shell_command', denial));
  expect(calls.at(-1)).toBe('run_shell_command');
  expect(answer).toContain('I was not allowed to run npm test');
  expect(answer).toContain('> The user denied this call; nothing was done.');
  expect(answer).not.toMatch(/do not try|Active Topic/);
});

test('a failed edit is told with its reason', async () => {
  const { answer } = await play(prompt, denying('replace', 'The disk is full.'));
  expect(answer).toContain('I could not change `src/invoice.js`');
  expect(answer).toContain('> The disk is full.');
});

test('a check that was denied leaves the fix unchecked, and says so', async () => {
  let runs = 0;
  const tools: Tools = {
    ...sampleTools,
    run_shell_command: (args, folder) =>
      ++runs > 1
        ? Promise.reject(new Error('The user denied this call.'))
        : sampleTools.run_shell_command!(args, folder),
  };
  const { answer } = await play(prompt, tools);
  expect(answer).toContain('it is not checked');
});

test('an edit that the user made useless is told as failing still', async () => {
  const tools: Tools = { ...sampleTools, replace: async () => 'Written, with changes by the user.' };
  const { answer } = await play(prompt, tools);
  expect(answer).toContain('the tests still fail: 5 tests passed, 1 failed');
});

test('after a denial the user may ask again, and the scene is played to its end', async () => {
  const provider = geminiAt(rehearsal.baseUrl);
  const denied = await play(prompt, denying('replace', 'The user denied this call.'));
  const second = await playScene(provider, 'Try again', sample.folder, sampleTools, denied.history);
  expect(second.answer).toContain('6 tests passed, 0 failed');
});

test('once the scene is over a further prompt gets an honest short answer', async () => {
  const provider = geminiAt(rehearsal.baseUrl);
  const first = await play();
  const second = await playScene(provider, 'Fix the next bug', sample.folder, sampleTools, first.history);
  expect([second.calls, second.answer]).toEqual([[], expect.stringContaining('The scene is over')]);
});

test('a prompt about something else gets an honest short answer', async () => {
  const { calls, answer } = await play('Write me a poem');
  expect(calls).toEqual([]);
  expect(answer).toContain('a fixed script instead of a model');
  expect(answer).toContain('"Folio: Connect a Model"');
});

test('a folder that is not the sample is told apart after a look at it', async () => {
  await rm(join(sample.folder, 'package.json'));
  const { calls, answer } = await play();
  expect(calls).toEqual(['# Reading the invoice code', 'list_directory']);
  expect(answer).toContain('not the sample project');
});

test('where all tests pass there is nothing to fix', async () => {
  await play();
  const { calls, answer } = await play();
  expect(calls).not.toContain('replace');
  expect(answer).toContain('There is nothing to fix: 6 tests passed, 0 failed');
});

test('code that the script does not know is left alone', async () => {
  await writeFile(
    join(sample.folder, 'src/invoice.js'),
    (await invoice()).replace('let total = 0;', 'let total = 1;'),
  );
  const { calls, answer } = await play();
  expect(calls).not.toContain('replace');
  expect(answer).toContain('is not what the script knows');
});

test('a command that ran no tests is told', async () => {
  const tools: Tools = {
    ...sampleTools,
    run_shell_command: async () => 'npm: command not found\nExit code: 127',
  };
  const { answer } = await play(prompt, tools);
  expect(answer).toContain('holds no test results');
  expect(answer).toContain('npm: command not found');
});

test('a session without writing tools ends where they would be needed', async () => {
  const { replace: _, ...tools } = sampleTools;
  const { answer } = await play(prompt, tools);
  expect(answer).toContain('needs `replace`');
});

test('it lists itself as a model', async () => {
  const models = await geminiAt(rehearsal.baseUrl).listModels(new AbortController().signal);
  expect(models).toEqual([
    { id: 'rehearsal', label: expect.stringContaining('estimated'), contextLimit: 1_048_576 },
  ]);
});

test('closing it ends an answer under way', async () => {
  const slow = await startRehearsal({ pauseMs: 20 });
  const stream = geminiAt(slow.baseUrl).stream(requestOf([user('Hello')], { model: 'rehearsal' }));
  for await (const event of stream) {
    if (event.type !== 'end') await slow.dispose();
    else expect(event.end.ok).toBe(false);
  }
});

test('asked to sum up, it answers with one snapshot of what happened, and continues from there', async () => {
  const provider = geminiAt(rehearsal.baseUrl);
  const { history } = await play();
  const question = [...history, user(summaryRequest(['1 Reading']))];
  const { text } = await notify(provider.stream(requestOf(question, { system: summarySystem })));
  const snapshot = findSnapshot(text);
  expect(snapshot && requireSnapshot(snapshot)).toBe(snapshot);
  for (const fact of [prompt, 'Changed src/invoice.js', 'rounds it once', '6 passed, 0 failed']) {
    expect(snapshot).toContain(fact);
  }
  expect(snapshot!.length).toBeLessThan(JSON.stringify(history).length / 4);

  const compressed = [user(snapshot!), model('Understood.'), user('Sum up once more.')];
  const again = await notify(provider.stream(requestOf(compressed, { system: summarySystem })));
  expect(findSnapshot(again.text)).toContain(`<overall_goal>\n${prompt}\n</overall_goal>`);
});
