import { createHash } from 'node:crypto';
import * as z from 'zod';
import { t } from '../../../protocol/language.ts';
import { abortable } from '../../base/abort.ts';
import { messageOf } from '../../base/errors.ts';
import { cutMiddle, oneLine, sanitiseLine } from '../../base/text.ts';
import { sanitiseDescription, wrapUntrusted } from '../../base/untrusted.ts';
import { type AnyTool, defineTool, ToolFailure, type ToolResult } from '../../core/tool.ts';
import { apiError } from './apiError.ts';
import type { FolioTool } from './folioApi.ts';

type Args = Readonly<Record<string, unknown>>;

/** Characters of text in a question to the user. */
const maxShownLength = 8_000;
/** Characters of a result, which bounds memory if an extension misbehaves. */
const maxResultLength = 10_000_000;

/**
 * Throws for an unusable schema. The returned function describes why a value does not match; `undefined` if it does.
 */
export type CheckSchema = (schema: Args) => (value: unknown) => string | undefined;

export function clientTool(extensionId: string, tool: FolioTool, check: CheckSchema): AnyTool {
  const { name, description, inputSchema, effect, invoke } = tool;
  const of = { kind: 'mcp', server: extensionServer(extensionId), tool: name } as const;
  const checked = readSchema(name, inputSchema, check);
  return defineTool<Args, undefined>({
    name: clientToolName(extensionId, name),
    description: `${sanitiseDescription(description, 1_000)} (Tool of the extension ${extensionId}.)`,
    schema: inputSchema,
    input: () => checked,
    effect: effect === 'read' ? 'read' : 'run',
    of,
    title: input => sanitiseLine(`${extensionId}: ${name} ${JSON.stringify(input)}`, 200),
    prepare: async input => ({
      plan: undefined,
      subject: { kind: 'other', detail: describe(extensionId, name, input) },
      target: of,
    }),
    run: (input, _plan, { signal }) => run(extensionId, invoke, input, signal),
  });
}

/** The extension's name in rules and permanent permissions. */
function extensionServer(extensionId: string): string {
  return `extension:${extensionId}`;
}

/** Returns a unique and stable name within the 64 characters that providers allow. */
export function clientToolName(extensionId: string, name: string): string {
  const plain = `ext_${extensionId.replace('.', '_')}_${name}`;
  // An underscore in the id is ambiguous with the separator of publisher and name.
  if (plain.length <= 63 && !extensionId.includes('_')) return plain;
  const hash = createHash('sha256').update(extensionId).digest('hex').slice(0, 8);
  const room = 63 - `ext__${hash}_${name}`.length;
  return `ext_${extensionId.replace(/\W/g, '_').slice(0, room)}_${hash}_${name}`;
}

/** Rejects a tool whose arguments cannot be checked. */
function readSchema(name: string, schema: Args, check: CheckSchema): z.ZodType<Args> {
  const find = makeCheck(name, schema, check);
  return z.record(z.string(), z.unknown()).superRefine((value, context) => {
    const problem = find(value);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: oneLine(problem, 1_000) });
  });
}

function makeCheck(name: string, schema: Args, check: CheckSchema): ReturnType<CheckSchema> {
  try {
    return check(schema);
  } catch (error) {
    throw apiError('input', `The inputSchema of ${name} cannot be used: ${oneLine(messageOf(error), 300)}`);
  }
}

async function run(
  extensionId: string,
  invoke: FolioTool['invoke'],
  input: Args,
  signal: AbortSignal,
): Promise<ToolResult> {
  let text: unknown;
  try {
    text = await abortable((async () => invoke(structuredClone(input), signal))(), signal);
  } catch (error) {
    signal.throwIfAborted();
    const why = messageOf(error);
    throw new ToolFailure(
      `The extension ${extensionId} could not do it:\n${wrapUntrusted('untrusted_content', cutMiddle(why, maxShownLength))}`,
      () => oneLine(why, 200),
    );
  }
  if (typeof text !== 'string')
    throw new ToolFailure(() =>
      t('The extension {0} returned no text. This is an error in the extension.', extensionId),
    );
  const result = cutMiddle(text, maxResultLength);
  return {
    text:
      result.trim() === ''
        ? 'The tool succeeded and gave an empty text.'
        : wrapUntrusted('untrusted_content', result),
    display: { summary: () => oneLine(result, 160) || t('Done'), detail: { kind: 'text', text: result } },
  };
}

function describe(extensionId: string, name: string, input: Args): string {
  const json = JSON.stringify(input, undefined, 2);
  return `${name} of the extension ${extensionId}\n${cutMiddle(json, maxShownLength, 0.7)}`;
}
