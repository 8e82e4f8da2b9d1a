import { describe, expect, test } from 'vitest';
import { askUserTool } from '../../src/extension/tools/askUser.ts';
import type { AskSubject } from '../../src/protocol/asks.ts';
import type { Answer } from '../../src/protocol/questions.ts';
import { useTool } from '../support/useTool.ts';

const tool = askUserTool({ interactive: true });

const store = {
  question: 'Which store?',
  type: 'choice',
  options: [{ label: 'SQLite', description: 'One file' }, { label: 'Postgres' }],
};

/** What the user is shown. */
async function shown(...questions: readonly unknown[]): Promise<Extract<AskSubject, { kind: 'questions' }>> {
  let subject: AskSubject | undefined;
  const decide = (prepared: { readonly subject?: AskSubject }) => {
    subject = prepared.subject;
    return undefined;
  };
  await useTool(tool, { questions }, { decide, said: { answers: [] } });
  if (subject?.kind !== 'questions') throw new Error('No questions are asked.');
  return subject;
}

const answered = (questions: readonly unknown[], answers: readonly Answer[]) =>
  useTool(tool, { questions }, { said: { answers } });

describe('ask_user', () => {
  test('is offered only where a user is', () => {
    expect(tool.isOffered?.()).toBe(true);
    expect(askUserTool({ interactive: false }).isOffered?.()).toBe(false);
  });

  test('asks in every mode and in the words of the model', async () => {
    const { questions } = await shown(store, { question: 'Continue?', type: 'yesno', header: 'Next' });
    expect(questions).toEqual([
      { text: 'Which store?', field: { kind: 'choice', multiple: false, options: store.options } },
      { header: 'Next', text: 'Continue?', field: { kind: 'yesNo' } },
    ]);
    const prepared = await tool.prepare(tool.input().parse({ questions: [store] }), {
      callId: 'c',
      signal: new AbortController().signal,
      write: () => {},
      saveOutput: async () => undefined,
    });
    expect(prepared.mustAsk).toBe(true);
  });

  test('line breaks that were escaped twice are breaks, but not in code', async () => {
    const { questions } = await shown({
      question: 'First\\nsecond: `a\\nb`?',
      type: 'text',
      header: 'Two\\nlines\u202e',
      placeholder: 'x\ny',
    });
    expect(questions[0]).toEqual({
      header: 'Two lines',
      text: 'First\nsecond: `a\\nb`?',
      field: { kind: 'text', placeholder: 'x y' },
    });
  });

  test('long words are cut', async () => {
    const { questions } = await shown({
      question: 'q'.repeat(9_000),
      header: 'h'.repeat(500),
      type: 'choice',
      options: [{ label: 'a'.repeat(500), description: 'd'.repeat(900) }, { label: 'b' }],
    });
    const [{ text, header, field }] = questions as [(typeof questions)[0]];
    expect([text.length, header?.length]).toEqual([2_000, 40]);
    const options = field.kind === 'choice' ? field.options : [];
    expect([options[0]?.label.length, options[0]?.description?.length]).toEqual([80, 300]);
  });

  test.each([
    ['no question', []],
    ['five questions', Array.from({ length: 5 }, () => store)],
    ['a question without words', [{ question: ' \\n ', type: 'text' }]],
    ['a choice without options', [{ question: 'Which?', type: 'choice' }]],
    ['options with the same label', [{ ...store, options: [{ label: 'A' }, { label: ' A ' }] }]],
    ['an option without a label', [{ ...store, options: [{ label: 'A' }, { label: '\u200b' }] }]],
    ['nine options', [{ ...store, options: Array.from({ length: 9 }, (_, i) => ({ label: `${i}` })) }]],
  ])('%s is refused with what to do', async (_name, questions) => {
    await expect(answered(questions, [])).rejects.toMatchObject({ name: 'ToolFailure' });
  });

  test('the model reads each question with its answer, and which were left open', async () => {
    const many = { ...store, multiple: true, question: 'Which stores?' };
    const { text, display } = await answered(
      [store, many, { question: 'Name?', type: 'text' }],
      [['My own "words"'], ['SQLite', 'Postgres']],
    );
    expect(JSON.parse(text)).toEqual({
      answers: [
        { question: 'Which store?', answer: 'My own "words"' },
        { question: 'Which stores?', answer: ['SQLite', 'Postgres'] },
        { question: 'Name?', answer: null },
      ],
    });
    expect(display.summary).toBe('2 of 3 questions answered');
    expect(display.detail).toMatchObject({
      text: expect.stringContaining('Which stores?\n→ SQLite; Postgres'),
    });
  });

  test('the answer to a single question is the line of its card', async () => {
    expect((await answered([store], [['SQLite']])).display.summary).toBe('SQLite');
    expect((await answered([store], [['  ']])).display.summary).toBe('0 of 1 question answered');
  });

  test('a consent that holds no answers is no answer', async () => {
    await expect(useTool(tool, { questions: [store] })).rejects.toThrow(/without answers/);
  });
});
