/* A rule, and whether it matches a call. Rules come from defaultRules, parseRules and settingRules. */

import type { ApprovalMode } from '../../../protocol/intentions.ts';
import type { LocalizedMessage } from '../../../protocol/language.ts';
import type { Effect } from '../../../protocol/values.ts';
import { headOf, tailOf } from '../../base/text.ts';
import { matchesWildcard } from '../../base/wildcard.ts';
import type { ToolAnnotations } from '../tool.ts';
import { type CommandRuleInput, hasUnknownWord, matchCommand, matchEquivalentTexts } from './commandMatch.ts';
import { type MatchCertainty, weakerMatch } from './matchForm.ts';

type Tier = 'default' | 'extension' | 'workspace' | 'user' | 'admin';
/** Decides on the sandbox of commands. `deny`: always in it, and without further grants. */
export type RuleSandbox = 'on' | 'off' | 'deny';
type RuleDecision = 'allow' | 'deny' | 'ask';

export interface Rule {
  readonly tier: Tier;
  /** 0 to 999 within its tier. */
  readonly priority: number;
  readonly decision: RuleDecision;
  /** Location for messages: `.gemini/policies/team.toml, line 12`. */
  readonly origin: LocalizedMessage;
  readonly file?: string;
  readonly line?: number;
  /** Fingerprint of a rule from a workspace's file, which allows only after the user has seen it. */
  readonly fingerprint?: string;
  readonly denyMessage?: LocalizedMessage;
  /** Reason of a built-in rule that asks. */
  readonly askMessage?: LocalizedMessage;
  /** Stands for a guard that Folio lacks. It precedes all other rules, whatever their tier. */
  readonly first?: true;
  /** Stands for an entry that could not be read. It never replaces a rule that denies. */
  readonly unclear?: true;
  readonly sandbox?: RuleSandbox;
  /** Asks because no sandbox contains the command, so it does not apply inside one. */
  readonly wantsSandbox?: true;

  // Conditions. An absent condition is always met, so a rule without conditions matches everything.
  /** Tool names; `*` matches any characters. */
  readonly tools?: readonly string[];
  readonly exceptTools?: readonly string[];
  readonly mcp?: string;
  readonly effects?: readonly Effect[];
  /** Matched against the arguments as JSON with sorted keys. */
  readonly args?: RegExp;
  /** First words of a command. */
  readonly prefixes?: readonly string[];
  readonly exceptPrefixes?: readonly string[];
  /** Matched at the start of a command. */
  readonly command?: RegExp;
  /** Applies only to commands known to be read-only. */
  readonly reads?: true;
  readonly exceptReads?: true;
  /** Applies only to calls of this subagent. */
  readonly agent?: string;
  /** Hints that the server must give about its tool. */
  readonly hints?: ToolAnnotations;
  /** Applies only if all URLs lead to servers on this machine. */
  readonly local?: true;
  readonly modes?: readonly ApprovalMode[];
  readonly interactive?: boolean;
  /** Also allows a command whose output is redirected into a file. */
  readonly allowRedirection?: true;
}

/** Subject that rules are evaluated for: a call, or one command of its line. */
export interface RuleInput {
  readonly tool: string;
  readonly effect: Effect;
  readonly mode: ApprovalMode;
  readonly interactive: boolean;
  readonly server?: string;
  /** The server's own name of the tool; `tool` may differ to avoid a collision. */
  readonly serverTool?: string;
  /** The server's hints about the tool. For a server of the workspace: only hints that allow nothing. */
  readonly hints?: ToolAnnotations;
  readonly ofWorkspace?: boolean;
  /** The calling subagent; absent: the main agent. */
  readonly agent?: string;
  /** All URLs lead to servers on this machine. */
  readonly local?: boolean;
  /** `undefined`: too long to match. */
  readonly args: string | undefined;
  /** The arguments with the command replaced. */
  readonly argsWith?: (command: string) => string;
  readonly command?: CommandRuleInput;
}

const tierNumbers: Readonly<Record<Tier, number>> = {
  default: 1,
  extension: 2,
  workspace: 3,
  user: 4,
  admin: 5,
};

/** Rank by tier, then by priority. */
function rankOf({ tier, priority }: Rule): number {
  return tierNumbers[tier] + priority / 1000;
}

/** Sorts by importance; of equal rank, the stricter first. */
export function sortRules(rules: readonly Rule[]): readonly Rule[] {
  const strictness = { deny: 0, ask: 1, allow: 2 } as const;
  const isLater = ({ first }: Rule) => (first ? 0 : 1);
  return [...rules].sort(
    (one, other) =>
      isLater(one) - isLater(other) ||
      rankOf(other) - rankOf(one) ||
      strictness[one.decision] - strictness[other.decision],
  );
}

export function ruleMatches(rule: Rule, ruleInput: RuleInput): boolean {
  return ruleMatchesExceptArguments(rule, ruleInput) && matchCall(rule, ruleInput) === 'yes';
}

/** True if only words known at run time decide whether the rule matches; false if it surely does. */
export function isMatchUncertain(rule: Rule, ruleInput: RuleInput): boolean {
  return ruleMatchesExceptArguments(rule, ruleInput) && matchCall(rule, ruleInput) === 'maybe';
}

function matchCall(rule: Rule, ruleInput: RuleInput): MatchCertainty {
  return weakerMatch(matchCommand(rule, ruleInput.command), matchArgs(rule, ruleInput));
}

/** Checks all conditions but those on arguments and commands. */
export function ruleMatchesExceptArguments(rule: Rule, ruleInput: RuleInput): boolean {
  return (
    (!rule.modes || rule.modes.includes(ruleInput.mode)) &&
    (rule.interactive === undefined || rule.interactive === ruleInput.interactive) &&
    (!rule.effects || rule.effects.includes(ruleInput.effect)) &&
    (rule.agent === undefined || rule.agent === ruleInput.agent) &&
    (!rule.local || ruleInput.local === true) &&
    isAboutHints(rule, ruleInput) &&
    isAboutTool(rule, ruleInput)
  );
}

/**
 * A server's tool also matches by its own name if the rule names the server or is stricter for it. Otherwise a server
 * could name its tool like a built-in one and gain what a rule allows that one.
 */
function isAboutTool({ tools, exceptTools, mcp, decision }: Rule, ruleInput: RuleInput): boolean {
  const { tool, server, serverTool } = ruleInput;
  if (mcp !== undefined && (server === undefined || !matchesWildcard(mcp, server))) return false;
  const isNamed = (patterns: readonly string[], byOwnName: boolean) => {
    const names = byOwnName && serverTool !== undefined ? [tool, serverTool] : [tool];
    return patterns.some(pattern => names.some(name => matchesWildcard(pattern, name)));
  };
  const isOfServer = mcp !== undefined;
  return (
    (!tools || isNamed(tools, isOfServer || decision !== 'allow')) &&
    !(exceptTools && isNamed(exceptTools, isOfServer || decision === 'allow'))
  );
}

/** Defaults of the protocol for missing hints. */
const unreportedHints: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

/**
 * A rule that allows needs an explicit hint from a server of the user. For others, missing hints count as their
 * defaults.
 */
function isAboutHints({ hints, decision }: Rule, ruleInput: RuleInput): boolean {
  if (!hints) return true;
  if (ruleInput.server === undefined) return false;
  if (decision === 'allow' && ruleInput.ofWorkspace) return false;
  const said = decision === 'allow' ? ruleInput.hints : withDefaults(ruleInput.hints);
  return Object.entries(hints).every(([name, value]) => said?.[name] === value);
}

/** The protocol defines `destructiveHint` only for tools that are not read-only. */
function withDefaults(hints: ToolAnnotations | undefined): ToolAnnotations {
  const all = { ...unreportedHints, ...hints };
  return hints?.readOnlyHint === true ? { ...all, destructiveHint: hints.destructiveHint ?? false } : all;
}

/**
 * Arguments that cannot be matched are never allowed. Rules that deny or ask also match equivalent spellings of the
 * command.
 */
function matchArgs({ args, decision }: Rule, { args: given, argsWith, command }: RuleInput): MatchCertainty {
  if (!args) return 'yes';
  if (given === undefined) return decision === 'allow' ? 'no' : 'yes';
  if (args.test(given)) return 'yes';
  if (decision === 'allow' || !command || !argsWith) return 'no';
  if (command.isOpaque) return 'maybe';
  const found = matchEquivalentTexts(args, command, argsWith);
  return found === 'no' && beginsAnywhere(args.source) && hasUnknownWord(command) ? 'maybe' : found;
}

/** True if the pattern starts neither at the arguments' beginning nor at an argument's name. */
function beginsAnywhere(source: string): boolean {
  return !/^(?:\^|\\?[{"])/.test(source);
}

/** Omits the middle of long values such as file contents: it would slow patterns down, and no rule matches it. */
export function argumentsForPatterns(args: object): object {
  const cut = (value: unknown) =>
    typeof value === 'string' && value.length > 4_000 ? headOf(value, 2_000) + tailOf(value, 2_000) : value;
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, cut(value)]));
}
