/*
 * How a command is held: inside the sandbox of the system or not, with which grants, and what a user must still say to.
 * The rules classify the line first, as if sandboxes stood that do stand (`classifyCommand.ts`); what comes of it is
 * held here.
 */

import { formatList, type Saying, t } from '../../../protocol/language.ts';
import type { CommandNeeds, CommandSandbox, SandboxGrants } from '../../platform/sandbox.ts';
import { contains } from '../folderPaths.ts';
import { findProtection } from '../protectedPaths.ts';
import type { Demand } from './classifyCommandFiles.ts';
import { type Grant, type GrantSubject, nameOf } from './grants.ts';
import type { Offer } from './offers.ts';
import { isAbout, type Matter, type Rule, type RuleSandbox } from './rule.ts';
import { deny, type Verdict } from './verdict.ts';

export interface SandboxState {
  /** The setting, as it stands. */
  readonly isOn: () => boolean;
  /** Never rejects; undefined: commands can be sandboxed here. */
  readonly whyMissing: () => Promise<Saying | undefined>;
  /** For each command of the run. */
  readonly grants: SandboxGrants;
}

/** The request of settings and rules for a line. */
export interface LineIntent {
  readonly sandbox: RuleSandbox;
  /**
   * Only the workspace or an extension wants a sandbox. That takes no ask away: they may make things stricter alone.
   */
  readonly isOthers: boolean;
}

/** The strictest request among the commands of a line, each of which has the setting's where no rule says anything. */
export function intentOf(rules: readonly Rule[], matters: readonly Matter[], isOn: boolean): LineIntent {
  const own = rules.filter(({ tier }) => tier !== 'workspace' && tier !== 'extension');
  const tightening = rules.filter(rule => own.includes(rule) || rule.sandbox !== 'off');
  const bySetting = isOn ? 'on' : 'off';
  const find = (among: readonly Rule[]) =>
    strictest(
      matters.map(
        matter =>
          among.find(rule => rule.sandbox !== undefined && isAbout(rule, matter))?.sandbox ?? bySetting,
      ),
    );
  const [personal, all] = [find(own), find(tightening)];
  const sandbox = strictest([personal, all]);
  return { sandbox, isOthers: personal === 'off' && sandbox !== 'off' };
}

function strictest(intents: readonly RuleSandbox[]): RuleSandbox {
  return intents.includes('deny') ? 'deny' : intents.includes('on') ? 'on' : 'off';
}

/** The choice of an ask that lets a command out. */
export const outsideOnce: Offer = {
  id: 'outside',
  scope: 'once',
  get label() {
    return t('Run outside the sandbox');
  },
  grants: [],
};

interface SandboxedLine {
  readonly intent: LineIntent;
  /** Why there are no sandbox although they are requested. */
  readonly missing: Saying | undefined;
  /** Grants that stand. */
  readonly standing: SandboxGrants;
  readonly needs: CommandNeeds | undefined;
  readonly demands: readonly Demand[];
  /** Nobody would be asked about it otherwise: the mode allows all, or nobody is there. */
  readonly isUnattended: boolean;
  /** Absolute; too much to be granted as a whole. */
  readonly tooBroad: readonly string[];
  readonly offer: (subjects: readonly GrantSubject[]) => readonly Offer[];
}

/** The verdict of the rules, with what holds the command. */
export function hold(verdict: Verdict, line: SandboxedLine): Verdict {
  const { intent, missing } = line;
  if (verdict.kind === 'deny' || intent.sandbox === 'off') return verdict;
  if (missing !== undefined) return withoutSandbox(verdict, missing, line);
  const isClosed = verdict.kind === 'ask' && line.demands.some(isOutsideSandbox);
  if (line.needs?.outside || isClosed) return letOut(verdict, line);
  return inSandbox(verdict, line);
}

/** Sandboxes keep it from this, so a user who wants it wants it outside. */
function isOutsideSandbox({ kind, isHarmlessInSandbox }: Demand): boolean {
  return kind === 'stern' && !isHarmlessInSandbox;
}

/** It asks as it would without a sandbox, and where it would not, because the sandbox was the reason, it asks now. */
function withoutSandbox(
  verdict: Exclude<Verdict, { readonly kind: 'deny' }>,
  why: Saying,
  { intent, isUnattended }: SandboxedLine,
): Verdict {
  if (intent.sandbox === 'deny')
    return deny(() => t('A rule allows this only in the sandbox, which is not available. {0}', why()));
  const words = () => t('The sandbox is on but not available, so this would run without it. {0}', why());
  const sandboxed = { kind: 'missing', why } as const;
  if (verdict.kind === 'ask')
    return { ...verdict, sandboxed, reason: () => `${verdict.reason()} ${words()}`, toClassify: undefined };
  if (verdict.reads || !isUnattended) return { ...verdict, sandboxed };
  return { ...verdict, sandboxed, kind: 'ask', reason: words, always: [] };
}

function letOut(verdict: Exclude<Verdict, { readonly kind: 'deny' }>, { intent }: SandboxedLine): Verdict {
  if (intent.sandbox === 'deny') return deny(() => t('A rule keeps this command in the sandbox.'));
  const words = () => t('It would run outside the sandbox, with all your permissions.');
  const reason = verdict.kind === 'ask' ? () => `${words()} ${verdict.reason()}` : words;
  return { ...verdict, kind: 'ask', reason, always: [], toClassify: undefined };
}

function inSandbox(verdict: Exclude<Verdict, { readonly kind: 'deny' }>, line: SandboxedLine): Verdict {
  const { needs = { write: [], hosts: [] }, standing } = line;
  const write = needs.write.filter(path => !standing.write.some(folder => contains(folder, path)));
  const hosts = needs.hosts.filter(host => !standing.hosts.includes(host));
  const grants = { write: [...standing.write, ...write], hosts: [...standing.hosts, ...hosts] };
  const sandboxed: CommandSandbox = { kind: 'up', grants };
  if (write.length + hosts.length === 0) return { ...verdict, sandboxed };
  if (line.intent.sandbox === 'deny') return deny(keptInside);
  const wide = write.find(
    path => line.tooBroad.some(each => contains(path, each)) || systemFolders.test(path),
  );
  if (wide !== undefined)
    return deny(() => t('{0} is too broad. Name the folder that the command writes to.', wide));
  const subjects = [
    ...write.map((path): GrantSubject => ({ kind: 'sandboxWrite', path })),
    ...hosts.map((host): GrantSubject => ({ kind: 'sandboxHost', host })),
  ];
  const needed = () => t('The sandbox does not allow this: {0}.', formatList(subjects.map(nameOf)));
  const reason = verdict.kind === 'ask' ? () => `${needed()} ${verdict.reason()}` : needed;
  // A secret is let out for one command at most.
  const canLast = !write.some(path => findProtection(path, 'write'));
  const always = [...(canLast ? line.offer(subjects) : []), outsideOnce];
  return { ...verdict, sandboxed, kind: 'ask', reason, always, toClassify: undefined };
}

const keptInside = () => t('A rule keeps this command in the sandbox, without extra permissions.');

const waitsForHosts = () =>
  t(
    'The sandbox blocks connections that you have not allowed. The command waits two minutes for your answer.',
  );

/** A command that runs already waits to connect to hosts. */
export function letThrough(
  hosts: readonly string[],
  { intent, standing, offer }: Pick<SandboxedLine, 'intent' | 'standing' | 'offer'>,
): Verdict {
  const missing = hosts.filter(host => !standing.hosts.includes(host));
  if (missing.length === 0) return { kind: 'allow' };
  if (intent.sandbox === 'deny') return deny(keptInside);
  const subjects = missing.map((host): GrantSubject => ({ kind: 'sandboxHost', host }));
  return { kind: 'ask', reason: waitsForHosts, always: offer(subjects) };
}

const systemFolders = /^\/(?:proc|sys|dev|run|boot)(?:\/|$)/;

export function standingGrants(
  grants: readonly Grant[],
  given: SandboxGrants = { write: [], hosts: [] },
): SandboxGrants {
  const write = grants.flatMap(({ subject }) => (subject.kind === 'sandboxWrite' ? [subject.path] : []));
  const hosts = grants.flatMap(({ subject }) => (subject.kind === 'sandboxHost' ? [subject.host] : []));
  return { write: [...given.write, ...write], hosts: [...given.hosts, ...hosts] };
}

/** For the card, before it runs, and for the list of permissions. */
export function describeSandbox(sandboxed: CommandSandbox): string {
  if (sandboxed.kind === 'missing') return t('without the sandbox, which is not available');
  const { write, hosts } = sandboxed.grants;
  const places = [t('the workspace'), ...write].join(', ');
  return hosts.length === 0
    ? t('in the sandbox: writes in {0}; no network', places)
    : t('in the sandbox: writes in {0}; connects to {1}', places, hosts.join(', '));
}
