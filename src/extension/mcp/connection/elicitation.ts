/* Converts a server's form to questions for the user, and the answers to the content that the server expects. */

import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';
import type { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { t } from '../../../protocol/language.ts';
import type { Answer, Question, QuestionField } from '../../../protocol/questions.ts';
import { removeInvisibleText } from '../../base/hiddenText.ts';
import { isRecord } from '../../base/record.ts';
import { headOf, sanitiseLine } from '../../base/text.ts';
import type { McpUser } from './mcpUser.ts';
import { withoutPatterns } from './withoutPatterns.ts';

interface Elicitation {
  readonly server: string;
  readonly user: McpUser;
  readonly validator: Pick<AjvJsonSchemaValidator, 'getValidator'>;
  readonly callId: string | undefined;
}

type Schema = Readonly<Record<string, unknown>>;
type Content = NonNullable<ElicitResult['content']>;

const maxQuestions = 20;
const maxOptions = 50;
const maxAttempts = 3;
const limits = { message: 2_000, label: 80, description: 300 };

export async function answerElicitation(
  params: ElicitRequest['params'],
  { server, user, validator, callId }: Elicitation,
  signal: AbortSignal,
): Promise<ElicitResult> {
  const base = { server, message: manyLines(params.message), callId };
  if (params.mode === 'url') {
    const address = safeAddress(params.url);
    if (address === undefined) return { action: 'decline' };
    const { kind } = await user.answer({ kind: 'address', address, ...base }, signal);
    if (kind !== 'accepted') return { action: kind === 'declined' ? 'decline' : 'cancel' };
    return { action: (await user.open(address)) ? 'accept' : 'cancel' };
  }
  const fields = fieldsOf(params.requestedSchema);
  const questions = fields.map(toQuestion);
  const isValid = validator.getValidator(withoutPatterns(params.requestedSchema) as never);
  for (let attempt = 1, problem = ''; attempt <= maxAttempts; attempt++) {
    const message =
      problem === '' ? base.message : `${base.message}\n\n${t('That was not accepted: {0}', problem)}`;
    const said = await user.answer({ kind: 'form', ...base, message, questions }, signal);
    if (said.kind !== 'accepted') return { action: said.kind === 'declined' ? 'decline' : 'cancel' };
    const content = contentOf(fields, said.answers);
    const checked = isValid(content);
    if (checked.valid) return { action: 'accept', content };
    problem = sanitiseLine(checked.errorMessage.replace(/\bdata\b\/?/g, ''), limits.description);
  }
  return { action: 'cancel' };
}

interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  /** For a choice: values by label. */
  readonly values: ReadonlyMap<string, string>;
}

function fieldsOf({ properties, required }: Schema): readonly Field[] {
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(isRecord(properties) ? properties : {})
    .slice(0, maxQuestions)
    .map(([name, schema]) => {
      const own = isRecord(schema) ? schema : {};
      return { name, schema: own, required: needed.includes(name), values: optionsOf(own) };
    });
}

/** Supports each schema dialect for values and titles. */
function optionsOf(schema: Schema): ReadonlyMap<string, string> {
  const list = schema.type === 'array' && isRecord(schema.items) ? schema.items : schema;
  const titled = list.oneOf ?? list.anyOf;
  const pairs: [string, string][] = [];
  if (Array.isArray(titled)) {
    for (const each of titled) {
      if (isRecord(each) && typeof each.const === 'string')
        pairs.push([label(each.title ?? each.const), each.const]);
    }
  } else if (Array.isArray(list.enum)) {
    const names = Array.isArray(schema.enumNames) ? schema.enumNames : [];
    list.enum.forEach((value, at) => {
      if (typeof value === 'string') pairs.push([label(names[at] ?? value), value]);
    });
  }
  return new Map(pairs.slice(0, maxOptions));
}

function toQuestion({ name, schema, required, values }: Field): Question {
  const title = label(schema.title ?? name);
  const description =
    typeof schema.description === 'string' ? sanitiseLine(schema.description, limits.description) : '';
  return {
    header: headOf(title, 40),
    text: required ? description || title : t('{0} (may stay empty)', description || title),
    optional: !required || undefined,
    field: toField(schema, values),
  };
}

function toField(schema: Schema, values: ReadonlyMap<string, string>): QuestionField {
  if (values.size > 0) {
    const options = [...values.keys()].map(each => ({ label: each }));
    return { kind: 'choice', options, multiple: schema.type === 'array' };
  }
  if (schema.type === 'boolean') return { kind: 'yesNo' };
  const hints = [
    schema.type === 'number' || schema.type === 'integer' ? t('A number') : '',
    typeof schema.format === 'string' ? label(schema.format) : '',
    schema.default === undefined ? '' : t('Empty: {0}', label(schema.default)),
  ].filter(Boolean);
  return { kind: 'text', placeholder: hints.length > 0 ? hints.join(', ') : undefined };
}

/** An unanswered question gets its default, or is omitted. */
function contentOf(fields: readonly Field[], answers: readonly Answer[]): Content {
  const content: Record<string, Content[string]> = {};
  fields.forEach((field, at) => {
    const given = (answers[at] ?? []).map(each => each.trim()).filter(Boolean);
    const value = given.length > 0 ? meantBy(field, given) : defaultOf(field.schema.default);
    if (value !== undefined) content[field.name] = value;
  });
  return content;
}

function meantBy({ schema, values }: Field, given: readonly string[]): Content[string] {
  const meant = given.map(each => values.get(each) ?? each);
  const [first = ''] = meant;
  switch (schema.type) {
    case 'array':
      return meant;
    case 'boolean':
      return first.toLowerCase() === 'yes' || first.toLowerCase() === 'true';
    case 'number':
    case 'integer': {
      const number = Number(first);
      // A text that is no number is passed on. The form's validation reports it.
      return Number.isFinite(number) ? number : first;
    }
    default:
      return first;
  }
}

function defaultOf(value: unknown): Content[string] | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : undefined;
}

function safeAddress(address: string): string | undefined {
  const url = URL.parse(address);
  if (url?.protocol === 'https:') return url.href;
  return url?.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
    ? url.href
    : undefined;
}

function label(value: unknown): string {
  return sanitiseLine(String(value), limits.label);
}

function manyLines(text: string): string {
  const lines = headOf(text, limits.message).split(/\r?\n/);
  return lines
    .map(line => removeInvisibleText(line))
    .join('\n')
    .trim();
}
