/* Parses the output of a discovery command: a JSON list of function declarations, possibly nested in lists. */

import { t } from '../../../protocol/language.ts';
import { isRecord, tryParseJson } from '../../base/record.ts';
import { oneLine } from '../../base/text.ts';
import { sanitiseDescription } from '../../base/untrusted.ts';

export interface DiscoveredDeclaration {
  /** Name that the program knows. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly schema: Readonly<Record<string, unknown>>;
}

interface ParsedDeclarations {
  readonly declarations: readonly DiscoveredDeclaration[];
  /** Ends of sentences about the command: `printed no JSON`. */
  readonly problems: readonly string[];
}

const maxTools = 100;
const maxOutputLength = 1_000_000;
const maxDescriptionLength = 1_000;
const maxSchemaLength = 20_000;
/** With the prefix `discovered_tool_`, names have at most 63 characters, which every provider accepts. */
const maxNameLength = 47;

export function parseDeclarations(printed: string): ParsedDeclarations {
  if (printed.length > maxOutputLength)
    return failed(t('printed more than 1 MB, which is too long for a list of tools'));
  if (printed.trim() === '') return failed(t('printed nothing'));
  const value = tryParseJson(printed);
  if (value === undefined) return failed(t('printed no JSON but "{0}"', oneLine(printed, 80)));
  if (!Array.isArray(value)) return failed(t('printed JSON that is not a list'));
  const declarations = new Map<string, DiscoveredDeclaration>();
  const problems: string[] = [];
  const given = value.flatMap(declarationsIn);
  if (given.length > maxTools)
    problems.push(t('names {0} tools, of which the first {1} are used', given.length, maxTools));
  for (const each of given.slice(0, maxTools)) {
    const read = readDeclaration(each);
    if (typeof read === 'string') problems.push(read);
    else if (declarations.has(read.name))
      problems.push(t('names {0} twice; the first one is used', read.name));
    else declarations.set(read.name, read);
  }
  return { declarations: [...declarations.values()], problems };
}

function declarationsIn(entry: unknown): readonly unknown[] {
  if (!isRecord(entry)) return [entry];
  const list = entry.functionDeclarations ?? entry.function_declarations;
  return Array.isArray(list) ? list : [entry];
}

/** Returns the declaration, or the end of a sentence about it. */
function readDeclaration(value: unknown): DiscoveredDeclaration | string {
  if (!isRecord(value) || typeof value.name !== 'string') return t('names a tool without a name');
  const { name, description = '' } = value;
  // The name is passed to a shell unquoted, and must not look like an option.
  if (!/^[A-Za-z_][\w.-]*$/.test(name) || name.length > maxNameLength)
    return t(
      'names the tool "{0}"; a name has at most {1} letters, digits, underscores, dots and hyphens, and begins with a letter',
      oneLine(name, 60),
      maxNameLength,
    );
  const schema = value.parametersJsonSchema ?? value.parameters ?? {};
  if (!isRecord(schema) || JSON.stringify(schema).length > maxSchemaLength)
    return t(
      'describes the parameters of {0} by something else than a schema of at most {1} characters',
      name,
      maxSchemaLength,
    );
  const plain = { properties: {}, ...lowerTypes(schema), type: 'object' };
  return { name, description: sanitiseDescription(String(description), maxDescriptionLength), schema: plain };
}

/** The Gemini API writes `STRING` for JSON Schema's `string`. */
function lowerTypes(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === 'type' && typeof value === 'string') return [key, value.toLowerCase()];
      if (Array.isArray(value)) return [key, value.map(each => (isRecord(each) ? lowerTypes(each) : each))];
      return [key, isRecord(value) ? lowerTypes(value) : value];
    }),
  );
}

function failed(problem: string): ParsedDeclarations {
  return { declarations: [], problems: [problem] };
}
