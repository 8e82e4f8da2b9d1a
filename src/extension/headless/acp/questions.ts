/* Converts questions of the model or of a server to a form, or to buttons for a client without forms. */

import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  ElicitationContentValue,
  ElicitationPropertySchema,
  PermissionOption,
  RequestPermissionOutcome,
} from '@agentclientprotocol/sdk';
import type { AskSubject } from '../../../protocol/asks.ts';
import type { Answer, Question } from '../../../protocol/questions.ts';
import type { Decision } from '../../core/calls/approvals.ts';

export type QuestionSubject = Extract<AskSubject, { kind: 'questions' }>;

/** Uses neutral keys, because labels need not be valid names. */
const keyOf = (index: number) => `answer${index + 1}`;

export function questionForm(
  { questions, from }: QuestionSubject,
  place: { readonly sessionId: string; readonly toolCallId: string },
): CreateElicitationRequest {
  const message = from === undefined ? 'The agent asks.' : `The server ${from.server} asks: ${from.message}`;
  const properties = Object.fromEntries(questions.map((each, index) => [keyOf(index), propertyOf(each)]));
  const required = questions.flatMap(({ optional }, index) => (optional ? [] : [keyOf(index)]));
  return { ...place, mode: 'form', message, requestedSchema: { type: 'object', properties, required } };
}

export function decisionOfForm(
  { questions }: QuestionSubject,
  response: CreateElicitationResponse,
): Decision {
  if (response.action !== 'accept') return skipped;
  const content = 'content' in response ? (response.content as Content) : undefined;
  const answers = questions.map((_, index): Answer => answerOf(content?.[keyOf(index)]));
  return { kind: 'answers', answers };
}

type Content = Readonly<Record<string, ElicitationContentValue>> | null | undefined;

const skipped: Decision = { kind: 'deny' };

/** Without forms, a client can only show one question with a few answers. */
export function questionButtons({ questions }: QuestionSubject): readonly PermissionOption[] | undefined {
  const [only] = questions;
  const labels = questions.length === 1 && only ? labelsOf(only) : undefined;
  if (labels === undefined || labels.length > maxButtons) return undefined;
  return [
    ...labels.map((name, index) => ({ optionId: `answer.${index}`, name, kind: 'allow_once' as const })),
    { optionId: 'skip', name: 'Skip', kind: 'reject_once' },
  ];
}

export function decisionOfButton(subject: QuestionSubject, outcome: RequestPermissionOutcome): Decision {
  const chosen =
    outcome.outcome === 'selected'
      ? questionButtons(subject)?.find(
          ({ optionId, kind }) => optionId === outcome.optionId && kind === 'allow_once',
        )
      : undefined;
  return chosen ? { kind: 'answers', answers: [[chosen.name]] } : skipped;
}

/** For a client that supports neither. */
export const cannotAsk: Decision = {
  kind: 'deny',
  reason: 'Their program shows no forms. Ask in the words of your answer and end your turn.',
};

const maxButtons = 8;

function labelsOf({ field }: Question): readonly string[] | undefined {
  switch (field.kind) {
    case 'choice':
      return field.multiple ? undefined : field.options.map(({ label }) => label);
    case 'yesNo':
      return ['Yes', 'No'];
    case 'text':
      return undefined;
  }
}

function propertyOf({ header, text, field }: Question): ElicitationPropertySchema {
  const words = { title: header ?? text, description: text };
  switch (field.kind) {
    case 'text':
      return { type: 'string', ...words };
    case 'yesNo':
      return { type: 'boolean', ...words };
    case 'choice': {
      const options = field.options.map(({ label, description }) => ({
        const: label,
        title: label,
        description,
      }));
      return field.multiple
        ? { type: 'array', ...words, items: { anyOf: options } }
        : { type: 'string', ...words, oneOf: options };
    }
  }
}

function answerOf(value: ElicitationContentValue | undefined): Answer {
  if (value === undefined || value === '') return [];
  if (typeof value === 'boolean') return [value ? 'Yes' : 'No'];
  return Array.isArray(value) ? value : [String(value)];
}
