/* Rules and lasting permissions, as a person reads them. */

import type { Permission } from '../../../protocol/permissions.ts';
import type { SandboxGrants } from '../../platform/sandbox.ts';
import { describeGrant, type Grant } from './grants.ts';
import type { Rule } from './rule.ts';
import type { RuleBook } from './ruleBook.ts';
import { describeWalls } from './walls.ts';

export function listPermissions(
  { rules, unseen }: RuleBook,
  grants: readonly Grant[],
  alwaysFile: string | undefined,
  sandbox?: SandboxFacts,
): readonly Permission[] {
  return [
    ...(sandbox ? [ofSandbox(sandbox)] : []),
    ...unique(grants).map(grant => ofGrant(grant, alwaysFile)),
    ...rules.map((rule, index) => ofRule(rule, `rule-${index}`, '')),
    ...unseen.map((rule, index) =>
      ofRule(rule, `unseen-${index}`, ', not in force: nobody has looked at it yet'),
    ),
  ];
}

interface SandboxFacts {
  readonly missing: string | undefined;
  readonly grants: SandboxGrants;
}

/** It holds for each command, and is seen before one runs. */
function ofSandbox({ missing, grants }: SandboxFacts): Permission {
  const subject =
    missing === undefined
      ? `Commands run ${describeWalls({ kind: 'up', grants })}`
      : `The sandbox cannot be used, so commands ask as they do without it. ${missing}`;
  const decision = missing === undefined ? 'allow' : 'ask';
  return { id: 'sandbox', decision, subject, origin: 'folio.sandbox', tier: 'user', removable: false };
}

function ofGrant({ id, subject, scope, workspace, line }: Grant, alwaysFile: string | undefined): Permission {
  const origins = {
    session: 'You, in this session',
    workspace: `You, in ${workspace}`,
    user: 'You, everywhere',
  };
  const file = scope === 'session' ? undefined : alwaysFile;
  return {
    id,
    decision: 'allow',
    subject: describeGrant(subject),
    origin: origins[scope],
    file,
    line: (file && line) || undefined,
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
  const { prefixes, exceptPrefixes, command, reads, exceptReads, args, interactive, agent, hints, sandbox } =
    rule;
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
    sandbox && sandboxes[sandbox],
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

const sandboxes = {
  on: 'in the sandbox',
  off: 'outside of the sandbox',
  deny: 'in the sandbox, with no more than it gives',
} as const;

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

/** As a person knows it: from the workspace, or from home. */
export function shorten(path: string, workspace: string | undefined, home: string): string {
  for (const [folder, name] of [
    [workspace, ''],
    [home, '~/'],
  ] as const) {
    if (folder !== undefined && (path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`)))
      return name + path.slice(folder.length + 1);
  }
  return path;
}
