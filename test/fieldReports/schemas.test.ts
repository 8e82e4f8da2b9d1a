import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { declareTool } from '../../src/extension/core/calls/declarations.ts';
import { readArguments } from '../../src/extension/core/calls/readArguments.ts';
import { type AnyTool, defineTool } from '../../src/extension/core/tool.ts';
import { simplifySchema } from '../../src/extension/mcp/tools/simplifySchema.ts';
import { toAnthropicTool } from '../../src/extension/models/anthropic/toAnthropic.ts';
import { toFunction } from '../../src/extension/models/openai/toolSchema.ts';
import { findToolFault } from '../support/geminiToolRules.ts';
import { findDeclaredSchemaFault } from '../support/jsonSchemaRules.ts';
import { fc } from '../support/properties.ts';
import type { WorldCase } from './report.ts';

type Schema = Readonly<Record<string, unknown>>;

const wrong: readonly unknown[] = [
  'any',
  'String',
  'int',
  'float',
  'date',
  '',
  null,
  7,
  [],
  ['any'],
  ['string', 'any'],
];

const shapes: readonly (WorldCase & { readonly schema: unknown })[] = [
  ...wrong.map(type => ({
    title: `type ${JSON.stringify(type)}`,
    source: 'report' as const,
    schema: { type },
  })),
  { title: 'required on a property', source: 'report', schema: { type: 'string', required: true } },
  { title: 'required as a text', source: 'report', schema: { type: 'object', required: 'a' } },
  {
    title: 'required without the property',
    source: 'report',
    schema: { type: 'object', required: ['gone'] },
  },
  { title: 'properties as a list', source: 'report', schema: { type: 'object', properties: [] } },
  { title: 'properties null', source: 'report', schema: { type: 'object', properties: null } },
  { title: 'a property that is true', source: 'trial', schema: { type: 'object', properties: { a: true } } },
  { title: 'anyOf of nothing', source: 'report', schema: { anyOf: [] } },
  {
    title: 'oneOf with what is no schema',
    source: 'trial',
    schema: { oneOf: [true, null, { type: 'string' }] },
  },
  { title: 'enum of nothing', source: 'report', schema: { type: 'string', enum: [] } },
  { title: 'a list without items', source: 'report', schema: { type: 'array' } },
  {
    title: 'a tuple',
    source: 'report',
    schema: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] },
  },
  {
    title: 'bounds that are texts',
    source: 'trial',
    schema: { type: 'integer', minimum: '1', maximum: null },
  },
  ...['$filter', '$.xgafv', 'x y', 'filter[name]', 'a'.repeat(70), '名'].map(name => ({
    title: `the name ${name}`,
    source: 'report' as const,
    schema: { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] },
  })),
];

const ways: readonly (readonly [string, (schema: unknown) => Schema])[] = [
  ['at the top', schema => ({ ...(schema as Schema) })],
  ['as a property', schema => ({ type: 'object', properties: { inner: schema } })],
  ['in a list', schema => ({ type: 'object', properties: { inner: { type: 'array', items: schema } } })],
  [
    'as an alternative',
    schema => ({ type: 'object', properties: { inner: { anyOf: [schema, { type: 'null' }] } } }),
  ],
];

function toolWith(schema: Schema): AnyTool {
  return defineTool({
    name: 'odd',
    description: 'Odd.',
    schema: simplifySchema(schema),
    input: () => z.record(z.string(), z.unknown()),
    effect: 'run',
    title: () => '',
    prepare: async () => ({ plan: undefined }),
    run: async () => ({ text: '', display: { summary: () => '' } }),
  });
}

/** The faults that the services find in what each wire sends. */
function faultsOf(schema: Schema): readonly (string | undefined)[] {
  const declared = declareTool(toolWith(schema));
  const { name, description, parameters } = declared;
  return [
    findToolFault([{ functionDeclarations: [{ name, description, parametersJsonSchema: parameters }] }]),
    findDeclaredSchemaFault(toFunction(declared).parameters),
    findDeclaredSchemaFault(toAnthropicTool(declared).input_schema),
  ];
}

describe.each(ways)('a schema that no service takes, %s,', (_way, put) => {
  it.each(shapes)('is made one: $title', ({ schema }) => {
    expect(faultsOf(put(schema))).toEqual([undefined, undefined, undefined]);
  });
});

describe('alternatives at the top', () => {
  const branch = (name: string) => ({
    type: 'object',
    properties: { kind: { type: 'string', enum: [name] }, [name]: { type: 'string' } },
    required: ['kind', name],
  });

  it.each(['oneOf', 'anyOf'])('keep the arguments of each: %s', word => {
    const schema = {
      type: 'object',
      properties: { kind: { type: 'string' } },
      [word]: [branch('path'), branch('url')],
    };
    expect(faultsOf(schema)).toEqual([undefined, undefined, undefined]);
    const { parameters } = declareTool(toolWith(schema));
    expect(Object.keys(parameters.properties as object)).toEqual(['kind', 'path', 'url']);
    expect(parameters.required).toEqual(['kind']);
  });
});

describe('names that a service does not take', () => {
  it('come back to the tool as its own, at any depth', () => {
    const inner = { type: 'object', properties: { 'x y': { type: 'string' } } };
    const tool = toolWith({
      type: 'object',
      properties: {
        $filter: { type: 'string' },
        _filter: { type: 'string' },
        'a b': { type: 'array', items: inner },
      },
      required: ['$filter'],
    });
    const { properties, required } = declareTool(tool).parameters as {
      properties: Schema;
      required: string[];
    };
    const [filter, plain, list] = Object.keys(properties) as [string, string, string];
    expect([plain, required]).toEqual(['_filter', [filter]]);
    const { args } = readArguments(tool, { [filter]: '1', [plain]: '2', [list]: [{ x_y: '3' }], other: 4 });
    expect(args).toEqual({ $filter: '1', _filter: '2', 'a b': [{ 'x y': '3' }], other: 4 });
  });
});

it('whatever a server sends as a schema is taken by every service', () => {
  const anything = fc.letrec<{ schema: unknown }>(tie => ({
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom<unknown>(true, null, 'string', 7, [], {}),
      fc.record(
        {
          type: fc.constantFrom<unknown>('object', 'string', 'array', ...wrong),
          properties: fc.oneof(
            fc.constantFrom<unknown>(null, [], 'a'),
            fc.dictionary(fc.constantFrom('a', '$b', 'c d', ''), tie('schema'), { maxKeys: 3 }),
          ),
          required: fc.constantFrom<unknown>(true, 'a', ['a', '$b'], ['gone'], null, [7]),
          items: tie('schema'),
          anyOf: fc.oneof(fc.constant<unknown>(null), fc.array(tie('schema'), { maxLength: 2 })),
          oneOf: fc.array(tie('schema'), { maxLength: 2 }),
          allOf: fc.array(tie('schema'), { maxLength: 2 }),
          enum: fc.constantFrom<unknown>([], ['a'], 'a', null),
          description: fc.constantFrom<unknown>('Text.', 7, null),
        },
        { requiredKeys: [] },
      ),
    ),
  })).schema;
  fc.assert(
    fc.property(anything, schema => {
      const top = typeof schema === 'object' && schema !== null && !Array.isArray(schema) ? schema : {};
      expect(faultsOf(top as Schema)).toEqual([undefined, undefined, undefined]);
    }),
  );
});
