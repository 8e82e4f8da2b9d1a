/* Lets the model search for external tools if there are too many to declare. */

import * as z from 'zod';
import { plural, t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { isRecord } from '../../base/record.ts';
import { headOf, formatQuantity as inEnglishPlural, oneLine, sanitiseLine } from '../../base/text.ts';
import { wrapUntrusted } from '../../base/untrusted.ts';
import { type AnyTool, defineReadTool, ToolFailure } from '../tool.ts';
import { describeFunction, type ScriptFunction } from './signatures.ts';

interface FindToolsPorts {
  readonly tools: () => readonly AnyTool[];
  /** Tools called by scripts, with their function names; absent: none. */
  readonly functions?: () => readonly ScriptFunction[];
  readonly isOffered: () => boolean;
  /** Declares these tools from the next request on. */
  readonly found: (names: readonly string[]) => void;
}

const maxFound = 10;
/** Larger, since a script uses several at once. */
const maxSignatures = 15;

const input = lazySchema(() => z.object({ query: z.string() }));

const forCode =
  'Finds tools of MCP servers and extensions, and tells the TypeScript signatures of those that scripts call. Words of what the tools shall do, or the name of a server.';

export function findTools({ tools, functions, isOffered, found }: FindToolsPorts): AnyTool {
  return defineReadTool({
    name: 'find_tools',
    description: functions
      ? forCode
      : 'Finds tools of MCP servers and extensions that are not declared yet. What it finds can be called afterwards. Words of what the tool shall do, or a server.',
    input,
    effect: 'note',
    isOffered,
    title: ({ query }) => t('Find tools: {0}', sanitiseLine(query, 100)),
    run: async ({ query }) => {
      const fitting = rankTools(tools(), query);
      const inScripts = functions?.() ?? [];
      const best = fitting.slice(0, inScripts.length > 0 ? maxSignatures : maxFound);
      if (best.length === 0) {
        throw new ToolFailure(() =>
          t(
            'No tool fits "{0}". Try other words. There are tools of {1}.',
            sanitiseLine(query, 100),
            ownersOf(tools()).join(', '),
          ),
        );
      }
      const byName = new Map(inScripts.map(each => [each.tool.name, each]));
      const others = best.filter(({ name }) => !byName.has(name));
      if (others.length > 0) found(others.map(({ name }) => name));
      const signatures = best.flatMap(({ name }) => byName.get(name) ?? []).map(describeFunction);
      const text = [...signatures, ...others.map(describe)].join('\n');
      return {
        text: `${describeUse(signatures.length, others.length)}\n${wrapUntrusted('untrusted_content', text)}${describeRest(fitting.length - best.length)}`,
        display: {
          summary: () => plural(best.length, 'one: {0} tool | other: {0} tools'),
          detail: { kind: 'text', text },
        },
      };
    },
  });
}

function describeUse(signatures: number, others: number): string {
  const ofScripts = 'Call these from run_tool_script';
  if (others === 0) return `${ofScripts}:`;
  const declared = 'can be called from now on:';
  return signatures === 0 ? `These ${declared}` : `${ofScripts}; those without a signature ${declared}`;
}

function describeRest(count: number): string {
  if (count === 0) return '';
  return `\n${inEnglishPlural(count, 'more tool')} fit less well. If none of these is right, search with words that name the deed or the server.`;
}

/** Servers by their names, other tools by their own. */
function ownersOf(tools: readonly AnyTool[]): readonly string[] {
  const owners = tools.map(({ name }) => (name.startsWith('mcp_') ? name.split('_', 2)[1]! : name));
  return [...new Set(owners)].slice(0, 30);
}

/** Ranks tools and omits those without a match. A word of the name counts more than others. */
function rankTools(tools: readonly AnyTool[], query: string): readonly AnyTool[] {
  const words = [...new Set(wordsOf(headOf(query, 500)))];
  return tools
    .map(tool => ({ tool, score: scoreOf(tool, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ tool }) => tool);
}

function scoreOf(tool: AnyTool, words: readonly string[]): number {
  const name = wordsOf(tool.name);
  const rest = wordsOf(`${tool.description} ${argumentsOf(tool).join(' ')}`);
  const points = words.map(word => {
    if (name.includes(word)) return 5;
    if (name.some(each => isAlike(each, word))) return 3;
    if (rest.includes(word)) return 2;
    return rest.some(each => isAlike(each, word)) ? 1 : 0;
  });
  return points.reduce<number>((sum, each) => sum + each, 0);
}

/** Matches `file` and `files`, `create` and `creating`. */
function isAlike(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= 3 && long.startsWith(short);
}

/** Ignores `mcp`, which every name contains. */
function wordsOf(text: string): readonly string[] {
  const apart = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();
  return (apart.match(/[\p{L}\p{N}]+/gu) ?? []).filter(word => word !== 'mcp');
}

function argumentsOf({ schema }: AnyTool): readonly string[] {
  return isRecord(schema?.properties) ? Object.keys(schema.properties) : [];
}

function describe(tool: AnyTool): string {
  const args = argumentsOf(tool).map(each => sanitiseLine(each, 60));
  return `- ${tool.name}(${args.join(', ')}): ${oneLine(tool.description, 200)}`;
}
