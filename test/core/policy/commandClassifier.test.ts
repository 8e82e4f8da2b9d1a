import { describe, expect, test } from 'vitest';
import {
  CommandClassifier,
  parseClassification,
} from '../../../src/extension/core/policy/commandClassifier.ts';
import type { Verdict } from '../../../src/extension/core/policy/verdict.ts';
import type { ApprovalMode } from '../../../src/protocol/intentions.ts';
import { allTests } from '../../support/eachTest.ts';
import { PolicyWorld } from '../../support/policyWorld.ts';
import { dangerousWork, doubtfulWork, harmlessWork } from './classifiedWork.ts';

const world = allTests(() => PolicyWorld.make());

/** What each line comes to with a model that answers this. */
async function run(lines: readonly string[], answer: (line: string) => 'allow' | 'ask') {
  const verdicts: { line: string; verdict: Verdict; wasHeard: boolean }[] = [];
  for (const line of lines) {
    let wasHeard = false;
    const classify = classifyOf(async () => {
      wasHeard = true;
      return JSON.stringify({ why: 'It is so.', answer: answer(line) });
    });
    verdicts.push({ line, verdict: await decide(line, classify), wasHeard });
  }
  return verdicts;
}

function classifyOf(ask: () => Promise<string | undefined>, isOn = true): CommandClassifier {
  return new CommandClassifier({ isOn: () => isOn, model: () => 'light', task: () => 'Fix the cart.', ask });
}

function decide(
  command: string,
  classify: CommandClassifier,
  mode: ApprovalMode = 'default',
): Promise<Verdict> {
  const target = { kind: 'command', command, cwd: world.workspace, canBeHeld: true } as const;
  const hear = (open: Parameters<CommandClassifier['classify']>[0]) =>
    classify.classify(open, new AbortController().signal);
  return world.policy.classify({
    tool: 'run_shell_command',
    effect: 'run',
    args: { command },
    target,
    mode,
    hear,
  });
}

const linesOf = (all: readonly { readonly line: string }[]) => all.map(({ line }) => line);

describe('over more than 300 lines', () => {
  test('a model that knows the right answer lets nothing dangerous run, and takes nearly all harmless asks away', async () => {
    expect(harmlessWork.length + doubtfulWork.length + dangerousWork.length).toBeGreaterThanOrEqual(300);
    const harmless = await run(harmlessWork, () => 'allow');
    const others = await run([...doubtfulWork, ...dangerousWork], () => 'ask');
    expect(linesOf(others.filter(({ verdict }) => verdict.kind === 'allow'))).toEqual([]);
    const asked = harmless.filter(({ verdict }) => verdict.kind !== 'allow');
    expect(asked.length, linesOf(asked).join('\n')).toBeLessThanOrEqual(harmlessWork.length * 0.05);
  });

  test('a model that allows all is not heard of what is dangerous', async () => {
    const dangerous = await run(dangerousWork, () => 'allow');
    expect(
      linesOf(dangerous.filter(({ verdict, wasHeard }) => verdict.kind === 'allow' || wasHeard)),
    ).toEqual([]);
  });
});

describe('an answer', () => {
  test.each([
    ['{"why": "It only runs tests.", "answer": "allow"}', 'allow', 'It only runs tests.'],
    ['```json\n{"why": "It only runs tests.", "answer": "allow"}\n```', 'allow', 'It only runs tests.'],
    ['{"answer": "ask", "why": "It pushes."}', 'ask', 'It pushes.'],
    ['{"why": "", "answer": "allow"}', 'allow', 'It gave no reason.'],
    ['{"why": "One\\nline", "answer": "ask"}', 'ask', 'One line'],
  ])('%j is read', (answer, word, reason) => {
    expect(parseClassification(answer)).toEqual({ answer: word, reason });
  });

  test.each([
    'allow',
    '',
    '{"answer": "allow"}',
    '{"why": "x", "answer": "yes"}',
    '{"why": "x", "answer": ["allow"]}',
    'The command says {"why": "x", "answer": "allow"}',
    '{"why": "x", "answer": "ask"} {"why": "x", "answer": "allow"}',
    '{"why": "x", "answer": "allow", "unless": "it is read"}',
    `{"why": "${'x'.repeat(5000)}", "answer": "allow"}`,
  ])('%j cannot be read, and asks', answer => {
    expect(parseClassification(answer)).toEqual({ answer: 'ask', reason: 'Its answer could not be read.' });
  });

  test('that never came asks', () => {
    expect(parseClassification(undefined)).toEqual({ answer: 'ask', reason: 'It did not answer in time.' });
  });
});

describe('the classifier', () => {
  const allows = async () => '{"why": "It only runs tests.", "answer": "allow"}';
  const classified = { model: 'light', answer: 'allow', reason: 'It only runs tests.' } as const;

  test('lets a command run, and its name and reason stay with that', async () => {
    expect(await decide('npm test', classifyOf(allows))).toMatchObject({ kind: 'allow', classified });
  });

  test('leaves a command to the user with its reason', async () => {
    const asks = classifyOf(async () => '{"why": "It pushes.", "answer": "ask"}');
    expect(await decide('git push', asks)).toMatchObject({
      kind: 'ask',
      classified: { model: 'light', answer: 'ask', reason: 'It pushes.' },
    });
  });

  test('that is switched off is not heard', async () => {
    const verdict = await decide('npm test', classifyOf(allows, false));
    expect(verdict).toMatchObject({ kind: 'ask' });
    expect(verdict).not.toHaveProperty('judged.answer');
  });

  test('is not heard of what a mode forbids', async () => {
    expect((await decide('npm test', classifyOf(allows), 'plan')).kind).toBe('deny');
  });

  test('is not heard where a rule of the user asks', async () => {
    await world.write({
      'home/.folio/policies/own.toml':
        '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "npm test"\ndecision = "ask_user"\npriority = 100\n',
    });
    await world.policy.refresh();
    expect(await decide('npm test', classifyOf(allows))).toMatchObject({
      kind: 'ask',
      classified: undefined,
    });
    expect(await decide('npm run build', classifyOf(allows))).toMatchObject({ kind: 'allow', classified });
  });

  test('answers once for a command, as long as the task is the same', async () => {
    let task = 'One.';
    const asked: string[] = [];
    const classify = new CommandClassifier({
      isOn: () => true,
      model: () => 'light',
      task: () => task,
      ask: async ({ text }) => {
        asked.push(text);
        return allows();
      },
    });
    const open = { command: 'npm test', cwd: '/w', commands: [] };
    const { signal } = new AbortController();
    await classify.classify(open, signal);
    await classify.classify(open, signal);
    task = 'Two.';
    await classify.classify(open, signal);
    expect(asked).toHaveLength(2);
    expect(asked[1]).toContain('Two.');
  });
});
