/* Rules and lasting permissions, as a person reads them. */

import type { Permission } from '../../../protocol/permissions.ts';
import { describeGrant, type Grant } from './grants.ts';
import type { Rule } from './rule.ts';
import type { RuleBook } from './ruleBook.ts';

export function listPermissions(
  { rules, unseen }: RuleBook,
  grants: readonly Grant[],
  alwaysFile: string | undefined,
): readonly Permission[] {
  return [
    ...unique(grants).map(grant => ofGrant(grant, alwaysFile)),
    ...rules.map((rule, index) => ofRule(rule, `rule-${index}`, '')),
    ...unseen.map((rule, index) =>
      ofRule(rule, `unseen-${index}`, ', not in force: nobody has looked at it yet'),
    ),
  ];
}

function ofGrant({ id, subject, scope, workspace, line }: Grant, alwaysFile: string | undefined): Permission {
  const origins = {
    session: 'You, in this session',
    workspace: `You, in ${workspace}`,
    user: 'You, everywhere',
  };
  const place =
    scope === 'session' || alwaysFile === undefined ? {} : { file: alwaysFile, line: line || undefined };
  return {
    id,
    decision: 'allow',
    subject: describeGrant(subject),
    origin: origins[scope],
    ...place,
    tier: scope === 'session' ? 'session' : 'user',
    removable: true,
  };
}

function ofRule(rule: Rule, id: string, remark: string): Permission {
  const { decision, tier, file, line, modes } = rule;
  return {
    id,
    decision,
    tier,
    subject: describeRule(rule),
    origin: rule.origin + remark,
    removable: false,
    file,
    line,
    modes,
  };
}

function describeRule(rule: Rule): string {
  const { prefixes, exceptPrefixes, command, reads, exceptReads, args, interactive, agent, hints } = rule;
  const parts = [
    whatOf(rule),
    prefixes && `that begin with ${list(prefixes)}`,
    exceptPrefixes && `but those that begin with ${list(exceptPrefixes)}`,
    command && `that match ${command.source.replace(/^\^\(\?:(.*)\)$/s, '$1')}`,
    reads && 'that only read',
    exceptReads && 'but those that only read',
    args && `whose arguments match ${args.source}`,
    hints &&
      `of which the server says ${list(Object.entries(hints).map(([name, value]) => `${name}: ${value}`))}`,
    agent && `of the subagent ${agent}`,
    interactive === false && 'where nobody can be asked',
  ];
  return parts.filter(Boolean).join(' ');
}

function whatOf({ tools, exceptTools, mcp, effects, prefixes, command, reads }: Rule): string {
  const isShell = tools?.length === 1 && tools[0] === 'run_shell_command';
  if (prefixes || command || reads || isShell) return 'Commands';
  const server = mcp === undefined ? '' : mcp === '*' ? ' of any server' : ` of the server ${mcp}`;
  if (tools && !tools.includes('*')) return `${tools.length > 1 ? 'Tools' : 'Tool'} ${list(tools)}${server}`;
  if (server) return `All tools${server}`;
  if (exceptTools) return exceptTools.length > 0 ? `All tools but ${list(exceptTools)}` : 'All tools';
  if (effects && effects.length < 4) return capital(list(effects.map(effect => effectNames[effect])));
  return 'Everything';
}

const effectNames = {
  read: 'reading',
  edit: 'edits',
  run: 'commands',
  fetch: 'reading from the web',
  note: 'notes of the session',
} as const;

function list(names: readonly string[]): string {
  return names.length > 2 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names.join(' and ');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The same may have been allowed twice, in two windows. */
function unique(grants: readonly Grant[]): readonly Grant[] {
  return [...new Map(grants.map(grant => [grant.id, grant])).values()];
}
