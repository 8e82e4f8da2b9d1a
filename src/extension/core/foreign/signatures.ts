/* Tools of servers as functions for scripts: their names and TypeScript signatures. */

import { isRecord } from '../../base/record.ts';
import { headOf, oneLine, sanitiseLine } from '../../base/text.ts';
import type { AnyTool } from '../tool.ts';

type Schema = Readonly<Record<string, unknown>>;

/** A server's tool with its names in scripts. */
export interface ScriptFunction {
  readonly server: string;
  readonly name: string;
  readonly tool: AnyTool;
}

/** Derives JavaScript names from server and tool: other characters become `_`, duplicates get a number. */
export function scriptFunctions(tools: readonly AnyTool[]): readonly ScriptFunction[] {
  const servers = new Map<string, { readonly name: string; readonly taken: Set<string> }>();
  const names = new Set<string>();
  return tools.flatMap(tool => {
    const { of } = tool;
    if (!of) return [];
    const server = servers.get(of.server) ?? { name: freeName(of.server, names), taken: new Set<string>() };
    servers.set(of.server, server);
    return [{ server: server.name, name: freeName(of.tool, server.taken), tool }];
  });
}

function freeName(name: string, taken: Set<string>): string {
  const plain = name.replace(/[^A-Za-z0-9_$]/g, '_').replace(/^(?=\d|$)/, '_');
  let free = plain;
  for (let number = 2; taken.has(free); number++) free = `${plain}_${number}`;
  taken.add(free);
  return free;
}

/** Characters of an index. Beyond it, each server lists only its first tools. */
const maxIndexLength = 6_000;

/** One line per server with the names of its functions. */
export function describeIndex(functions: readonly ScriptFunction[]): string {
  const servers = [...new Set(functions.map(({ server }) => server))];
  const share = maxIndexLength / servers.length;
  return servers
    .map(server => {
      const names = functions.filter(each => each.server === server).map(({ name }) => name);
      const line = names.join(', ');
      if (line.length <= share) return `${server}: ${line}`;
      const shown = line.slice(0, Math.max(0, line.lastIndexOf(',', share)));
      return `${server} (${names.length} tools): ${shown}, …`;
    })
    .join('\n');
}

/** Levels of a type that are written out. */
const deepest = 4;
const maxTypeLength = 3_000;

export function describeFunction({ server, name, tool }: ScriptFunction): string {
  const { schema = {}, output, description } = tool;
  const result = output === undefined ? 'any' : typeOf(output, 0);
  const optional = requiredOf(schema).size === 0 ? '?' : '';
  const args = typeOf(schema, 0);
  const about = comment(oneLine(description.replace(/ \(Tool of the server [^)]*\.\)$/, ''), 300));
  return `/** ${about} */\nservers.${server}.${name}(args${optional}: ${cut(args)}): Promise<${cut(result)}>`;
}

function cut(type: string): string {
  return type.length <= maxTypeLength ? type : `object /* ${comment(headOf(type, maxTypeLength))} … */`;
}

function typeOf(schema: unknown, level: number): string {
  if (!isRecord(schema)) return 'any';
  const { type, enum: values, const: only, anyOf, oneOf } = schema;
  if (Array.isArray(values)) return values.slice(0, 30).map(literal).join(' | ') || 'any';
  if (only !== undefined) return literal(only);
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) return union(choices.map(each => typeOf(each, level)));
  if (Array.isArray(type)) return union(type.map(each => typeOf({ ...schema, type: each }, level)));
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
    case 'number':
      return type;
    case 'integer':
      return 'number';
    case 'array':
      return arrayOf(typeOf(schema.items, level + 1));
    default:
      return isRecord(schema.properties) || type === 'object' ? objectType(schema, level) : 'any';
  }
}

function objectType(schema: Schema, level: number): string {
  const { properties, additionalProperties: more } = schema;
  const members = isRecord(properties) ? Object.entries(properties) : [];
  if (level >= deepest) return 'object';
  if (members.length === 0)
    return isRecord(more) ? `Record<string, ${typeOf(more, level + 1)}>` : level === 0 ? '{}' : 'object';
  const required = requiredOf(schema);
  const lines = members.map(([name, each]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
    return `${key}${required.has(name) ? '' : '?'}: ${typeOf(each, level + 1)}${about(each)}`;
  });
  return `{ ${lines.join('; ')} }`;
}

function about(schema: unknown): string {
  const said = isRecord(schema) && typeof schema.description === 'string' ? schema.description : '';
  return said.trim() === '' ? '' : ` /* ${comment(oneLine(said, 80))} */`;
}

function requiredOf({ required }: Schema): ReadonlySet<unknown> {
  return new Set(Array.isArray(required) ? required : []);
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ') || 'any';
}

function arrayOf(type: string): string {
  return /[|{ ]/.test(type) && !/^\{[^|]*\}$/.test(type) ? `(${type})[]` : `${type}[]`;
}

function literal(value: unknown): string {
  return sanitiseLine(JSON.stringify(value) ?? 'any', 200);
}

/** Prevents foreign text from closing a comment. */
function comment(text: string): string {
  return text.replaceAll('*/', '* /');
}
