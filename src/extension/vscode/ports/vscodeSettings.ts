import { ConfigurationTarget, workspace } from 'vscode';
import { t } from '../../../protocol/language.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { LocalizedError } from '../../base/errors.ts';
import { isRecord } from '../../base/record.ts';
import { isExternalAgents } from '../../platform/settingFiles/externalAgents.ts';
import {
  isCommandsByGlob,
  isEffortsByModel,
  isFileName,
  isFolderList,
  isFolderNames,
  isFraction,
  isGlobs,
  isNameMap,
  isPricesByModel,
} from '../../platform/settingFiles/settingChecks.ts';
import {
  isApprovalMode,
  isCacheLifetime,
  isNonNegativeNumber,
  isProviderName,
  isProviderNames,
  isSandboxSetting,
  isScriptCallSetting,
  isSignInMethod,
  isVerbosity,
  reviewRequiredSettings,
  type Settings,
  type SettingValues,
  strictSettings,
  userOnlySettings,
  type WritableSettings,
} from '../../platform/settings.ts';
import type { WindowTrust } from '../windowTrust.ts';

/**
 * The `folio.*` settings. Unset ones come from `fallback`, so that settings the user keeps elsewhere apply with lower
 * precedence. VS Code itself withholds restricted settings of an untrusted workspace.
 */
export class VscodeSettings implements WritableSettings, Disposable {
  private readonly fallback: Settings;
  private readonly trust: Pick<WindowTrust, 'isTrusted'>;
  private readonly changed = new Emitter<void>();
  private readonly subscriptions: readonly Disposable[];
  /** Results of `findSet` by name: some take VS Code a millisecond, and each request reads many. */
  private readonly found = new Map<keyof SettingValues, unknown>();
  /** The trust state for which `found` is valid. */
  private foundFor = '';
  /** Settled when all pending writes are done. */
  private written: Promise<void> = Promise.resolve();
  readonly onDidChange = this.changed.event;

  /** @param trust whether the workspace's settings apply, in addition to VS Code's own check */
  constructor(fallback: Settings, trust: Pick<WindowTrust, 'isTrusted'>) {
    this.fallback = fallback;
    this.trust = trust;
    this.subscriptions = [
      fallback.onDidChange(() => this.changed.fire()),
      workspace.onDidChangeConfiguration(change => {
        if (!change.affectsConfiguration('folio')) return;
        this.found.clear();
        this.changed.fire();
      }),
      this.changed,
    ];
  }

  get<K extends keyof SettingValues>(name: K): SettingValues[K] {
    return (this.isManaged(name) ? undefined : this.findSet(name)) ?? this.fallback.get(name);
  }

  isSet(name: keyof SettingValues): boolean {
    return this.findSet(name) !== undefined || this.fallback.isSet(name);
  }

  get managedNames(): readonly string[] {
    return this.fallback.managedNames ?? [];
  }

  get restrictions(): Settings['restrictions'] {
    return this.fallback.restrictions;
  }

  private isManaged(name: string): boolean {
    return this.managedNames.includes(name);
  }

  private findSet<K extends keyof SettingValues>(name: K): SettingValues[K] | undefined {
    const trust = `${workspace.isTrusted} ${this.trust.isTrusted}`;
    if (trust !== this.foundFor) this.found.clear();
    this.foundFor = trust;
    if (!this.found.has(name)) this.found.set(name, this.lookUp(name));
    return this.found.get(name) as SettingValues[K] | undefined;
  }

  private lookUp<K extends keyof SettingValues>(name: K): SettingValues[K] | undefined {
    const configuration = workspace.getConfiguration('folio');
    const places = configuration.inspect<SettingValues[K]>(name);
    // In a restricted workspace VS Code still applies some harmless workspace settings.
    const isUsers =
      userOnlySettings.has(name) ||
      reviewRequiredSettings.has(name) ||
      (workspace.isTrusted && !this.trust.isTrusted);
    const counting = isUsers
      ? [places?.globalValue]
      : [places?.globalValue, places?.workspaceValue, places?.workspaceFolderValue];
    if (Object.hasOwn(strictSettings, name)) return findStrict(name, counting);
    const isSet = counting.some(value => value !== undefined);
    // `get` instead of a scope's value: VS Code merges the scopes and checks trust there.
    const set = isUsers ? places?.globalValue : configuration.get<SettingValues[K]>(name);
    const value = isSet ? set : undefined;
    return value !== undefined && isValid(name, value) ? value : undefined;
  }

  save(values: Partial<SettingValues>): Promise<void> {
    return this.write(() => values);
  }

  change<K extends keyof SettingValues>(
    name: K,
    toNew: (before: SettingValues[K]) => SettingValues[K],
  ): Promise<void> {
    return this.write(() => ({ [name]: toNew(this.get(name)) }));
  }

  private write(values: () => Partial<SettingValues>): Promise<void> {
    const writing = this.written.then(async () => {
      const changed = Object.entries(values());
      const managed = changed.find(([name]) => this.isManaged(name));
      if (managed)
        throw new LocalizedError(() =>
          t('Your organization manages "folio.{0}", so it stays as it is.', managed[0]),
        );
      for (const [name, value] of changed)
        await workspace.getConfiguration('folio').update(name, value, ConfigurationTarget.Global);
    });
    this.written = writing.catch(() => {
      // The caller of the write gets the error; later writes continue.
    });
    return writing;
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

type Check = (value: unknown) => boolean;

const isText: Check = value => typeof value === 'string';
const isCount: Check = isNonNegativeNumber;
const isSwitch: Check = value => typeof value === 'boolean';

/** VS Code marks an invalid value in the settings file but still returns it. */
const checks: Readonly<Record<keyof SettingValues, Check>> = {
  model: value => isText(value) && value !== '',
  effort: isEffortsByModel,
  modelAliases: isNameMap,
  prices: isPricesByModel,
  'auto.strongModel': isText,
  'auto.fastModel': isText,
  cheapModel: isText,
  fallbackModel: isText,
  otherProviders: isProviderNames,
  provider: isProviderName,
  baseUrl: isText,
  'openai.baseUrl': isText,
  'openaiResponses.baseUrl': isText,
  'openaiResponses.signIn': isSignInMethod,
  'openaiResponses.verbosity': isVerbosity,
  'anthropic.baseUrl': isText,
  'anthropic.cacheLifetime': isCacheLifetime,
  'openai.contextLimit': value => isCount(value) && value !== 0,
  'vertex.project': isText,
  'vertex.location': isText,
  'vertex.baseUrl': isText,
  'bedrock.region': isText,
  'bedrock.baseUrl': isText,
  sandbox: isSandboxSetting,
  judge: isSwitch,
  approvalMode: isApprovalMode,
  maxSteps: value => isCount(value) && value !== 0,
  maxAttempts: value => isCount(value) && value !== 0,
  shellInactivityTimeout: isCount,
  toolOutputLimit: value => isCount(value) && value !== 0,
  promptWithout: value => Array.isArray(value) && value.every(isText),
  contextFileNames: value => Array.isArray(value) && value.every(isFileName),
  memoryFolders: isFolderList,
  'memory.propose': isSwitch,
  disabled: value => Array.isArray(value) && value.every(isText),
  compressionThreshold: isFraction,
  'budget.turnTokens': isNonNegativeNumber,
  'budget.sessionTokens': isNonNegativeNumber,
  'findTools.fromTools': isCount,
  'findTools.fromTokens': isCount,
  'mcp.apps': isSwitch,
  'mcp.byCode': isScriptCallSetting,
  'budget.turnCost': isNonNegativeNumber,
  'budget.sessionCost': isNonNegativeNumber,
  'budget.dayCost': isNonNegativeNumber,
  'budget.turnMinutes': isNonNegativeNumber,
  ignoredFolders: isFolderNames,
  'review.alsoIgnored': isGlobs,
  checkCommand: isCommandsByGlob,
  languageServers: isRecord,
  'agents.external': isExternalAgents,
  testCommand: isText,
  webSearchCommand: isText,
  'browser.enabled': isSwitch,
  'browser.check': isSwitch,
  'browser.path': isText,
  'browser.mask': value => Array.isArray(value) && value.every(isText),
  'debug.adapter': isText,
  'worktree.link': isFolderList,
  'worktree.setup': isText,
  'worktree.default': isText,
  correctEdits: isSwitch,
  loopDetection: isSwitch,
  respectGeminiIgnore: isSwitch,
  ignoreFiles: isFolderList,
  'parallel.max': isCount,
  'retention.days': isNonNegativeNumber,
  'telemetry.endpoint': isText,
  'telemetry.captureContent': isSwitch,
  'audit.path': isText,
  nextSpeakerCheck: isSwitch,
};

function isValid(name: keyof SettingValues, value: unknown): boolean {
  return checks[name](value);
}

/** Returns the user's own value, unless a workspace is stricter. @param counting the user's own first */
function findStrict<K extends keyof SettingValues>(
  name: K,
  counting: readonly (SettingValues[K] | undefined)[],
): SettingValues[K] | undefined {
  const strict = strictSettings[name];
  const value = counting.includes(strict) ? strict : counting[0];
  return value !== undefined && isValid(name, value) ? value : undefined;
}
