/* The single check for permissions: every call passes `classify` before it runs, whatever the tool. See README.md. */

import type { Classified } from '../../../protocol/events.ts';
import type { ApprovalMode } from '../../../protocol/intentions.ts';
import { inEnglish, type LocalizedMessage, t } from '../../../protocol/language.ts';
import type { Permission } from '../../../protocol/permissions.ts';
import { messageOf } from '../../base/errors.ts';
import type { PolicyFiles } from '../../platform/customizations/policyFiles.ts';
import { type CommandAnalysis, classifyCommandLine } from '../../shell/classify/analysis.ts';
import type { ConsentService } from '../consent/consentService.ts';
import type { WorkspacePaths } from '../paths.ts';
import type { AnyTool, CallTarget } from '../tool.ts';
import { type CommandLine, classifyLine, isFromUserOrAdmin, toAskedCommands } from './classifyCommand.ts';
import { classifyCommandFiles } from './classifyCommandFiles.ts';
import { classifyPaths } from './classifyPaths.ts';
import { type CommandRuleInput, makeCommandRuleInput } from './commandMatch.ts';
import { listPermissions, shortenPath } from './describeRules.ts';
import { addGrants, type Grant, type GrantSubject, grantCovers, removeGrant } from './grants.ts';
import { makeOffers, type PermissionOffer, subjectsOf } from './offers.ts';
import { isWorkspaceServer, makeRuleInput, type PolicyQuery, type RuleInputCommand } from './policyQuery.ts';
import type { RuleInput } from './rule.ts';
import { defaultBook, findRule, forbidsAgent, forbidsAll, type RuleBook, readRuleBook } from './ruleBook.ts';
import {
  applySandbox,
  classifyConnection,
  mergeSandboxGrants,
  type SandboxIntent,
  type SandboxState,
  sandboxIntentOf,
} from './sandbox.ts';
import { classifyTyping, classifyUserCommand, denialOf, explainAsk, stricterVerdict } from './typedLine.ts';
import { denied, type Verdict } from './verdict.ts';

type TypedTarget = Extract<CallTarget, { kind: 'typed' }>;
type CommandTarget = Extract<CallTarget, { kind: 'command' }>;
type Asking = Extract<Verdict, { kind: 'ask' }>;

interface PolicyPorts {
  readonly trusted: () => boolean;
  /** A user can decide. Without one, whatever would ask is denied. */
  readonly interactive: boolean;
  readonly gate: Pick<WorkspacePaths, 'locate' | 'protectionOf' | 'entriesOf'>;
  /** Never rejects: an analysis that failed says so. */
  readonly analyse: (command: string) => Promise<CommandAnalysis>;
  readonly files: PolicyFiles;
  /** Decides whether allowing rules of a workspace count. */
  readonly consent: Pick<ConsentService, 'stateOf' | 'allow'>;
  /** Absolute. */
  readonly home: string;
  /** Servers whose tools the user's configuration lets run unasked, like an "always" answer. Absent: none. */
  readonly trustedServers?: () => readonly string[];
  /** Sandbox for commands. Absent: none, regardless of the settings. */
  readonly sandbox?: SandboxState;
  /** Absolute. Permissions for "this workspace" apply here. */
  readonly workspace: string | undefined;
  /** Called once for each problem in the files. */
  readonly notify: (sentence: string) => void;
}

/** Allowing rules of a workspace that no user has seen yet. */
export interface UnseenWorkspaceRules {
  readonly fingerprints: readonly string[];
  readonly permissions: readonly Permission[];
}

/** Rules about command lines use this name. */
const shellTool = 'run_shell_command';

export class Policy {
  private readonly parts: PolicyPorts;
  private readonly ofSession: Grant[] = [];
  private readonly reported = new Set<string>();
  private reading: Promise<RuleBook> | undefined;
  private known: RuleBook = defaultBook;

  constructor(parts: PolicyPorts) {
    this.parts = parts;
  }

  get interactive(): boolean {
    return this.parts.interactive;
  }

  async classify(query: PolicyQuery): Promise<Verdict> {
    const { target, tool, effect } = query;
    const acts = effect === 'edit' || effect === 'run' || target?.kind === 'mcp';
    if (acts && !this.parts.trusted()) return denied(restricted);
    if (query.own && target?.kind === 'command') return this.classifyUsers(query, target);
    const verdict = await this.classifyTarget(query, target);
    if (verdict.kind !== 'ask' || query.own) return verdict.kind === 'ask' ? { kind: 'allow' } : verdict;
    const classified = await this.hear(query, verdict);
    if (classified?.answer === 'allow')
      return { kind: 'allow', reads: verdict.reads, sandboxed: verdict.sandboxed, classified };
    if (this.parts.interactive) return { ...verdict, classified };
    return denied(() => t('{0} needs approval, but there is no user to ask. {1}', tool, verdict.reason()));
  }

  /** Classifies a sandboxed command that waits to connect to hosts without a grant. */
  async classifyHosts(query: PolicyQuery, hosts: readonly string[]): Promise<Verdict> {
    const { target } = query;
    if (target?.kind !== 'command') return denied(restricted);
    const [book, grants, analysis] = await Promise.all([
      this.book(),
      this.grants(),
      this.parts.analyse(target.command),
    ]);
    const verdict = classifyConnection(hosts, {
      intent: this.intentOf(query, book, analysis, target),
      standing: mergeSandboxGrants(grants, this.parts.sandbox?.grants),
      offer: subjects => (book.onlyOnce ? [] : this.offer([subjects])),
    });
    if (verdict.kind !== 'ask' || this.parts.interactive) return verdict;
    return denied(() => t('No user can allow the connection to {0}.', hosts.join(', ')));
  }

  /** True if the command is known to be read-only. Never rejects. */
  async onlyReads(command: string): Promise<boolean> {
    return classifyCommandLine(await this.parts.analyse(command)).kind === 'reads';
  }

  /**
   * Tells whether the rules, as last read, deny every call of a tool. Such a tool need not be offered.
   * @param agent the calling subagent; absent: the main agent
   */
  forbids(
    { name, effect, of }: Pick<AnyTool, 'name' | 'effect' | 'of'>,
    mode: ApprovalMode,
    agent?: string,
  ): boolean {
    return forbidsAll(this.known, this.ruleInput({ tool: name, effect, target: of, args: {}, mode, agent }));
  }

  /** Tells whether rules deny a subagent, by its name as a tool or as a caller. */
  forbidsAgent(agent: string, mode: ApprovalMode): boolean {
    const query = { tool: agent, effect: 'read', args: {}, mode, agent } as const;
    return forbidsAgent(this.known, agent, this.ruleInput(query));
  }

  /** Rereads the rule files; called at the start of a turn. Never rejects. */
  async refresh(): Promise<void> {
    this.reading = this.read();
    await this.reading;
  }

  /** Stores an offer that the user took. Returns a message for the user if saving failed. */
  async remember({ grants, scope }: PermissionOffer): Promise<string | undefined> {
    if (scope === 'once') return undefined;
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
      return t('This permission could not be kept, so it holds in this session only: {0}', messageOf(error));
    }
  }

  /** Revokes a lasting permission. Returns false for an unknown id. Rejects if the file system fails. */
  async forget(id: string): Promise<boolean> {
    const at = this.ofSession.findIndex(grant => grant.id === id);
    if (at >= 0) this.ofSession.splice(at, 1);
    const { grants } = await this.book();
    if (!grants.some(grant => grant.id === id)) return at >= 0;
    await this.parts.files.change(text => removeGrant(text, id));
    await this.refresh();
    return true;
  }

  /** Lists everything in force, in order of evaluation. */
  async list(): Promise<readonly Permission[]> {
    const [book, grants] = await Promise.all([this.book(), this.grants()]);
    const { sandbox, files } = this.parts;
    const held = sandbox?.isOn()
      ? { missing: (await sandbox.whyMissing())?.(), grants: mergeSandboxGrants(grants, sandbox.grants) }
      : undefined;
    return listPermissions(book, grants, files.alwaysFile, held);
  }

  /** Returns undefined if nothing is left to show. */
  async findUnseen(): Promise<UnseenWorkspaceRules | undefined> {
    const { unseen } = await this.book();
    if (unseen.length === 0) return undefined;
    const fingerprints = [...new Set(unseen.flatMap(rule => rule.fingerprint ?? []))];
    return {
      fingerprints,
      permissions: listPermissions({ ...defaultBook, rules: unseen, unseen: [] }, [], undefined),
    };
  }

  /** Activates rules of the workspace after the user has seen and allowed them. */
  async accept({ fingerprints }: UnseenWorkspaceRules): Promise<void> {
    await this.parts.consent.allow(fingerprints);
    await this.refresh();
  }

  private async hear({ target, hear }: PolicyQuery, verdict: Asking): Promise<Classified | undefined> {
    if (!hear || !verdict.toClassify || target?.kind !== 'command') return undefined;
    return hear({ command: target.command, cwd: target.cwd, commands: verdict.toClassify });
  }

  private classifyTarget(query: PolicyQuery, target: CallTarget | undefined): Promise<Verdict> {
    if (target?.kind === 'typed') return this.classifyTyped(query, target);
    if (target?.kind !== 'command') return this.classifyCall(query);
    return query.tool === shellTool ? this.classifyCommand(query, target) : this.classifyOwn(query, target);
  }

  private async classifyUsers(query: PolicyQuery, { command }: CommandTarget): Promise<Verdict> {
    const [book, analysis] = await Promise.all([this.book(), this.parts.analyse(command)]);
    return classifyUserCommand(analysis, book, (text, part) => this.ruleInput(query, { text, part }));
  }

  /** A tool that builds its own command line obeys the rules for command lines and those that name the tool. */
  private async classifyOwn(query: PolicyQuery, target: CommandTarget): Promise<Verdict> {
    const rule = findRule(await this.book(), this.ruleInput(query));
    if (rule.decision === 'deny' && rule.tier !== 'default') return denied(denialOf(rule, query.tool));
    const mustAsk = query.mustAsk ?? (rule.decision === 'ask' && isFromUserOrAdmin(rule) ? true : undefined);
    const asLine = { ...query, mustAsk, tool: shellTool, args: { command: target.command } };
    return await this.classifyCommand(asLine, target);
  }

  /** Aliases and functions of a running shell are unknown, so it is no looser than for any other input. */
  private async classifyTyped(query: PolicyQuery, target: TypedTarget): Promise<Verdict> {
    const asCommand = { ...query, tool: shellTool, args: {} };
    const ruleInputOf = (text: string, part?: CommandRuleInput) => this.ruleInput(asCommand, { text, part });
    const line = await classifyTyping(target, await this.book(), this.parts, ruleInputOf);
    return stricterVerdict(await this.classifyCall(query), line);
  }

  private async classifyCall(query: PolicyQuery): Promise<Verdict> {
    const { target } = query;
    const book = await this.book();
    const rule = findRule(book, this.ruleInput(query));
    if (rule.decision === 'deny') return denied(denialOf(rule, query.tool));
    const demand =
      target?.kind === 'paths' ? await classifyPaths(this.parts.gate, target.paths, target.access) : noDemand;
    if (demand.kind === 'denied') return denied(demand.reason);
    const { reasons } = demand;
    if (reasons.length > 0)
      return { kind: 'ask', reason: () => reasons.map(say => say()).join(' '), always: [] };
    if (query.mustAsk) return this.waits(query);
    if (rule.decision === 'allow') return { kind: 'allow' };
    const grants = await this.grants();
    const isOffered = ({ scope }: PermissionOffer) => scope !== 'user' || !isWorkspaceServer(target);
    const isLet = this.isTrustedServer(target) || grants.some(each => grantCovers(each, target, demand.real));
    const isOwn = isFromUserOrAdmin(rule);
    if (!isOwn && isLet) return { kind: 'allow' };
    return {
      kind: 'ask',
      reason: rule.askMessage ?? (() => t('A rule requires you to confirm this.')),
      rule: explainAsk(rule),
      always: isOwn || book.onlyOnce ? [] : this.offer(subjectsOf(target, demand.real)).filter(isOffered),
    };
  }

  private async classifyCommand(query: PolicyQuery, target: CommandTarget): Promise<Verdict> {
    const { command, cwd } = target;
    const { gate, home } = this.parts;
    const [book, grants, analysis] = await Promise.all([
      this.book(),
      this.grants(),
      this.parts.analyse(command),
    ]);
    const standing = mergeSandboxGrants(grants, this.parts.sandbox?.grants);
    const connects = standing.hosts.length + (target.needs?.hosts.length ?? 0) > 0;
    const demands = await classifyCommandFiles(analysis, { gate, cwd, home, connects });
    const intent = this.intentOf(query, book, analysis, target);
    const missing = intent.sandbox === 'off' ? undefined : await this.whyMissing(target);
    const isSandboxed = intent.sandbox !== 'off' && !intent.isOthers && missing === undefined;
    const line = { command, analysis, demands, home, isSandboxed: isSandboxed && !target.needs?.outside };
    return applySandbox(this.byRules(query, line, book, grants), {
      intent,
      missing,
      demands,
      needs: target.needs,
      standing,
      isUnattended: query.mode === 'yolo' || !this.parts.interactive,
      tooBroad: [home, ...(this.parts.workspace === undefined ? [] : [this.parts.workspace])],
      offer: subjects => (book.onlyOnce ? [] : this.offer([subjects])),
    });
  }

  private byRules(query: PolicyQuery, line: CommandLine, book: RuleBook, grants: readonly Grant[]): Verdict {
    const { analysis } = line;
    const roots = new Set(grants.flatMap(({ subject }) => (subject.kind === 'command' ? subject.root : [])));
    const ruleInputOf = (text: string, part?: CommandRuleInput) => this.ruleInput(query, { text, part });
    const verdict = classifyLine(line, book, ruleInputOf, root => roots.has(root));
    const reads = classifyCommandLine(analysis).kind === 'reads' ? true : undefined;
    switch (verdict.kind) {
      case 'allowed':
        if (query.mustAsk) return this.waits(query, { commands: toAskedCommands(analysis), reads });
        return { kind: 'allow', reads };
      case 'denied':
        return denied(verdict.rule ? denialOf(verdict.rule, query.tool) : (verdict.reason ?? restricted));
      case 'asks': {
        const roots = book.onlyOnce ? undefined : verdict.roots;
        const subjects = roots?.map((root): GrantSubject => ({ kind: 'command', root }));
        return {
          kind: 'ask',
          reason: verdict.reason,
          rule: verdict.rule && explainAsk(verdict.rule),
          commands: toAskedCommands(analysis),
          always: this.offer(subjects && subjects.length > 0 ? [subjects] : []),
          eachTime: verdict.eachTime,
          reads,
          toClassify: verdict.mayBeClassified ? inEnglish(() => toAskedCommands(analysis)) : undefined,
        };
      }
    }
  }

  /** A part that was not parsed matches no rule, so the setting applies to it. */
  private intentOf(
    query: PolicyQuery,
    { rules }: RuleBook,
    { commands, unparsed }: CommandAnalysis,
    { canBeHeld }: CommandTarget,
  ): SandboxIntent {
    const isOn = this.parts.sandbox?.isOn() ?? false;
    const matters = commands.map(each =>
      this.ruleInput(query, { text: each.text, part: makeCommandRuleInput(each) }),
    );
    const intent = sandboxIntentOf(rules, matters, isOn);
    if (!canBeHeld && intent.sandbox !== 'deny') return { sandbox: 'off', isOthers: false };
    return unparsed !== undefined && isOn && intent.sandbox === 'off'
      ? { sandbox: 'on', isOthers: false }
      : intent;
  }

  private async whyMissing({ canBeHeld }: CommandTarget): Promise<LocalizedMessage | undefined> {
    if (!canBeHeld) return () => t('Commands from prompts, checks and hooks run outside the sandbox.');
    const { sandbox } = this.parts;
    const why = sandbox ? await sandbox.whyMissing() : () => t('There is no sandbox here.');
    if (why !== undefined)
      this.reportOnce(t('Commands ask before they run, as without a sandbox. {0}', why()));
    return why;
  }

  private reportOnce(sentence: string): void {
    if (this.reported.has(sentence)) return;
    this.reported.add(sentence);
    this.parts.notify(sentence);
  }

  private waits({ tool }: PolicyQuery, more: Partial<Asking> = {}): Verdict {
    return this.parts.interactive
      ? { kind: 'ask', reason: () => t('Folio needs your answer.'), always: [], ...more }
      : denied(() => t('{0} needs a user, but there is none to ask. Decide yourself and continue.', tool));
  }

  private ruleInput(query: PolicyQuery, line?: RuleInputCommand): RuleInput {
    return makeRuleInput(query, this.parts, line);
  }

  private offer(subjects: readonly (readonly GrantSubject[])[]): readonly PermissionOffer[] {
    const { workspace, files } = this.parts;
    return makeOffers(subjects, { workspace, isKept: files.alwaysFile !== undefined });
  }

  private isTrustedServer(target: CallTarget | undefined): boolean {
    if (target?.kind !== 'mcp' || isWorkspaceServer(target)) return false;
    return this.parts.trustedServers?.().includes(target.server) ?? false;
  }

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
    const { files, consent, trusted, workspace, home } = this.parts;
    const sources = await files.read(trusted());
    const book = await readRuleBook(sources, {
      consent,
      alwaysFile: files.alwaysFile,
      show: path => shortenPath(path, workspace, home),
    });
    this.known = book;
    for (const problem of book.problems) this.reportOnce(problem);
    return book;
  }
}

const restricted = () =>
  t('The workspace is restricted: nothing may be written or run until the user trusts it.');
const noDemand = { kind: 'open', reasons: [] as readonly LocalizedMessage[], real: undefined } as const;
