import { formatList, plural, t } from '../../../protocol/language.ts';
import type { Permission } from '../../../protocol/permissions.ts';
import type { SandboxGrants } from '../../platform/sandbox.ts';
import { describeGrant, type Grant } from './grants.ts';
import type { Rule } from './rule.ts';
import type { RuleBook } from './ruleBook.ts';
import { describeSandbox } from './sandbox.ts';

export function listPermissions(
  { rules, unseen }: RuleBook,
  grants: readonly Grant[],
  alwaysFile: string | undefined,
  sandbox?: SandboxFacts,
): readonly Permission[] {
  return [
    ...(sandbox ? [ofSandbox(sandbox)] : []),
    ...unique(grants).map(grant => ofGrant(grant, alwaysFile)),
    ...rules.map((rule, index) => ofRule(rule, `rule-${index}`, rule.origin())),
    ...unseen.map((rule, index) =>
      ofRule(rule, `unseen-${index}`, t('{0}, not active: you have not reviewed it yet', rule.origin())),
    ),
  ];
}

interface SandboxFacts {
  readonly missing: string | undefined;
  readonly grants: SandboxGrants;
}

/** Applies to every command, so that it is visible before one runs. */
function ofSandbox({ missing, grants }: SandboxFacts): Permission {
  const subject =
    missing === undefined
      ? t('Commands run {0}', describeSandbox({ kind: 'up', grants }))
      : t('The sandbox is not available, so commands ask before they run. {0}', missing);
  const decision = missing === undefined ? 'allow' : 'ask';
  return { id: 'sandbox', decision, subject, origin: 'folio.sandbox', tier: 'user', removable: false };
}

function ofGrant({ id, subject, scope, workspace, line }: Grant, alwaysFile: string | undefined): Permission {
  const origins = {
    session: t('You, in this session'),
    workspace: t('You, in {0}', workspace ?? ''),
    user: t('You, everywhere'),
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

function ofRule(rule: Rule, id: string, origin: string): Permission {
  const { decision, tier, file, line, modes } = rule;
  return {
    id,
    decision,
    tier,
    subject: describeRule(rule),
    origin,
    removable: false,
    file,
    line,
    modes,
  };
}

/** Names the subject, then the conditions: `Commands that begin with npm test; in the sandbox`. */
function describeRule(rule: Rule): string {
  const { prefixes, exceptPrefixes, command, reads, exceptReads, args, interactive, agent, hints, sandbox } =
    rule;
  const parts = [
    prefixes ? t('Commands that begin with {0}', formatList(prefixes)) : whatOf(rule),
    exceptPrefixes && t('but those that begin with {0}', formatList(exceptPrefixes)),
    command && t('that match {0}', command.source.replace(/^\^\(\?:(.*)\)$/s, '$1')),
    reads && t('that only read'),
    exceptReads && t('but those that only read'),
    args && t('whose arguments match {0}', args.source),
    hints &&
      t(
        'of which the server says {0}',
        formatList(Object.entries(hints).map(([name, value]) => `${name}: ${value}`)),
      ),
    agent && t('of the subagent {0}', agent),
    interactive === false && t('where no user can be asked'),
    sandbox && sandboxes[sandbox](),
  ];
  return parts.filter(Boolean).join(' ');
}

function whatOf({ tools, exceptTools, mcp, effects, command, reads }: Rule): string {
  const isShell = tools?.length === 1 && tools[0] === 'run_shell_command';
  if (command || reads || isShell) return t('Commands');
  if (tools && !tools.includes('*')) return toolsOf(tools, mcp);
  if (mcp !== undefined)
    return mcp === '*' ? t('All tools of any server') : t('All tools of the server {0}', mcp);
  if (exceptTools)
    return exceptTools.length > 0 ? t('All tools but {0}', formatList(exceptTools)) : t('All tools');
  if (effects && effects.length < 4) return capital(formatList(effects.map(effect => effectNames[effect]())));
  return t('Everything');
}

function toolsOf(tools: readonly string[], server: string | undefined): string {
  const names = formatList(tools);
  const count = tools.length;
  if (server === undefined) return plural(count, 'one: Tool {1} | other: Tools {1}', names);
  return server === '*'
    ? plural(count, 'one: Tool {1} of any server | other: Tools {1} of any server', names)
    : plural(count, 'one: Tool {1} of the server {2} | other: Tools {1} of the server {2}', names, server);
}

const sandboxes = {
  on: () => t('in the sandbox'),
  off: () => t('outside the sandbox'),
  deny: () => t('in the sandbox, without extra permissions'),
} as const;

const effectNames = {
  read: () => t('reading'),
  edit: () => t('edits'),
  run: () => t('commands'),
  fetch: () => t('reading from the web'),
  note: () => t('notes of the session'),
} as const;

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Two windows may have stored the same permission. */
function unique(grants: readonly Grant[]): readonly Grant[] {
  return [...new Map(grants.map(grant => [grant.id, grant])).values()];
}

/** Shortens a path to one relative to the workspace or to `~`. */
export function shortenPath(path: string, workspace: string | undefined, home: string): string {
  for (const [folder, name] of [
    [workspace, ''],
    [home, '~/'],
  ] as const) {
    if (folder !== undefined && (path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`)))
      return name + path.slice(folder.length + 1);
  }
  return path;
}
