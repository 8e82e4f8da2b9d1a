/* All rules in force, and the one that decides a matter. */

import { t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import type { PolicySources } from '../../platform/customizations/policyFiles.ts';
import type { Consent } from '../consent/consent.ts';
import { fingerprintOf } from '../consent/fingerprint.ts';
import { defaultRules } from './defaultRules.ts';
import { type Grant, parseGrants } from './grants.ts';
import { type ParsedFile, parseRules, unreadable } from './parseRules.ts';
import { isAbout, isPerhapsAbout, type Matter, mayBeAbout, type Rule, sortRules } from './rule.ts';
import { describeSlips, guardRules, settingRules } from './settingRules.ts';

export interface RuleBook {
  /** The most important first. */
  readonly rules: readonly Rule[];
  /** Rules of workspaces that would allow something and that nobody has been shown yet. They are not in force. */
  readonly unseen: readonly Rule[];
  /** Kept on the disk. */
  readonly grants: readonly Grant[];
  /** The settings want that nothing is allowed but for once. */
  readonly onlyOnce: boolean;
  /** One sentence for each file or rule that is not understood. */
  readonly problems: readonly string[];
}

interface BookPorts {
  readonly consent: Pick<Consent, 'stateOf'>;
  /** Absolute. */
  readonly alwaysFile: string | undefined;
  /** How sentences name a file. */
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
      unreadable({ tier, file: path }, parts.show(path), undefined, sentence),
    ),
    ...sources.settings.map(async (settings): Promise<ParsedFile> => {
      const print = fingerprintOfRules(settings.tier, settings.path, JSON.stringify(settings));
      const shown = parts.show(settings.path);
      const guarding = guardRules(settings, shown);
      return {
        rules: [...settingRules(settings, shown, print), ...guarding.rules],
        problems: [...guarding.problems, ...describeSlips(settings, shown)],
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
 * The first rule that is about the matter decides. One of a workspace or an extension, and one that is not understood,
 * may always be stricter than what would hold without its like; it may loosen an ask, which for a workspace the user
 * has seen, and never a deny.
 */
export function decide({ rules }: Pick<RuleBook, 'rules'>, matter: Matter): Rule {
  const winner = rules.find(rule => isAbout(rule, matter)) ?? lastResort;
  if (!isWeak(winner)) return winner;
  const isAlike = (rule: Rule) => (winner.unclear ? rule.unclear : rule.tier === winner.tier);
  const without = decide({ rules: rules.filter(rule => !isAlike(rule)) }, matter);
  return without.decision === 'deny' ? without : winner;
}

/** Finds a rule that forbids or asks, and is about the matter or not by what is known only when it runs. */
export function findPossible({ rules }: Pick<RuleBook, 'rules'>, matter: Matter): Rule | undefined {
  for (const rule of rules) {
    if (rule.decision !== 'allow' && isPerhapsAbout(rule, matter)) return rule;
    if (!isWeak(rule) && isAbout(rule, matter)) return undefined;
  }
  return undefined;
}

/** It may allow, but outweighs no denial. */
function isWeak({ unclear, tier }: Rule): boolean {
  return unclear === true || tier === 'workspace' || tier === 'extension';
}

/** Says whether every call of a tool would be denied, whatever its arguments are. */
export function forbidsAll({ rules }: Pick<RuleBook, 'rules'>, matter: Matter): boolean {
  for (const rule of rules) {
    if (!mayBeAbout(rule, matter)) continue;
    if (rule.decision === 'deny' && !isNarrow(rule)) return true;
    if (rule.decision !== 'deny' && !isWeak(rule)) return false;
  }
  return false;
}

/**
 * Says whether a rule denies a subagent as a whole: one that has its name as a tool, or that is about all its calls.
 * @param matter a call of a tool with the agent's name, by the agent
 */
export function forbidsAgent({ rules }: Pick<RuleBook, 'rules'>, name: string, matter: Matter): boolean {
  const isNamed = ({ tools, agent }: Rule) =>
    tools?.includes(name) || (agent === name && (tools === undefined || tools.includes('*')));
  return forbidsAll({ rules: rules.filter(isNamed) }, matter);
}

const narrowing = ['args', 'prefixes', 'exceptPrefixes', 'command', 'reads', 'exceptReads'] as const;

/** It is about some calls of its tools, by what they are given. */
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
  consent: Pick<Consent, 'stateOf'>,
): Promise<boolean> {
  if (tier !== 'workspace' || decision !== 'allow') return false;
  return fingerprint === undefined || (await consent.stateOf(fingerprint)) !== 'enabled';
}

function fingerprintOfRules(tier: Rule['tier'], path: string, text: string): string | undefined {
  if (tier !== 'workspace') return undefined;
  return fingerprintOf('policy', `${path}\0${text}`);
}

/** A damaged file grants nothing, which is the careful way. */
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
