/* All rules in force, and the choice of the deciding one. */

import { t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import type { PolicySources } from '../../platform/customizations/policyFiles.ts';
import type { ConsentService } from '../consent/consentService.ts';
import { fingerprintOf } from '../consent/fingerprint.ts';
import { defaultRules } from './defaultRules.ts';
import { type Grant, parseGrants } from './grants.ts';
import { type ParsedRuleFile, parseRules, unreadableRuleFile } from './parseRules.ts';
import {
  isMatchUncertain,
  type Rule,
  type RuleInput,
  ruleMatches,
  ruleMatchesExceptArguments,
  sortRules,
} from './rule.ts';
import { describeInvalidEntries, settingRules, unsupportedGuardRules } from './settingRules.ts';

export interface RuleBook {
  /** The most important first. */
  readonly rules: readonly Rule[];
  /** Allowing rules of workspaces that no user has seen yet. They are not in force. */
  readonly unseen: readonly Rule[];
  readonly grants: readonly Grant[];
  /** The settings forbid lasting permissions. */
  readonly onlyOnce: boolean;
  /** One sentence for each file or rule that could not be read. */
  readonly problems: readonly string[];
}

interface BookPorts {
  readonly consent: Pick<ConsentService, 'stateOf'>;
  /** Absolute. */
  readonly alwaysFile: string | undefined;
  /** Formats a path for messages. */
  readonly show: (path: string) => string;
}

export const defaultBook: RuleBook = {
  rules: sortRules(defaultRules),
  unseen: [],
  grants: [],
  problems: [],
  onlyOnce: false,
};

export async function readRuleBook(sources: PolicySources, parts: BookPorts): Promise<RuleBook> {
  const always = sources.files.filter(file => file.path === parts.alwaysFile);
  const files = sources.files.filter(file => file.path !== parts.alwaysFile);
  const parsed = await Promise.all([
    ...files.map(file =>
      parseRules(file, parts.show(file.path), fingerprintOfRules(file.tier, file.path, file.text)),
    ),
    ...sources.problems.map(async ({ tier, path, sentence }) =>
      unreadableRuleFile({ tier, file: path }, parts.show(path), undefined, sentence),
    ),
    ...sources.settings.map(async (settings): Promise<ParsedRuleFile> => {
      const print = fingerprintOfRules(settings.tier, settings.path, JSON.stringify(settings));
      const shown = parts.show(settings.path);
      const guarding = unsupportedGuardRules(settings, shown);
      return {
        rules: [...settingRules(settings, shown, print), ...guarding.rules],
        problems: [...guarding.problems, ...describeInvalidEntries(settings, shown)],
      };
    }),
  ]);
  const found = parsed.flatMap(({ rules }) => rules);
  const isUnseen = await Promise.all(found.map(rule => isUnseenAllow(rule, parts.consent)));
  const kept = await readGrants(always[0]?.text, parts);
  return {
    rules: sortRules([...defaultRules, ...found.filter((_rule, index) => !isUnseen[index])]),
    unseen: found.filter((_rule, index) => isUnseen[index]),
    grants: kept.grants,
    onlyOnce: sources.settings.some(({ guards }) => guards?.includes('security.disableAlwaysAllow')),
    problems: [...parsed.flatMap(({ problems }) => problems), ...kept.problems],
  };
}

/**
 * Returns the first matching rule. A rule of a workspace or an extension, or one that could not be read, may always be
 * stricter than the result without its kind. It may loosen an ask (a workspace's rule only once seen), but never a
 * deny.
 */
export function findRule({ rules }: Pick<RuleBook, 'rules'>, ruleInput: RuleInput): Rule {
  const winner = rules.find(rule => ruleMatches(rule, ruleInput)) ?? lastResort;
  if (!isWeak(winner)) return winner;
  const isAlike = (rule: Rule) => (winner.unclear ? rule.unclear : rule.tier === winner.tier);
  const without = findRule({ rules: rules.filter(rule => !isAlike(rule)) }, ruleInput);
  return without.decision === 'deny' ? without : winner;
}

/** Finds a rule that denies or asks and may match, depending on words known at run time. */
export function findPossibleRule({ rules }: Pick<RuleBook, 'rules'>, ruleInput: RuleInput): Rule | undefined {
  for (const rule of rules) {
    if (rule.decision !== 'allow' && isMatchUncertain(rule, ruleInput)) return rule;
    if (!isWeak(rule) && ruleMatches(rule, ruleInput)) return undefined;
  }
  return undefined;
}

/** True for rules that may allow but never outweigh a deny. */
function isWeak({ unclear, tier }: Rule): boolean {
  return unclear === true || tier === 'workspace' || tier === 'extension';
}

/**
 * Tells whether every call of a tool is denied, whatever its arguments. Each request asks it of each tool, so the few
 * rules that can deny it come first.
 */
export function forbidsAll({ rules }: Pick<RuleBook, 'rules'>, ruleInput: RuleInput): boolean {
  const matches = (rule: Rule) => ruleMatchesExceptArguments(rule, ruleInput);
  const at = rules.findIndex(rule => rule.decision === 'deny' && !isNarrow(rule) && matches(rule));
  return (
    at >= 0 && !rules.slice(0, at).some(rule => rule.decision !== 'deny' && !isWeak(rule) && matches(rule))
  );
}

/**
 * Tells whether a rule denies a subagent entirely: under its name as a tool, or in all its calls.
 * @param matter a call by the agent of a tool with the agent's name
 */
export function forbidsAgent(
  { rules }: Pick<RuleBook, 'rules'>,
  name: string,
  ruleInput: RuleInput,
): boolean {
  const isNamed = ({ tools, agent }: Rule) =>
    tools?.includes(name) || (agent === name && (tools === undefined || tools.includes('*')));
  return forbidsAll({ rules: rules.filter(isNamed) }, ruleInput);
}

const narrowing = ['args', 'prefixes', 'exceptPrefixes', 'command', 'reads', 'exceptReads'] as const;

/** True if the rule depends on arguments. */
function isNarrow(rule: Rule): boolean {
  return narrowing.some(key => rule[key] !== undefined);
}

const lastResort: Rule = {
  tier: 'default',
  priority: 0,
  decision: 'ask',
  origin: () => 'Folio',
  askMessage: () => t('No rule says anything about this.'),
};

async function isUnseenAllow(
  { tier, decision, fingerprint }: Rule,
  consent: Pick<ConsentService, 'stateOf'>,
): Promise<boolean> {
  if (tier !== 'workspace' || decision !== 'allow') return false;
  return fingerprint === undefined || (await consent.stateOf(fingerprint)) !== 'enabled';
}

function fingerprintOfRules(tier: Rule['tier'], path: string, text: string): string | undefined {
  if (tier !== 'workspace') return undefined;
  return fingerprintOf('policy', `${path}\0${text}`);
}

/** A damaged file grants nothing, which is safe. */
async function readGrants(
  text: string | undefined,
  { alwaysFile = '', show }: BookPorts,
): Promise<{ readonly grants: readonly Grant[]; readonly problems: readonly string[] }> {
  try {
    return { grants: text === undefined ? [] : await parseGrants(text), problems: [] };
  } catch (error) {
    const why = messageOf(error).split('\n', 1)[0];
    return {
      grants: [],
      problems: [
        t(
          '{0} is not valid TOML ({1}). Until you correct it, Folio asks about what it allows.',
          show(alwaysFile),
          why ?? '',
        ),
      ],
    };
  }
}
