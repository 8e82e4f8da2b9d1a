/*
 * Tool parameters that a server over HTTP also wants as headers: `x-mcp-header` in their schemas. The library writes
 * the headers, but validates declarations only in lists that it reads itself.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#schema-extension
 */

import { isRecord } from '../../base/record.ts';

const key = 'x-mcp-header';
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const types: readonly unknown[] = ['string', 'integer', 'boolean'];

type Schema = Readonly<Record<string, unknown>>;

export function hasParamHeaders(schema: Schema): boolean {
  return JSON.stringify(schema).includes(`"${key}":`);
}

/**
 * Returns why a tool's declarations are invalid, or `undefined` if they are valid. The protocol requires clients to
 * omit invalid tools.
 */
export function findParamHeaderFault(schema: Schema): string | undefined {
  const declared = [...declarations(schema)];
  for (const { name, type } of declared) {
    if (typeof name !== 'string' || !token.test(name))
      return `${JSON.stringify(name)} is no name of a header`;
    if (!types.includes(type)) return `${name} belongs to no text, integer or boolean`;
  }
  const names = declared.map(({ name }) => String(name).toLowerCase());
  if (new Set(names).size < names.length) return 'two headers have the same name';
  const all = JSON.stringify(schema).split(`"${key}":`).length - 1;
  return all > declared.length
    ? 'a header belongs to no property that is reached by properties alone'
    : undefined;
}

function* declarations(schema: Schema): Generator<{ readonly name: unknown; readonly type: unknown }> {
  for (const each of Object.values(isRecord(schema.properties) ? schema.properties : {})) {
    if (!isRecord(each)) continue;
    if (key in each) yield { name: each[key], type: each.type };
    yield* declarations(each);
  }
}
