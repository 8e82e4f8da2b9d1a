/*
 * Decides whether a command runs in the sandbox, with which grants, and what a user must still approve. The rules first
 * classify the line as if the sandbox worked (`classifyCommand.ts`); this file adjusts their verdict.
 */

import { formatList, type LocalizedMessage, t } from '../../../protocol/language.ts';
import { isSystemPath } from '../../platform/fileSystem.ts';
import type { CommandNeeds, CommandSandbox, SandboxGrants } from '../../platform/sandbox.ts';
import { folderContains } from '../folderPaths.ts';
import { findProtection } from '../protectedPaths.ts';
import type { FileAccessVerdict } from './classifyCommandFiles.ts';
import { type Grant, type GrantSubject, grantPhrase } from './grants.ts';
import type { PermissionOffer } from './offers.ts';
import { type Rule, type RuleInput, type RuleSandbox, ruleMatches } from './rule.ts';
import { denied, type Verdict } from './verdict.ts';

export interface SandboxState {
  /** Current value of the setting. */
  readonly isOn: () => boolean;
  /** Resolves to undefined if commands can be sandboxed here. Never rejects. */
  readonly whyMissing: () => Promise<LocalizedMessage | undefined>;
  /** Grants for every command of the session. */
  readonly grants: SandboxGrants;
}

/** Intent of settings and rules for a line. */
export interface SandboxIntent {
  readonly sandbox: RuleSandbox;
  /** Only rules of a workspace or an extension want the sandbox. Commands then ask as without it: these only tighten. */
  readonly isOthers: boolean;
}

/** Returns the strictest intent among the commands of a line. A command without a rule has the setting's. */
export function sandboxIntentOf(
  rules: readonly Rule[],
  matters: readonly RuleInput[],
  isOn: boolean,
): SandboxIntent {
  const own = rules.filter(({ tier }) => tier !== 'workspace' && tier !== 'extension');
  const tightening = rules.filter(rule => own.includes(rule) || rule.sandbox !== 'off');
  const bySetting = isOn ? 'on' : 'off';
  const find = (among: readonly Rule[]) =>
    strictest(
      matters.map(
        ruleInput =>
          among.find(rule => rule.sandbox !== undefined && ruleMatches(rule, ruleInput))?.sandbox ??
          bySetting,
      ),
    );
  const [personal, all] = [find(own), find(tightening)];
  const sandbox = strictest([personal, all]);
  return { sandbox, isOthers: personal === 'off' && sandbox !== 'off' };
}

function strictest(intents: readonly RuleSandbox[]): RuleSandbox {
  return intents.includes('deny') ? 'deny' : intents.includes('on') ? 'on' : 'off';
}

/** The choice to run a command outside the sandbox. */
export const outsideSandboxOnce: PermissionOffer = {
  id: 'outside',
  scope: 'once',
  get label() {
    return t('Run outside the sandbox');
  },
  grants: [],
};

interface SandboxedLine {
  readonly intent: SandboxIntent;
  /** Why the requested sandbox is unavailable. */
  readonly missing: LocalizedMessage | undefined;
  /** Lasting grants. */
  readonly standing: SandboxGrants;
  readonly needs: CommandNeeds | undefined;
  readonly demands: readonly FileAccessVerdict[];
  /** Nothing else would ask: the mode allows all, or no user is present. */
  readonly isUnattended: boolean;
  /** Absolute paths that are too broad to grant. */
  readonly tooBroad: readonly string[];
  readonly offer: (subjects: readonly GrantSubject[]) => readonly PermissionOffer[];
}

export function applySandbox(verdict: Verdict, line: SandboxedLine): Verdict {
  const { intent, missing } = line;
  if (verdict.kind === 'deny' || intent.sandbox === 'off') return verdict;
  if (missing !== undefined) return withoutSandbox(verdict, missing, line);
  const isClosed = verdict.kind === 'ask' && line.demands.some(isOutsideSandbox);
  if (line.needs?.outside || isClosed) return letOut(verdict, line);
  return inSandbox(verdict, line);
}

/** The sandbox prevents it, so a user who wants it must run it outside. */
function isOutsideSandbox({ kind, isHarmlessInSandbox }: FileAccessVerdict): boolean {
  return kind === 'stern' && !isHarmlessInSandbox;
}

/** Asks as without a sandbox, and also where only the sandbox made asking unnecessary. */
function withoutSandbox(
  verdict: Exclude<Verdict, { readonly kind: 'deny' }>,
  why: LocalizedMessage,
  { intent, isUnattended }: SandboxedLine,
): Verdict {
  if (intent.sandbox === 'deny')
    return denied(() => t('A rule allows this only in the sandbox, which is not available. {0}', why()));
  const words = () => t('The sandbox is on but not available, so this would run without it. {0}', why());
  const sandboxed = { kind: 'missing', why } as const;
  if (verdict.kind === 'ask')
    return { ...verdict, sandboxed, reason: () => `${verdict.reason()} ${words()}`, toClassify: undefined };
  if (verdict.reads || !isUnattended) return { ...verdict, sandboxed };
  return { ...verdict, sandboxed, kind: 'ask', reason: words, always: [] };
}

function letOut(verdict: Exclude<Verdict, { readonly kind: 'deny' }>, { intent }: SandboxedLine): Verdict {
  if (intent.sandbox === 'deny') return denied(() => t('A rule keeps this command in the sandbox.'));
  const words = () => t('It would run outside the sandbox, with all your permissions.');
  const reason = verdict.kind === 'ask' ? () => `${words()} ${verdict.reason()}` : words;
  return { ...verdict, kind: 'ask', reason, always: [], toClassify: undefined };
}

function inSandbox(verdict: Exclude<Verdict, { readonly kind: 'deny' }>, line: SandboxedLine): Verdict {
  const { needs = { write: [], hosts: [] }, standing } = line;
  const write = needs.write.filter(path => !standing.write.some(folder => folderContains(folder, path)));
  const hosts = needs.hosts.filter(host => !standing.hosts.includes(host));
  const grants = { write: [...standing.write, ...write], hosts: [...standing.hosts, ...hosts] };
  const sandboxed: CommandSandbox = { kind: 'up', grants };
  if (write.length + hosts.length === 0) return { ...verdict, sandboxed };
  if (line.intent.sandbox === 'deny') return denied(keptInside);
  const wide = write.find(
    path => line.tooBroad.some(each => folderContains(path, each)) || isSystemFolder(path),
  );
  if (wide !== undefined)
    return denied(() => t('{0} is too broad. Name the folder that the command writes to.', wide));
  const subjects = [
    ...write.map((path): GrantSubject => ({ kind: 'sandboxWrite', path })),
    ...hosts.map((host): GrantSubject => ({ kind: 'sandboxHost', host })),
  ];
  const needed = () => t('The sandbox does not allow this: {0}.', formatList(subjects.map(grantPhrase)));
  const reason = verdict.kind === 'ask' ? () => `${needed()} ${verdict.reason()}` : needed;
  // Access to a secret is granted for one command at most.
  const canLast = !write.some(path => findProtection(path, 'write'));
  const always = [...(canLast ? line.offer(subjects) : []), outsideSandboxOnce];
  return { ...verdict, sandboxed, kind: 'ask', reason, always, toClassify: undefined };
}

const keptInside = () => t('A rule keeps this command in the sandbox, without extra permissions.');

const waitsForHosts = () =>
  t(
    'The sandbox blocks connections that you have not allowed. The command waits two minutes for your answer.',
  );

/** Classifies a running command's request to connect to hosts. */
export function classifyConnection(
  hosts: readonly string[],
  { intent, standing, offer }: Pick<SandboxedLine, 'intent' | 'standing' | 'offer'>,
): Verdict {
  const missing = hosts.filter(host => !standing.hosts.includes(host));
  if (missing.length === 0) return { kind: 'allow' };
  if (intent.sandbox === 'deny') return denied(keptInside);
  const subjects = missing.map((host): GrantSubject => ({ kind: 'sandboxHost', host }));
  return { kind: 'ask', reason: waitsForHosts, always: offer(subjects) };
}

/** All of the shared memory belongs to every program; a folder in it does not. */
function isSystemFolder(path: string): boolean {
  return isSystemPath(path) || /^\/(?:(?:run|boot)(?:\/|$)|dev\/shm\/?$)/.test(path);
}

/** Adds the paths and hosts of grants to those that the session's sandbox has from its start. */
export function mergeSandboxGrants(
  grants: readonly Grant[],
  given: SandboxGrants = { write: [], hosts: [] },
): SandboxGrants {
  const write = grants.flatMap(({ subject }) => (subject.kind === 'sandboxWrite' ? [subject.path] : []));
  const hosts = grants.flatMap(({ subject }) => (subject.kind === 'sandboxHost' ? [subject.host] : []));
  return { write: [...given.write, ...write], hosts: [...given.hosts, ...hosts] };
}

/** Describes the sandbox, for the card and the list of permissions. */
export function describeSandbox(sandboxed: CommandSandbox): string {
  if (sandboxed.kind === 'missing') return t('without the sandbox, which is not available');
  const { write, hosts } = sandboxed.grants;
  const places = [t('the workspace'), ...write].join(', ');
  return hosts.length === 0
    ? t('in the sandbox: writes in {0}; no network', places)
    : t('in the sandbox: writes in {0}; connects to {1}', places, hosts.join(', '));
}
