/* The questions that a file defines for its `${input:…}` variables. */

import { createHash } from 'node:crypto';
import * as z from 'zod';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { canonicalJson } from '../../base/canonicalJson.ts';
import { headOf } from '../../base/text.ts';
import type { InputQuestion, ServerConfig } from './serverConfig.ts';

const inputSchema = lazySchema(() =>
  z.object({
    id: z.string(),
    description: z.string().optional().catch(undefined),
    default: z.string().optional().catch(undefined),
    options: z.array(z.string()).optional().catch(undefined),
  }),
);

/** Questions by id. Invalid ones are omitted; the user is then asked by the id. */
export function parseInputQuestions(inputs: unknown): Readonly<Record<string, InputQuestion>> {
  const list = Array.isArray(inputs) ? inputs : [];
  return Object.fromEntries(
    list.flatMap(each => {
      const parsed = inputSchema().safeParse(each);
      if (!parsed.success) return [];
      const { id, description, options, default: otherwise } = parsed.data;
      return [[id, { ...plainQuestion(id), ...words(description), ...field(options, otherwise) }]];
    }),
  );
}

export function questionForInput({ questions }: ServerConfig, id: string): InputQuestion {
  return Object.hasOwn(questions, id) ? questions[id]! : plainQuestion(id);
}

function plainQuestion(id: string): InputQuestion {
  return { header: headOf(id, 40), text: id, field: { kind: 'text' } };
}

function words(description = ''): Partial<InputQuestion> {
  return description.trim() === '' ? {} : { text: description };
}

function field(options: readonly string[] = [], otherwise?: string): Partial<InputQuestion> {
  const usual = { otherwise, optional: otherwise === undefined ? undefined : true };
  if (options.length > 0) {
    const labels = options.map(label => ({ label }));
    return { ...usual, field: { kind: 'choice', options: labels, multiple: false } };
  }
  return { ...usual, field: { kind: 'text', placeholder: otherwise } };
}

/**
 * Name of the stored answer. It depends on source and origin: an entry of the same name and input from another
 * workspace must not get this answer.
 */
export function inputSecretName({ name, origin, source }: ServerConfig, id: string): string {
  const digest = createHash('sha256')
    .update(canonicalJson([origin, source]))
    .digest('hex');
  return `mcp.${name}.input.${digest.slice(0, 16)}.${id}`;
}
