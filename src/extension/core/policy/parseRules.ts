/*
 * Parses a TOML rule file tolerantly, without ever loosening it. An unreadable rule is dropped if it would allow. If it
 * may deny or ask, it asks for every tool that it names, so that a typo never allows more. A file of invalid TOML makes
 * everything that acts ask. Rules of an extension may only deny and ask.
 */

import * as z from 'zod';
import type { ApprovalMode } from '../../../protocol/intentions.ts';
import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { isRecord } from '../../base/record.ts';
import type { PolicyFile } from '../../platform/customizations/policyFiles.ts';
import { describeUnknownTool, resolveToolNames } from '../toolNames.ts';
import type { Rule } from './rule.ts';
import { findPatternProblem } from './safePattern.ts';
import { TimeLimitedPattern } from './timeLimitedPattern.ts';

export interface ParsedRuleFile {
  readonly rules: readonly Rule[];
  /** One sentence each, with file and line. */
  readonly problems: readonly string[];
}

/** @param shown the file's path for messages */
export async function parseRules(
  file: PolicyFile,
  shown: string,
  fingerprint: string | undefined,
): Promise<ParsedRuleFile> {
  const { parse, TomlError } = await import('smol-toml');
  const base = { tier: file.tier, file: file.path, fingerprint };
  try {
    const {
      rule: tables = [],
      safety_checker: checkers = [],
      ...others
    } = z
      .looseObject({ rule: z.array(z.unknown()).optional(), safety_checker: z.array(z.unknown()).optional() })
      .parse(parse(file.text));
    const lines = linesOf(file.text, 'rule', tables.length);
    const checkerLines = linesOf(file.text, 'safety_checker', checkers.length);
    const parsed: readonly ParsedRule[] = [
      ...tables.map((table, index) => parseRule(table, base, shown, lines[index])),
      ...checkers.map((checker, index) => parseChecker(checker, placeAt(base, shown, checkerLines[index]))),
      ...Object.keys(others).map(key => ({
        problem: t('{0}: "{1}" is unknown, so it is ignored.', shown, key),
      })),
    ];
    return {
      rules: parsed.flatMap(({ rule }) => rule ?? []),
      problems: parsed.flatMap(({ problem }) => problem ?? []),
    };
  } catch (error) {
    const line = error instanceof TomlError ? error.line : undefined;
    return unreadableRuleFile(
      base,
      shown,
      line,
      line === undefined ? t('its rules are not a list') : t('it is not valid TOML'),
    );
  }
}

type Base = Pick<Rule, 'tier' | 'file' | 'fingerprint'>;
type Place = Base & Pick<Rule, 'origin' | 'line'>;

/** Returns the rules for a file that cannot be read. */
export function unreadableRuleFile(
  base: Base,
  shown: string,
  line: number | undefined,
  why: string,
): ParsedRuleFile {
  const origin = () => placeOf(shown, line);
  const rule: Rule = {
    ...base,
    priority: 999,
    decision: 'ask',
    origin,
    effects: acting,
    unclear: true,
    line,
    askMessage: () => t('The rules in {0} cannot be read, so Folio asks before every action.', shown),
  };
  return {
    rules: [rule],
    problems: [t('{0}: {1}. Until you correct it, Folio asks before every action.', origin(), why)],
  };
}

const acting: Rule['effects'] = ['edit', 'run', 'fetch'];

const names = lazySchema(() =>
  z.union([
    z
      .string()
      .min(1)
      .transform(one => [one]),
    z.array(z.string().min(1)).min(1),
  ]),
);

const modeName = lazySchema(() => z.enum(['default', 'autoEdit', 'auto_edit', 'plan', 'yolo']));

function toMode(mode: z.infer<ReturnType<typeof modeName>>): ApprovalMode {
  return mode === 'auto_edit' ? 'autoEdit' : mode;
}

const table = lazySchema(() =>
  z.strictObject({
    toolName: names().optional(),
    mcpName: z.string().min(1).optional(),
    argsPattern: z.string().min(1).optional(),
    commandPrefix: names().optional(),
    commandRegex: z.string().min(1).optional(),
    modes: z.array(modeName()).optional(),
    interactive: z.boolean().optional(),
    allowRedirection: z.boolean().optional(),
    allow_redirection: z.boolean().optional(),
    decision: z.enum(['allow', 'deny', 'ask_user', 'ask']),
    priority: z.int().min(0).max(999),
    denyMessage: z.string().optional(),
    deny_message: z.string().optional(),
    sandbox: z.enum(['on', 'off', 'deny']).optional(),
    subagent: z.string().min(1).optional(),
    toolAnnotations: z.record(z.string(), z.union([z.boolean(), z.string()])).optional(),
  }),
);

interface ParsedRule {
  readonly rule?: Rule;
  readonly problem?: string;
}

function placeAt(base: Base, shown: string, line: number | undefined): Place {
  return { ...base, origin: () => placeOf(shown, line), line };
}

function parseRule(value: unknown, base: Base, shown: string, line: number | undefined): ParsedRule {
  const place = placeAt(base, shown, line);
  const { origin } = place;
  const parsed = table().safeParse(value);
  if (!parsed.success) return broken(value, place, describe(parsed.error));
  const why = whyPatternUnsafe(parsed.data);
  if (why !== undefined) return broken(value, place, why);
  const rule = toRule(parsed.data, place);
  const refusal = whyRefused(rule);
  if (refusal !== undefined) return { problem: leftOut(origin, refusal) };
  const { mcpName, toolName = [] } = parsed.data;
  // Tools of servers may have any name.
  const unknown = mcpName === undefined ? toolName.map(name => describeUnknownTool(name, origin())) : [];
  return { rule, problem: unknown.find(each => each !== undefined) };
}

/**
 * Parses an entry for a program or model that classifies calls. Folio runs none and asks instead. The checker that
 * keeps paths in the workspace is dropped, since Folio's own tools always do that.
 */
function parseChecker(value: unknown, place: Place): ParsedRule {
  const parsed = checkerTable().safeParse(value);
  const name = isRecord(value) && isRecord(value.checker) ? value.checker.name : undefined;
  const { toolName, mcpName, argsPattern, modes } = parsed.success ? parsed.data : {};
  if (name === 'allowed-path' && mcpName === undefined && toolName?.every(tool => pathTools.has(tool)))
    return {};
  const isNamed = typeof name === 'string';
  const isPatternUsed = argsPattern !== undefined && findPatternProblem(argsPattern) === undefined;
  const rule: Rule = {
    ...place,
    priority: 999,
    decision: 'ask',
    first: true,
    unclear: true,
    tools: toolName?.flatMap(resolveToolNames),
    effects: toolName || mcpName !== undefined ? undefined : acting,
    mcp: mcpName,
    args: isPatternUsed ? new TimeLimitedPattern(argsPattern, true) : undefined,
    modes: modes?.map(toMode),
    askMessage: () =>
      isNamed
        ? t(
            'A rule asks the safety checker "{0}" to check this, but Folio does not support it ({1}).',
            name,
            place.origin(),
          )
        : t(
            'A rule asks a safety checker to check this, but Folio does not support it ({0}).',
            place.origin(),
          ),
  };
  const problem = isNamed
    ? t('{0}: Folio has no safety checker "{1}", so it asks you each time instead.', place.origin(), name)
    : t('{0}: Folio has no such safety checker, so it asks you each time instead.', place.origin());
  return { rule, problem };
}

const checkerTable = lazySchema(() =>
  z.looseObject({
    toolName: names().optional(),
    mcpName: z.string().min(1).optional(),
    argsPattern: z.string().min(1).optional(),
    modes: z.array(modeName()).optional(),
  }),
);

const pathTools: ReadonlySet<string> = new Set([
  'list_directory',
  'glob',
  'grep_search',
  'read_file',
  'read_many_files',
  'find_symbol',
  'get_problems',
  'rename_symbol',
  'apply_code_action',
  'replace',
  'write_file',
  'edit_notebook',
]);

function toRule(data: z.infer<ReturnType<typeof table>>, place: Place): Rule {
  const modes = data.modes?.map(toMode);
  // A pattern that reaches its time limit counts as a match for deny and ask, and as no match for allow.
  const patternOf = (source: string) => new TimeLimitedPattern(source, data.decision !== 'allow');
  const denyMessage = data.denyMessage ?? data.deny_message;
  return {
    ...place,
    priority: data.priority,
    decision: data.decision === 'ask_user' ? 'ask' : data.decision,
    tools: data.toolName?.flatMap(resolveToolNames),
    mcp: data.mcpName || undefined,
    sandbox: data.sandbox,
    agent: data.subagent,
    hints: data.toolAnnotations,
    args: data.argsPattern ? patternOf(data.argsPattern) : undefined,
    prefixes: data.commandPrefix,
    command: data.commandRegex ? patternOf(`^(?:${data.commandRegex})`) : undefined,
    modes,
    interactive: data.interactive,
    allowRedirection: (data.allowRedirection ?? data.allow_redirection) ? (true as const) : undefined,
    denyMessage: denyMessage ? () => denyMessage : undefined,
  };
}

/** Users rarely read the rules that they install, so extensions may never loosen anything. */
function whyRefused({ tier, decision, modes }: Rule): string | undefined {
  if (tier !== 'extension') return undefined;
  if (decision === 'allow') return t('an extension cannot have "allow" rules');
  return modes?.includes('yolo')
    ? t('an extension cannot set rules for the mode that allows everything')
    : undefined;
}

function whyPatternUnsafe(data: z.infer<ReturnType<typeof table>>): string | undefined {
  for (const key of ['argsPattern', 'commandRegex'] as const) {
    const source = data[key];
    const why = source === undefined ? undefined : findPatternProblem(source);
    if (why !== undefined) return t('the pattern "{0}" is ignored: {1}', key, why);
  }
  return undefined;
}

function leftOut(origin: LocalizedMessage, why: string): string {
  return t('{0}: {1}. The rule is ignored.', origin(), why);
}

function broken(value: unknown, place: Place, why: string): ParsedRule {
  const given = isRecord(value) ? value : {};
  if (given.decision === 'allow') {
    return { problem: leftOut(place.origin, why) };
  }
  const tools = names().safeParse(given.toolName);
  const priority = z.int().min(0).max(999).safeParse(given.priority);
  const rule: Rule = {
    ...place,
    decision: 'ask',
    priority: priority.success ? priority.data : 999,
    tools: tools.data?.flatMap(resolveToolNames),
    effects: tools.success ? undefined : acting,
    unclear: true,
    askMessage: () => t('A rule about this cannot be read ({0}).', place.origin()),
  };
  return {
    rule,
    problem: t('{0}: {1}. Until you correct it, Folio asks about what it names.', place.origin(), why),
  };
}

function describe({ issues }: z.ZodError): string {
  const [issue] = issues;
  if (issue?.code === 'unrecognized_keys') return t('"{0}" is not a key of a rule', issue.keys[0] ?? '');
  const key = issue?.path.join('.');
  return key ? t('"{0}" is missing or not valid', key) : t('the rule is not a table');
}

/** The TOML parser gives no line numbers. Headers are matched with tables if their number is the same. */
function linesOf(text: string, table: 'rule' | 'safety_checker', count: number): readonly number[] {
  const header = new RegExp(`^\\s*\\[\\[\\s*${table}\\s*\\]\\]`);
  const lines = text.split('\n').flatMap((line, index) => (header.test(line) ? [index + 1] : []));
  return lines.length === count ? lines : [];
}

function placeOf(shown: string, line: number | undefined): string {
  return line === undefined ? shown : t('{0}, line {1}', shown, line);
}
