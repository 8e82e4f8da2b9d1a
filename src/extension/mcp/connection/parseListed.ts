/* Parses a server's lists entry by entry, so that an invalid entry does not hide the others. */

import * as z from 'zod';
import type { RowOf } from '../../../protocol/schemaTable.ts';
import { removeInvisibleText } from '../../base/hiddenText.ts';
import { fieldsOf, isRecord } from '../../base/record.ts';
import { headOf, sanitiseLine } from '../../base/text.ts';
import { defuseTags } from '../../base/untrusted.ts';
import type { ToolAnnotations } from '../../core/tool.ts';

export interface ListedTool {
  /** The server's name for it. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Schema of structured results. Omitted if the server declares none. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  /** The server declares that it changes nothing. */
  readonly readOnly: boolean;
  /** The server declares that it reaches external systems. */
  readonly openWorld: boolean;
  /** All of the server's hints, for rules to compare. */
  readonly hints: ToolAnnotations;
  /** It can be called only as a task that is polled. */
  readonly asTask: boolean;
  /** URI of the page that shows its results: `ui://…`. */
  readonly page?: string;
  /** Must not call the tool. Omitted if both may. */
  readonly hiddenFrom?: 'model' | 'page';
}

export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType?: string;
  /** The server's metadata about its page. */
  readonly ui?: Readonly<Record<string, unknown>>;
}

/** Characters. A longer description does not help a model. */
const limits = { name: 200, uri: 2_000, description: 4_000, schema: 100_000, depth: 60 };

/** Cleans a description: it goes into every request, so it must neither hide text nor imitate our tags. */
function clean(text: string, limit: number): string {
  return defuseTags(headOf(removeInvisibleText(text), limit), 'untrusted');
}

const name = z.string().min(1).max(limits.name);
const description = z
  .string()
  .optional()
  .catch(undefined)
  .transform(text => clean(text ?? '', limits.description).trim());
const title = z
  .string()
  .optional()
  .catch(undefined)
  .transform(text => (text ? sanitiseLine(text, limits.name) : undefined));
const flag = z.boolean().optional().catch(undefined);

const meta = z.record(z.string(), z.unknown()).optional().catch(undefined);

const tool = z.object({
  name,
  title,
  description,
  inputSchema: z
    .record(z.string(), z.unknown())
    .optional()
    .refine(schema => isReasonable(schema ?? {})),
  outputSchema: z.record(z.string(), z.unknown()).refine(isReasonable).optional().catch(undefined),
  annotations: z
    .looseObject({ title, readOnlyHint: flag, destructiveHint: flag, openWorldHint: flag })
    .optional()
    .catch(undefined),
  execution: z.object({ taskSupport: z.string().optional() }).optional().catch(undefined),
  _meta: meta,
});

/** Rejects schemas that are too long, or too deep to walk safely. */
function isReasonable(schema: object): boolean {
  const json = toJson(schema);
  if (json === undefined || json.length > limits.schema) return false;
  let depth = 0;
  for (const [bracket] of json.replace(/"(?:[^"\\]|\\.)*"/g, '').matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > limits.depth) return false;
  }
  return true;
}

function toJson(schema: object): string | undefined {
  try {
    return JSON.stringify(schema);
  } catch {
    // Too deep to serialise without a stack overflow.
    return undefined;
  }
}

/** Keeps only hints with a primitive value. */
function hintsOf(annotations: Readonly<Record<string, unknown>>): ToolAnnotations {
  const isPlain = ([, value]: [string, unknown]) => typeof value === 'boolean' || typeof value === 'string';
  return Object.fromEntries(Object.entries(annotations).filter(isPlain)) as ToolAnnotations;
}

export function parseTool(value: unknown): ListedTool | undefined {
  const { data } = tool.safeParse(value);
  if (!data) return undefined;
  const { annotations, _meta } = data;
  const { resourceUri = _meta?.['ui/resourceUri'], visibility } = fieldsOf(_meta?.ui);
  const shown = data.title ?? annotations?.title;
  return {
    name: data.name,
    description: data.description,
    title: shown,
    inputSchema: data.inputSchema ?? { type: 'object' },
    outputSchema: data.outputSchema,
    readOnly: annotations?.readOnlyHint === true && annotations.destructiveHint !== true,
    openWorld: annotations?.openWorldHint === true,
    hints: hintsOf(annotations ?? {}),
    asTask: data.execution?.taskSupport === 'required',
    page: typeof resourceUri === 'string' && resourceUri.startsWith('ui://') ? resourceUri : undefined,
    hiddenFrom: hiddenFrom(visibility),
  };
}

function hiddenFrom(visibility: unknown): ListedTool['hiddenFrom'] {
  if (!Array.isArray(visibility)) return undefined;
  if (!visibility.includes('model')) return 'model';
  return visibility.includes('app') ? undefined : 'page';
}

const prompt = z.object({
  name,
  description,
  arguments: z
    .array(z.object({ name, description, required: flag.transform(value => value === true) }))
    .optional()
    .transform(list => list ?? []),
});

export type ListedPrompt = RowOf<typeof prompt>;

export function parsePrompt(value: unknown): ListedPrompt | undefined {
  return prompt.safeParse(value).data;
}

const address = z.string().min(1).max(limits.uri);
const shownName = z
  .string()
  .catch('')
  .transform(text => sanitiseLine(text, limits.name));

const resource = z
  .object({
    uri: address,
    name: shownName,
    description,
    mimeType: z.string().max(limits.name).optional().catch(undefined),
    _meta: meta,
  })
  .transform(({ _meta, ...listed }) => (isRecord(_meta?.ui) ? { ...listed, ui: _meta.ui } : listed));

export function parseResource(value: unknown): ListedResource | undefined {
  return resource.safeParse(value).data;
}

/** The URI template has names in braces: `file:///{path}`. */
const template = z.object({ uriTemplate: address, name: shownName, description });

export type ListedTemplate = RowOf<typeof template>;

export function parseTemplate(value: unknown): ListedTemplate | undefined {
  return template.safeParse(value).data;
}
