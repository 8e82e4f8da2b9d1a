import * as z from 'zod';
import { isRecord, isSameJson } from '../../base/record.ts';
import type { AnyTool } from '../tool.ts';
import { resolveArgumentAlias } from './argumentNames.ts';
import { restoreArgumentNames } from './toProviderSchema.ts';

type Arguments = Readonly<Record<string, unknown>>;

interface Issue {
  readonly path: PropertyKey[];
  readonly message: string;
}

interface ReadArguments {
  /** Arguments under the tool's declared names, as rules and hooks see them. */
  readonly args: Arguments;
  readonly parsed:
    | { readonly success: true; readonly data: unknown }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
}

/**
 * Reads the arguments of a call. Common alternative names are accepted if their meaning is exact. Unknown arguments are
 * refused, since the call could otherwise do something else than intended.
 */
export function readArguments(tool: AnyTool, given: Arguments): ReadArguments {
  const input = tool.input();
  // External tools describe and check their own arguments.
  if (tool.schema !== undefined) {
    const args = restoreArgumentNames(tool.schema, given);
    return { args, parsed: input.safeParse(args) };
  }
  if (tool.of !== undefined) return { args: given, parsed: input.safeParse(given) };
  const issues: Issue[] = [];
  const args = renamed(tool.name, input, given, issues);
  const parsed = input.safeParse(args);
  if (issues.length === 0) return { args, parsed };
  const others = parsed.success ? [] : parsed.error.issues;
  return { args, parsed: { success: false, error: { issues: [...issues, ...others] } } };
}

/** @param issues collects unknown names */
function renamed(tool: string, type: unknown, given: Arguments, issues: Issue[]): Arguments {
  if (!(type instanceof z.ZodObject)) return given;
  const shape: Readonly<Record<string, unknown>> = type.shape;
  const known = Object.keys(shape);
  const args: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    // Some services fill every optional argument with null.
    if (value === null && (!Object.hasOwn(shape, name) || shape[name] instanceof z.ZodOptional)) continue;
    if (Object.hasOwn(shape, name)) args[name] = value;
  }
  const others = Object.keys(given).filter(name => !Object.hasOwn(shape, name) && given[name] !== null);
  // A number of lines can only be converted once the first line is known.
  for (const name of others.toSorted((a, b) => Number(a === 'limit') - Number(b === 'limit'))) {
    const meant = resolveArgumentAlias(tool, name, { ...given, ...args }, known);
    if (meant === undefined) issues.push(unknownArgument(name, known));
    else for (const [own, value] of Object.entries(meant)) take(own, value, name);
  }
  for (const [name, value] of Object.entries(args))
    args[name] = inner(tool, shape[name], value, name, issues);
  return isSameJson(args, given) ? given : args;

  function take(own: string, value: unknown, name: string): void {
    const differs = Object.hasOwn(args, own) && !isSameJson(args[own], value);
    if (differs && own !== 'prompt') issues.push({ path: [name], message: `says another thing than ${own}` });
    else args[own] = value;
  }
}

/** Converts objects inside lists and objects. */
function inner(tool: string, type: unknown, value: unknown, path: string, issues: Issue[]): unknown {
  if (type instanceof z.ZodOptional) return inner(tool, type.unwrap(), value, path, issues);
  if (type instanceof z.ZodArray && Array.isArray(value))
    return value.map((item, at) => inner(tool, type.element, item, `${path}.${at}`, issues));
  if (!(type instanceof z.ZodObject) || !isRecord(value)) return value;
  const found: Issue[] = [];
  const args = renamed(tool, type, value, found);
  issues.push(...found.map(issue => ({ ...issue, path: [path, ...issue.path] })));
  return args;
}

function unknownArgument(name: string, known: readonly string[]): Issue {
  return { path: [name], message: `there is no such argument; those that exist are ${known.join(', ')}` };
}
