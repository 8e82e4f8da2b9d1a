import * as z from 'zod';
import { plural, t } from '../../protocol/language.ts';
import { lazySchema } from '../../protocol/lazySchema.ts';
import type { Answer, Question, QuestionField } from '../../protocol/questions.ts';
import { headOf, oneLine, sanitiseLine } from '../base/text.ts';
import { defineTool, type Tool, ToolFailure, type ToolResult } from '../core/tool.ts';

export interface AskUserPorts {
  /** True if a user is present. Otherwise the tool is not declared: a question without reader costs a step. */
  readonly interactive: boolean;
}

const input = lazySchema(() =>
  z.object({
    questions: z.array(
      z.object({
        question: z.string(),
        type: z.enum(['choice', 'text', 'yesno']),
        header: z.string().optional(),
        options: z.array(z.object({ label: z.string(), description: z.string().optional() })).optional(),
        multiple: z.boolean().optional(),
        placeholder: z.string().optional(),
      }),
    ),
  }),
);
type Input = z.infer<ReturnType<typeof input>>;

const maxQuestions = 4;
const maxOptions = 8;

/** Characters. */
const limits = { question: 2_000, header: 40, label: 80, description: 300, placeholder: 120 };

export function askUserTool({ interactive }: AskUserPorts): Tool<Input, readonly Question[]> {
  return defineTool<Input, readonly Question[]>({
    name: 'ask_user',
    description: 'Asks the user in a form. Only what you can neither find out nor guess.',
    input,
    effect: 'note',
    isOffered: () => interactive,
    title: ({ questions }) => t('Ask: {0}', sanitiseLine(unescaped(questions[0]?.question ?? ''), 120)),
    prepare: async ({ questions: given }) => {
      if (given.length === 0 || given.length > maxQuestions) {
        throw new ToolFailure(() =>
          t('Ask one to {0} questions at once; these are {1}.', maxQuestions, given.length),
        );
      }
      const questions = given.map(cleanQuestion);
      const declined = async (said: string | undefined) => ({
        reason: `The user skipped the questions. ${said ? `They said: ${said}` : 'Continue with what you know, or say what you are missing.'}`,
        summary: () => (said ? oneLine(said, 200) : t('Skipped')),
      });
      return { plan: questions, subject: { kind: 'questions', questions }, mustAsk: true, declined };
    },
    run: async (_input, questions, { answers }) => {
      if (!answers)
        throw new ToolFailure('The questions came back without answers.', () => t('Not answered'));
      return describeAnswers(questions, answers);
    },
  });
}

function cleanQuestion(given: Input['questions'][number], index: number): Question {
  const text = manyLines(given.question);
  if (text === '') throw new ToolFailure(() => t('Question {0} is empty.', index + 1));
  const header = sanitiseLine(unescaped(given.header ?? ''), limits.header);
  return { header: header || undefined, text, field: cleanField(given, index) };
}

function cleanField(given: Input['questions'][number], index: number): QuestionField {
  switch (given.type) {
    case 'choice':
      return {
        kind: 'choice',
        options: cleanOptions(given.options ?? [], index),
        multiple: given.multiple ?? false,
      };
    case 'text': {
      const placeholder = sanitiseLine(unescaped(given.placeholder ?? ''), limits.placeholder);
      return { kind: 'text', placeholder: placeholder || undefined };
    }
    case 'yesno':
      return { kind: 'yesNo' };
  }
}

/** Answers are identified by label, so labels must be unique. */
function cleanOptions(given: NonNullable<Input['questions'][number]['options']>, index: number) {
  const options = given.map(({ label, description = '' }) => {
    const about = sanitiseLine(unescaped(description), limits.description);
    return { label: sanitiseLine(unescaped(label), limits.label), description: about || undefined };
  });
  const labels = options.map(({ label }) => label);
  if (options.length > maxOptions) {
    throw new ToolFailure(() =>
      t('Question {0} has {1} options; at most {2} can be shown.', index + 1, options.length, maxOptions),
    );
  }
  if (options.length >= 2 && !labels.includes('') && new Set(labels).size === labels.length) return options;
  throw new ToolFailure(
    `Question ${index + 1} needs two or more options with different labels. For a free answer use type "text".`,
    () => t('Options are missing'),
  );
}

/** Models sometimes escape line breaks twice in JSON. Inside backquotes `\n` is meant literally. */
function unescaped(text: string): string {
  return text.replace(/`[^`]*`|\\n/g, found => (found === '\\n' ? '\n' : found));
}

function manyLines(text: string): string {
  const lines = unescaped(text).split(/\r?\n/);
  const plain = lines
    .map(line => sanitiseLine(line, limits.question))
    .join('\n')
    .trim();
  return plain.length > limits.question ? `${headOf(plain, limits.question - 1)}…` : plain;
}

function describeAnswers(questions: readonly Question[], answers: readonly Answer[]): ToolResult {
  const pairs = questions.map(({ text, field }, index) => {
    const given = (answers[index] ?? []).map(answer => answer.trim()).filter(Boolean);
    const many = field.kind === 'choice' && field.multiple;
    return { question: text, answer: given.length === 0 ? null : many ? given : given.join('; ') };
  });
  const answered = pairs.filter(({ answer }) => answer !== null);
  const shown = pairs.map(
    ({ question, answer }) => `${question}\n→ ${[answer ?? t('No answer')].flat().join('; ')}`,
  );
  const only = questions.length === 1 ? answered[0]?.answer : undefined;
  return {
    text: JSON.stringify({ answers: pairs }),
    display: {
      summary: () =>
        only
          ? oneLine([only].flat().join('; '), 120)
          : plural(
              pairs.length,
              'one: {1} of {0} question answered | other: {1} of {0} questions answered',
              answered.length,
            ),
      detail: { kind: 'text', text: shown.join('\n\n') },
    },
  };
}
