/*
 * The one choke point for permissions: every call passes `judge` before it runs, whatever the tool. How it decides
 * is told in the README.md beside it.
 */

import type { ApprovalMode, Effect } from '../../../protocol/events.ts';
import type { AlwaysChoice, AskedCommand, Permission } from '../../../protocol/permissions.ts';
import { canonicalJson } from '../../base/canonicalJson.ts';
import { messageOf } from '../../base/errors.ts';
import type { PolicyFiles } from '../../platform/customizations/policyFiles.ts';
import { type CommandAnalysis, judgeWhole } from '../../shell/judge/analysis.ts';
import type { Consent } from '../consent/consent.ts';
import type { WorkspacePaths } from '../paths.ts';
import type { AnyTool, CallTarget } from '../tool.ts';
import { listPermissions } from './describeRules.ts';
import { addGrants, covers, type Grant, type GrantSubject, hostOf, removeGrant } from './grants.ts';
import { isWritten, judgeLine, type LineVerdict, listCommands } from './judgeCommand.ts';
import { judgeFiles } from './judgeFiles.ts';
import { judgePaths } from './judgePaths.ts';
import { makeOffers, type Offer } from './offers.ts';
import { type CommandMatter, longestText, type Matter, type Rule } from './rule.ts';
import { decide, defaultBook, forbidsAll, type RuleBook, readRuleBook } from './ruleBook.ts';

export type Verdict =
  /** `reads`: of the command is known that it does nothing but read. */
  | { readonly kind: 'allow'; readonly reads?: true }
  | {
      readonly kind: 'ask';
      readonly reason: string;
      /** Which rule asks and where it stands; absent for the defaults. */
      readonly rule?: string;
      readonly commands?: readonly AskedCommand[];
      /** The narrowest first. */
      readonly always: readonly Offer[];
      readonly reads?: true;
    }
  /** `reason` is for the model. */
  | { readonly kind: 'deny'; readonly reason: string };

type Asking = Extract<Verdict, { kind: 'ask' }>;

export interface PolicyQuery {
  readonly tool: string;
  readonly effect: Effect;
  readonly target?: CallTarget;
  /** The person's answer is the point of the call, so it is never allowed unasked. */
  readonly mustAsk?: true;
  /** As they would run: a hook may have changed them. */
  readonly args: unknown;
  readonly mode: ApprovalMode;
  /** The name of the subagent that calls; absent: the agent itself. */
  readonly agent?: string;
}

export interface PolicyParts {
  readonly trusted: () => boolean;
  /** A person is there to decide; without one, what would be asked is denied. */
  readonly interactive: boolean;
  readonly gate: Pick<WorkspacePaths, 'locate' | 'protectionOf' | 'entriesOf'>;
  /** Never rejects: what cannot be analysed says so. */
  readonly analyse: (command: string) => Promise<CommandAnalysis>;
  readonly files: PolicyFiles;
  /** Decides on what rules of a workspace would allow. */
  readonly consent: Pick<Consent, 'stateOf' | 'allow'>;
  /** Absolute. */
  readonly home: string;
  /** Servers whose tools the person's own configuration lets run unasked; as good as an answer "always". Absent: none. */
  readonly trustedServers?: () => readonly string[];
  /** Absolute; permissions for "this workspace" hold here. */
  readonly workspace: string | undefined;
  /** Told once of each thing in the files that is not understood. */
  readonly tell: (sentence: string) => void;
}

/** What a workspace would allow and nobody has been shown yet. */
export interface UnseenRules {
  readonly fingerprints: readonly string[];
  readonly permissions: readonly Permission[];
}

export class Policy {
  private readonly parts: PolicyParts;
  private readonly ofSession: Grant[] = [];
  private readonly told = new Set<string>();
  private reading: Promise<RuleBook> | undefined;
  private known: RuleBook = defaultBook;

  constructor(parts: PolicyParts) {
    this.parts = parts;
  }

  /** A person is there to decide. */
  get interactive(): boolean {
    return this.parts.interactive;
  }

  async judge(query: PolicyQuery): Promise<Verdict> {
    const { target, tool, effect } = query;
    const acts = effect === 'edit' || effect === 'run' || target?.kind === 'mcp';
    if (acts && !this.parts.trusted()) return deny(restricted);
    const verdict =
      target?.kind === 'command' ? await this.judgeCommand(query, target) : await this.judgeCall(query);
    if (verdict.kind !== 'ask' || this.parts.interactive) return verdict;
    return deny(`${tool} needs approval and nobody is there to give it. ${verdict.reason}`);
  }

  /** The command is known to change nothing. Never rejects. */
  async onlyReads(command: string): Promise<boolean> {
    return judgeWhole(await this.parts.analyse(command)).kind === 'reads';
  }

  /**
   * Whether no call of a tool could run, by the rules as they were read last. Such a tool need not be offered.
   * @param agent the subagent that would call; absent: the agent itself
   */
  forbids(
    { name, effect, of }: Pick<AnyTool, 'name' | 'effect' | 'of'>,
    mode: ApprovalMode,
    agent?: string,
  ): boolean {
    return forbidsAll(this.known, this.matter({ tool: name, effect, target: of, args: {}, mode, agent }));
  }

  /** Reads the files again; called when a turn begins. Never rejects. */
  async refresh(): Promise<void> {
    this.reading = this.read();
    await this.reading;
  }

  /** Allows from now on what was offered. Returns a sentence for the person if it could not be kept. */
  async remember({ grants, scope }: Offer): Promise<string | undefined> {
    if (scope === 'session') {
      this.ofSession.push(...grants);
      return undefined;
    }
    try {
      await this.parts.files.change(text => addGrants(text, grants));
      await this.refresh();
      return undefined;
    } catch (error) {
      this.ofSession.push(...grants);
      return `This permission could not be kept, so it holds in this session only: ${messageOf(error)}`;
    }
  }

  /** Takes a lasting permission back. False: there is none under this id. Rejects when the disk does. */
  async forget(id: string): Promise<boolean> {
    const at = this.ofSession.findIndex(grant => grant.id === id);
    if (at >= 0) this.ofSession.splice(at, 1);
    const { grants } = await this.book();
    if (!grants.some(grant => grant.id === id)) return at >= 0;
    await this.parts.files.change(text => removeGrant(text, id));
    await this.refresh();
    return true;
  }

  /** Everything in force, in the order in which it is asked. */
  async list(): Promise<readonly Permission[]> {
    const book = await this.book();
    return listPermissions(book, await this.grants(), this.parts.files.alwaysFile);
  }

  /** Undefined: nothing waits to be shown. */
  async findUnseen(): Promise<UnseenRules | undefined> {
    const { unseen } = await this.book();
    if (unseen.length === 0) return undefined;
    const fingerprints = [...new Set(unseen.flatMap(rule => rule.fingerprint ?? []))];
    return {
      fingerprints,
      permissions: listPermissions({ ...defaultBook, rules: unseen, unseen: [] }, [], undefined),
    };
  }

  /** The person has been shown what the workspace would allow, and lets it count. */
  async accept({ fingerprints }: UnseenRules): Promise<void> {
    await this.parts.consent.allow(fingerprints);
    await this.refresh();
  }

  private async judgeCall(query: PolicyQuery): Promise<Verdict> {
    const { target } = query;
    const book = await this.book();
    const rule = decide(book, this.matter(query));
    if (rule.decision === 'deny') return deny(denialOf(rule, query.tool));
    const demand =
      target?.kind === 'paths' ? await judgePaths(this.parts.gate, target.paths, target.access) : noDemand;
    if (demand.kind === 'denied') return deny(demand.reason);
    const [reason] = demand.reasons;
    if (reason !== undefined) return { kind: 'ask', reason: demand.reasons.join(' '), always: [] };
    if (query.mustAsk) return this.waits(query);
    if (rule.decision === 'allow') return { kind: 'allow' };
    const grants = await this.grants();
    const isOffered = ({ scope }: Offer) => scope !== 'user' || !isOfWorkspace(target);
    const isLet = this.isTrustedServer(target) || grants.some(grant => covers(grant, target, demand.real));
    if (!isWritten(rule) && isLet) return { kind: 'allow' };
    return {
      kind: 'ask',
      reason: rule.askMessage ?? 'A rule wants this to be confirmed.',
      ...explain(rule),
      always:
        isWritten(rule) || book.onlyOnce ? [] : this.offer(subjectsOf(target, demand.real)).filter(isOffered),
    };
  }

  private async judgeCommand(
    query: PolicyQuery,
    target: Extract<CallTarget, { kind: 'command' }>,
  ): Promise<Verdict> {
    const { command, cwd } = target;
    const { gate, home } = this.parts;
    const [book, grants, analysis] = await Promise.all([
      this.book(),
      this.grants(),
      this.parts.analyse(command),
    ]);
    const demands = await judgeFiles(analysis, { gate, cwd, home });
    const roots = new Set(grants.flatMap(({ subject }) => (subject.kind === 'command' ? subject.root : [])));
    const verdict: LineVerdict = judgeLine(
      { command, analysis, demands, home },
      book,
      (text, part) => this.matter(query, { text, part }),
      root => roots.has(root),
    );
    const reads = judgeWhole(analysis).kind === 'reads' ? { reads: true as const } : {};
    switch (verdict.kind) {
      case 'allowed':
        if (query.mustAsk) return this.waits(query, { commands: listCommands(analysis), ...reads });
        return { kind: 'allow', ...reads };
      case 'denied':
        return deny(verdict.rule ? denialOf(verdict.rule, query.tool) : (verdict.reason ?? restricted));
      case 'asks': {
        const roots = book.onlyOnce ? undefined : verdict.roots;
        const subjects = roots?.map((root): GrantSubject => ({ kind: 'command', root }));
        return {
          kind: 'ask',
          reason: verdict.reason,
          ...(verdict.rule && explain(verdict.rule)),
          commands: listCommands(analysis),
          always: this.offer(subjects && subjects.length > 0 ? [subjects] : []),
          ...reads,
        };
      }
    }
  }

  private waits({ tool }: PolicyQuery, more: Partial<Asking> = {}): Verdict {
    return this.parts.interactive
      ? { kind: 'ask', reason: 'It waits for your answer.', always: [], ...more }
      : deny(`${tool} needs a person and nobody is there. Decide by yourself and go on.`);
  }

  private matter(
    { tool, effect, mode, target, args, agent }: PolicyQuery,
    line?: { readonly text: string; readonly part?: CommandMatter },
  ): Matter {
    const given = typeof args === 'object' && args !== null ? args : {};
    const called = target?.kind === 'mcp' ? target : undefined;
    const json = canonicalJson(line ? { ...given, command: line.text } : shortened(given));
    return {
      tool,
      mode,
      agent,
      interactive: this.parts.interactive,
      // A server that the workspace brings may say of itself what it likes.
      effect: isOfWorkspace(target) && effect === 'read' ? 'run' : effect,
      args: json.length > longestText ? undefined : json,
      server: called?.server,
      serverTool: called?.tool,
      hints: called?.hints,
      ofWorkspace: called?.ofWorkspace,
      command: line?.part,
    };
  }

  private offer(subjects: readonly (readonly GrantSubject[])[]): readonly Offer[] {
    const { workspace, files } = this.parts;
    return makeOffers(subjects, { workspace, isKept: files.alwaysFile !== undefined });
  }

  private isTrustedServer(target: CallTarget | undefined): boolean {
    if (target?.kind !== 'mcp' || isOfWorkspace(target)) return false;
    return this.parts.trustedServers?.().includes(target.server) ?? false;
  }

  /** Those that hold here. */
  private async grants(): Promise<readonly Grant[]> {
    const { grants, onlyOnce } = await this.book();
    const { workspace } = this.parts;
    if (onlyOnce) return [];
    return [
      ...this.ofSession,
      ...grants.filter(each => each.scope !== 'workspace' || each.workspace === workspace),
    ];
  }

  private book(): Promise<RuleBook> {
    this.reading ??= this.read();
    return this.reading;
  }

  private async read(): Promise<RuleBook> {
    const { files, consent, trusted, workspace, home, tell } = this.parts;
    const sources = await files.read(trusted());
    const book = await readRuleBook(sources, {
      consent,
      alwaysFile: files.alwaysFile,
      show: path => shorten(path, workspace, home),
    });
    this.known = book;
    for (const trouble of book.troubles) {
      if (this.told.has(trouble)) continue;
      this.told.add(trouble);
      tell(trouble);
    }
    return book;
  }
}

const restricted = 'The workspace is restricted: nothing may be written or run until the person trusts it.';
const noDemand = { kind: 'open', reasons: [] as readonly string[], real: undefined } as const;

function deny(reason: string): Verdict {
  return { kind: 'deny', reason };
}

function denialOf(rule: Rule, tool: string): string {
  const why = rule.denyMessage ?? `A rule forbids this use of ${tool}.`;
  return rule.tier === 'default' ? why : `${why} (${rule.origin})`;
}

function explain(rule: Rule): { readonly rule?: string } {
  return rule.tier === 'default' ? {} : { rule: `A rule asks: ${rule.origin}.` };
}

function isOfWorkspace(target: CallTarget | undefined): boolean {
  return target?.kind === 'mcp' && target.ofWorkspace === true;
}

/** From the narrowest to the widest. */
function subjectsOf(
  target: CallTarget | undefined,
  real: string | undefined,
): readonly (readonly GrantSubject[])[] {
  switch (target?.kind) {
    case 'paths':
      return target.access === 'write' && target.paths.length === 1 && real !== undefined
        ? [[{ kind: 'path', path: real }]]
        : [];
    case 'memory':
      return [[{ kind: 'memory', path: target.path }]];
    case 'urls': {
      const hosts = [...new Set(target.urls.map(hostOf))];
      const [host] = hosts;
      return hosts.length === 1 && host ? [[{ kind: 'host', host }]] : [];
    }
    case 'mcp': {
      const { server, tool } = target;
      return [[{ kind: 'mcpTool', server, tool }], [{ kind: 'mcpServer', server }]];
    }
    case 'command':
    case undefined:
      return [];
  }
}

/** Contents of files would make patterns slow, and no rule is about their middle. */
function shortened(args: object): object {
  const cut = (value: unknown) =>
    typeof value === 'string' && value.length > 4_000 ? value.slice(0, 2_000) + value.slice(-2_000) : value;
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, cut(value)]));
}

/** As a person knows it: from the workspace, or from home. */
function shorten(path: string, workspace: string | undefined, home: string): string {
  for (const [folder, name] of [
    [workspace, ''],
    [home, '~/'],
  ] as const) {
    if (folder !== undefined && (path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`)))
      return name + path.slice(folder.length + 1);
  }
  return path;
}

/** An offer as the card shows it. */
export function toChoice({ id, scope, label }: Offer): AlwaysChoice {
  return { id, scope, label };
}
