/* One rule, and whether it is about a matter. Where rules come from: defaultRules, parseRules, settingRules. */

import type { ApprovalMode } from '../../../protocol/intentions.ts';
import type { Saying } from '../../../protocol/language.ts';
import type { Effect } from '../../../protocol/values.ts';
import { headOf, tailOf } from '../../base/text.ts';
import { matchesWildcard } from '../../base/wildcard.ts';
import type { ToolHints } from '../tool.ts';
import { type CommandMatter, hasUnknownWord, matchCommand, matchOtherTexts } from './commandMatch.ts';
import { type Match, weaker } from './matchForm.ts';

type Tier = 'default' | 'extension' | 'workspace' | 'user' | 'admin';
/** Commands run in the sandbox or outside: `deny` says that they do, and never get more than it gives. */
export type RuleSandbox = 'on' | 'off' | 'deny';
type RuleDecision = 'allow' | 'deny' | 'ask';

export interface Rule {
  readonly tier: Tier;
  /** 0 to 999 within its tier. */
  readonly priority: number;
  readonly decision: RuleDecision;
  /** Where it stands, for sentences: `.gemini/policies/team.toml, line 12`. */
  readonly origin: Saying;
  readonly file?: string;
  readonly line?: number;
  /** Fingerprint of a rule from a workspace's file: it allows only once the user has seen it. */
  readonly fingerprint?: string;
  readonly denyMessage?: Saying;
  /** Why it asks, when it is one of ours. */
  readonly askMessage?: Saying;
  /** It stands for a guard that Folio does not have, and so comes before all rules without this, of every tier. */
  readonly first?: true;
  /** It stands for what is written there and not understood, and so never takes the place of a rule that denies. */
  readonly unclear?: true;
  readonly sandbox?: RuleSandbox;
  /** It asks because nothing contains a command, and so not where something does. */
  readonly wantsSandbox?: true;

  // Conditions of a rule. An absent condition is always met; an empty rule is about everything.
  /** Names, `*` for any letters. */
  readonly tools?: readonly string[];
  readonly exceptTools?: readonly string[];
  readonly mcp?: string;
  readonly effects?: readonly Effect[];
  /** Over the arguments as JSON with sorted keys. */
  readonly args?: RegExp;
  /** First words of a command. */
  readonly prefixes?: readonly string[];
  readonly exceptPrefixes?: readonly string[];
  /** From the beginning of a command. */
  readonly command?: RegExp;
  /** Covers only commands that are known to be read-only. */
  readonly reads?: true;
  readonly exceptReads?: true;
  /** Only calls of the subagent with this name. */
  readonly agent?: string;
  /** Hints that the server must give about its tool. */
  readonly hints?: ToolHints;
  /** Only calls whose addresses all lead to servers of this machine. */
  readonly local?: true;
  readonly modes?: readonly ApprovalMode[];
  readonly interactive?: boolean;
  /** Allows a command also where its output goes into a file. */
  readonly allowRedirection?: true;
}

/** The subject of a question to the rules: a call, or one command of the line that a call runs. */
export interface Matter {
  readonly tool: string;
  readonly effect: Effect;
  readonly mode: ApprovalMode;
  readonly interactive: boolean;
  readonly server?: string;
  /** As that server calls it; `tool` may be another where names would meet. */
  readonly serverTool?: string;
  /** The server's hints about the tool; for a server of the workspace, none that would allow anything. */
  readonly hints?: ToolHints;
  readonly ofWorkspace?: boolean;
  /** The subagent that calls; absent: the agent itself. */
  readonly agent?: string;
  /** All addresses lead to servers of this machine. */
  readonly local?: boolean;
  /** `undefined`: too long to be matched. */
  readonly args: string | undefined;
  /** The arguments with another text for the command. */
  readonly argsWith?: (command: string) => string;
  readonly command?: CommandMatter;
}

const tierNumbers: Readonly<Record<Tier, number>> = {
  default: 1,
  extension: 2,
  workspace: 3,
  user: 4,
  admin: 5,
};

/** Orders rules: the tier first, then the priority. */
function rankOf({ tier, priority }: Rule): number {
  return tierNumbers[tier] + priority / 1000;
}

/** The most important first; of equals, the stricter. */
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

export function isAbout(rule: Rule, matter: Matter): boolean {
  return mayBeAbout(rule, matter) && matchCall(rule, matter) === 'yes';
}

/** True if only words that are known when the command runs decide whether the rule is about it. */
export function isPerhapsAbout(rule: Rule, matter: Matter): boolean {
  return mayBeAbout(rule, matter) && matchCall(rule, matter) === 'maybe';
}

function matchCall(rule: Rule, matter: Matter): Match {
  return weaker(matchCommand(rule, matter.command), matchArgs(rule, matter));
}

/** Before it is known what the tool is called with. */
export function mayBeAbout(rule: Rule, matter: Matter): boolean {
  return (
    (!rule.modes || rule.modes.includes(matter.mode)) &&
    (rule.interactive === undefined || rule.interactive === matter.interactive) &&
    (!rule.effects || rule.effects.includes(matter.effect)) &&
    (rule.agent === undefined || rule.agent === matter.agent) &&
    (!rule.local || matter.local === true) &&
    isAboutHints(rule, matter) &&
    isAboutTool(rule, matter)
  );
}

/**
 * A tool of a server goes by its own name, too: where the rule names the server, or is the stricter for it. Else a server
 * could call its tool like one of ours, and have what a rule allows that one.
 */
function isAboutTool({ tools, exceptTools, mcp, decision }: Rule, matter: Matter): boolean {
  const { tool, server, serverTool } = matter;
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

/** The protocol's defaults for hints that a server does not give. */
const unreportedHints: ToolHints = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

/** To allow, the server must say it itself, and be one of the user's; to forbid or ask, its silence counts, too. */
function isAboutHints({ hints, decision }: Rule, matter: Matter): boolean {
  if (!hints) return true;
  if (matter.server === undefined) return false;
  if (decision === 'allow' && matter.ofWorkspace) return false;
  const said = decision === 'allow' ? matter.hints : withDefaults(matter.hints);
  return Object.entries(hints).every(([name, value]) => said?.[name] === value);
}

/** The protocol gives `destructiveHint` a meaning only where a tool does not say that it only reads. */
function withDefaults(hints: ToolHints | undefined): ToolHints {
  const all = { ...unreportedHints, ...hints };
  return hints?.readOnlyHint === true ? { ...all, destructiveHint: hints.destructiveHint ?? false } : all;
}

/**
 * Arguments that cannot be matched are forbidden rather than allowed. To forbid or ask, other ways to write the command
 * count as well.
 */
function matchArgs({ args, decision }: Rule, { args: given, argsWith, command }: Matter): Match {
  if (!args) return 'yes';
  if (given === undefined) return decision === 'allow' ? 'no' : 'yes';
  if (args.test(given)) return 'yes';
  if (decision === 'allow' || !command || !argsWith) return 'no';
  if (command.isOpaque) return 'maybe';
  const found = matchOtherTexts(args, command, argsWith);
  return found === 'no' && beginsAnywhere(args.source) && hasUnknownWord(command) ? 'maybe' : found;
}

/** Neither at the beginning of the arguments nor at the name of one of them. */
function beginsAnywhere(source: string): boolean {
  return !/^(?:\^|\\?[{"])/.test(source);
}

/** Contents of files would make patterns slow, and no rule is about their middle. */
export function shortened(args: object): object {
  const cut = (value: unknown) =>
    typeof value === 'string' && value.length > 4_000 ? headOf(value, 2_000) + tailOf(value, 2_000) : value;
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, cut(value)]));
}
