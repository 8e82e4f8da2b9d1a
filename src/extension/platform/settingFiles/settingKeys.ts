import { type Saying, t } from '../../../protocol/language.ts';
import { isRecord } from '../../base/record.ts';
import { findValue } from '../findSetting.ts';
import {
  isAmount,
  isApprovalMode,
  isByCodeSetting,
  isCacheLifetime,
  isProviderName,
  isProviderNames,
  isSandboxSetting,
  isSignIn,
  isVerbosity,
  type SettingValues,
} from '../settings.ts';
import { isExternalAgents } from './externalAgents.ts';
import { aliasKeys, isAliasMap, readModelAliases } from './modelAliases.ts';
import {
  isCommands,
  isEfforts,
  isFolderList,
  isFolderNames,
  isGlobs,
  isNames,
  isPrices,
} from './settingChecks.ts';
import {
  isTextList,
  parseAddressSetting,
  parseFileNames,
  parseMemoryFolders,
  parseTextSetting,
  parseThreshold,
  parseWholeSetting,
} from './settingValues.ts';
import { isInnerFolders, isSessionPlace } from './worktreeChecks.ts';

/** One key of a settings file and what it sets. */
export interface SettingKey {
  /** Dots separate nested objects. */
  readonly key: string;
  /** Describes valid values, to end the sentence `… must be`. */
  readonly expected: Saying;
  /** `undefined`: invalid. `{}`: valid, but sets nothing. @param settings all settings of the file */
  readonly parse: (value: unknown, settings: unknown) => Partial<SettingValues> | undefined;
}

const switches = [
  'memory.propose',
  'respectGeminiIgnore',
  'loopDetection',
  'correctEdits',
  'judge',
  'nextSpeakerCheck',
  'telemetry.captureContent',
  'mcp.apps',
  'browser.enabled',
  'browser.check',
] as const satisfies readonly (keyof SettingValues)[];

const cloudNames = ['vertex.project', 'vertex.location', 'bedrock.region'] as const;
const names = [...cloudNames, 'audit.path', 'browser.path', 'debug.adapter'] as const;
const amounts = [
  'budget.turnTokens',
  'budget.sessionTokens',
  'budget.turnCost',
  'budget.sessionCost',
  'budget.dayCost',
  'budget.turnMinutes',
] as const satisfies readonly (keyof SettingValues)[];

const modelNames = [
  'auto.strongModel',
  'auto.fastModel',
  'cheapModel',
  'fallbackModel',
] as const satisfies readonly (keyof SettingValues)[];

const modelName = () => t('the name of a model');
const wholeFrom1 = () => t('a whole number from 1');
const secondsFrom0 = () => t('a number of seconds from 0');
const trueOrFalse = () => t('true or false');
const listOfFolders = () => t('a list of folders');
const fileOrFiles = () => t('a file name or a list of file names');
const shareOfLimit = () => t("a share of the model's limit, above 0 and at most 1");
const address = () => t('an address that starts with http:// or https://, or empty');

/** Later keys win: ours are after those of other programs. */
export const settingKeys: readonly SettingKey[] = [
  {
    key: 'model',
    expected: () => t('the name of a model or an object with settings of the model'),
    parse: value => (isRecord(value) ? {} : parseTextSetting('model', value)),
  },
  {
    key: 'model.name',
    expected: modelName,
    parse: value => parseTextSetting('model', value),
  },
  {
    key: 'model.maxSessionTurns',
    expected: () => t('a whole number'),
    // Gemini CLI uses -1, its default, and 0 for no limit. Our default applies then.
    parse: value => parseWholeSetting('maxSteps', value, -1, limit => (limit > 0 ? { maxSteps: limit } : {})),
  },
  ...aliasKeys.map(key => ({
    key,
    expected: () => t('an object of models by alias'),
    // Read together: one may extend the other.
    parse: (value: unknown, settings: unknown) =>
      isAliasMap(value) ? { modelAliases: readModelAliases(settings).models } : undefined,
  })),
  {
    key: 'general.defaultApprovalMode',
    expected: () => t('"default", "auto_edit" or "plan"'),
    parse: value => {
      if (value === 'default' || value === 'plan') return { approvalMode: value };
      return value === 'auto_edit' ? { approvalMode: 'autoEdit' } : undefined;
    },
  },
  {
    key: 'experimental.autoMemory',
    expected: trueOrFalse,
    parse: value => (typeof value === 'boolean' ? { 'memory.propose': value } : undefined),
  },
  {
    key: 'general.maxAttempts',
    expected: wholeFrom1,
    parse: value => parseWholeSetting('maxAttempts', value, 1),
  },
  {
    key: 'tools.shell.inactivityTimeout',
    expected: secondsFrom0,
    parse: value => parseWholeSetting('shellInactivityTimeout', value, 0),
  },
  {
    key: 'tools.truncateToolOutputThreshold',
    expected: wholeFrom1,
    parse: value => parseWholeSetting('toolOutputLimit', value, 1),
  },
  {
    key: 'context.fileName',
    expected: fileOrFiles,
    parse: value => parseFileNames(typeof value === 'string' ? [value] : value),
  },
  {
    key: 'context.loadMemoryFromIncludeDirectories',
    expected: trueOrFalse,
    // Read together with the folders that it applies to.
    parse: value => (typeof value === 'boolean' ? {} : undefined),
  },
  {
    key: 'context.includeDirectories',
    expected: listOfFolders,
    parse: (value, settings) => {
      const counts = findValue(settings, 'context.loadMemoryFromIncludeDirectories') === true;
      return counts || !isFolderList(value) ? parseMemoryFolders(value) : {};
    },
  },
  {
    key: 'model.compressionThreshold',
    expected: shareOfLimit,
    parse: parseThreshold,
  },
  {
    key: 'model.disableLoopDetection',
    expected: trueOrFalse,
    parse: value => (typeof value === 'boolean' ? { loopDetection: !value } : undefined),
  },
  {
    key: 'context.fileFiltering.respectGeminiIgnore',
    expected: trueOrFalse,
    parse: value => (typeof value === 'boolean' ? { respectGeminiIgnore: value } : undefined),
  },
  ...['context.fileFiltering.customIgnoreFilePaths', 'folio.ignoreFiles'].map(key => ({
    key,
    expected: fileOrFiles,
    parse: (value: unknown) => {
      const ignoreFiles = typeof value === 'string' ? [value] : value;
      return isFolderList(ignoreFiles) ? { ignoreFiles } : undefined;
    },
  })),
  {
    key: 'tools.disableLLMCorrection',
    expected: trueOrFalse,
    parse: value => (typeof value === 'boolean' ? { correctEdits: !value } : undefined),
  },
  {
    key: 'model.skipNextSpeakerCheck',
    expected: trueOrFalse,
    parse: value => (typeof value === 'boolean' ? { nextSpeakerCheck: !value } : undefined),
  },
  {
    key: 'folio.model',
    expected: modelName,
    parse: value => parseTextSetting('model', value),
  },
  {
    key: 'folio.effort',
    expected: () => t('"low", "medium", "high" or "max" by the id of a model, or by "*"'),
    parse: value => (isEfforts(value) ? { effort: value } : undefined),
  },
  {
    key: 'folio.modelAliases',
    expected: () => t('an object of names of models by alias'),
    parse: value => (isNames(value) ? { modelAliases: value } : undefined),
  },
  {
    key: 'folio.prices',
    expected: () => t('"input" and "output" in US dollars per million tokens, by the id of a model'),
    parse: value => (isPrices(value) ? { prices: value } : undefined),
  },
  ...modelNames.map(name => ({
    key: `folio.${name}`,
    expected: () => t('the name of a model, or empty'),
    parse: (value: unknown) => (typeof value === 'string' ? { [name]: value.trim() } : undefined),
  })),
  {
    key: 'folio.disabled',
    expected: () => t('a list of names'),
    parse: value =>
      Array.isArray(value) && value.every(each => typeof each === 'string') ? { disabled: value } : undefined,
  },
  {
    key: 'folio.provider',
    expected: () => t('"gemini", "anthropic", "openai-responses", "openai", "vertex", "bedrock" or "vscode"'),
    parse: value => (isProviderName(value) ? { provider: value } : undefined),
  },
  {
    key: 'folio.otherProviders',
    expected: () => t('a list of providers, such as "anthropic"'),
    parse: value => (isProviderNames(value) ? { otherProviders: value } : undefined),
  },
  ...(
    [
      'baseUrl',
      'openai.baseUrl',
      'openaiResponses.baseUrl',
      'anthropic.baseUrl',
      'vertex.baseUrl',
      'bedrock.baseUrl',
      'telemetry.endpoint',
    ] as const
  ).map(name => ({
    key: `folio.${name}`,
    expected: address,
    parse: (value: unknown) => parseAddressSetting(name, value),
  })),
  ...names.map(name => ({
    key: `folio.${name}`,
    expected: () => t('a name, or empty'),
    parse: (value: unknown) => (typeof value === 'string' ? { [name]: value.trim() } : undefined),
  })),
  {
    key: 'folio.anthropic.cacheLifetime',
    expected: () => t('"5m" or "1h"'),
    parse: value => (isCacheLifetime(value) ? { 'anthropic.cacheLifetime': value } : undefined),
  },
  {
    key: 'folio.openaiResponses.signIn',
    expected: () => t('"key" or "entra"'),
    parse: value => (isSignIn(value) ? { 'openaiResponses.signIn': value } : undefined),
  },
  {
    key: 'folio.openaiResponses.verbosity',
    expected: () => t('"low", "medium" or "high", or empty'),
    parse: value => (isVerbosity(value) ? { 'openaiResponses.verbosity': value } : undefined),
  },
  {
    key: 'folio.openai.contextLimit',
    expected: () => t('a whole number of tokens from 1'),
    parse: value => parseWholeSetting('openai.contextLimit', value, 1),
  },
  {
    key: 'folio.approvalMode',
    expected: () => t('"default", "autoEdit", "plan" or "yolo"'),
    parse: value => (isApprovalMode(value) ? { approvalMode: value } : undefined),
  },
  {
    key: 'folio.sandbox',
    expected: () => t('"ask" or "on"'),
    parse: value => (isSandboxSetting(value) ? { sandbox: value } : undefined),
  },
  ...(['maxSteps', 'maxAttempts', 'toolOutputLimit'] as const).map(name => ({
    key: `folio.${name}`,
    expected: wholeFrom1,
    parse: (value: unknown) => parseWholeSetting(name, value, 1),
  })),
  {
    key: 'folio.shellInactivityTimeout',
    expected: secondsFrom0,
    parse: value => parseWholeSetting('shellInactivityTimeout', value, 0),
  },
  ...(['findTools.fromTools', 'findTools.fromTokens', 'parallel.max'] as const).map(name => ({
    key: `folio.${name}`,
    expected: () => t('a whole number from 0'),
    parse: (value: unknown) => parseWholeSetting(name, value, 0),
  })),
  {
    key: 'folio.mcp.byCode',
    expected: () => t('"auto", "on" or "off"'),
    parse: value => (isByCodeSetting(value) ? { 'mcp.byCode': value } : undefined),
  },
  {
    key: 'folio.promptWithout',
    expected: () => t('a list of section names'),
    parse: value => (isTextList(value) ? { promptWithout: value } : undefined),
  },
  {
    key: 'folio.contextFileNames',
    expected: () => t('a list of file names'),
    parse: parseFileNames,
  },
  { key: 'folio.memoryFolders', expected: listOfFolders, parse: parseMemoryFolders },
  {
    key: 'folio.browser.mask',
    expected: () => t('a list of CSS selectors'),
    parse: value => (isTextList(value) ? { 'browser.mask': value } : undefined),
  },
  { key: 'folio.compressionThreshold', expected: shareOfLimit, parse: parseThreshold },
  {
    key: 'folio.ignoredFolders',
    expected: () => t('a list of names of folders, without patterns'),
    parse: value => (isFolderNames(value) ? { ignoredFolders: value } : undefined),
  },
  {
    key: 'folio.review.alsoIgnored',
    expected: () => t('a list of globs, relative to the workspace folder'),
    parse: value => (isGlobs(value) ? { 'review.alsoIgnored': value } : undefined),
  },
  {
    key: 'folio.worktree.link',
    expected: () => t('a list of folders below the root of the repository'),
    parse: value => (isInnerFolders(value) ? { 'worktree.link': value } : undefined),
  },
  {
    key: 'folio.worktree.default',
    expected: () => t('"workspace", "worktree" or "container"'),
    parse: value => (isSessionPlace(value) ? { 'worktree.default': value } : undefined),
  },
  ...amounts.map(name => ({
    key: `folio.${name}`,
    expected: () => t('a number from 0'),
    parse: (value: unknown) => (isAmount(value) ? { [name]: value } : undefined),
  })),
  ...switches.map(name => ({
    key: `folio.${name}`,
    expected: trueOrFalse,
    parse: (value: unknown) => (typeof value === 'boolean' ? { [name]: value } : undefined),
  })),
  {
    key: 'folio.checkCommand',
    expected: () => t('an object of commands by glob'),
    parse: value => (isCommands(value) ? { checkCommand: value } : undefined),
  },
  {
    key: 'folio.languageServers',
    expected: () => t('an object of language servers by glob'),
    parse: value => (isRecord(value) ? { languageServers: value } : undefined),
  },
  {
    key: 'folio.agents.external',
    expected: () => t('an object of agents by name, each with its command'),
    parse: value => (isExternalAgents(value) ? { 'agents.external': value } : undefined),
  },
  ...(['testCommand', 'webSearchCommand', 'worktree.setup'] as const).map(name => ({
    key: `folio.${name}`,
    expected: () => t('a command'),
    parse: (value: unknown) => (typeof value === 'string' ? { [name]: value } : undefined),
  })),
];

/** The values of a settings file, and one sentence about each invalid value. */
export interface ParsedSettings {
  readonly values: Partial<SettingValues>;
  readonly problems: readonly string[];
}

/** @param path names the file in the sentences. @param keys the accepted keys */
export function parseSettings(settings: unknown, path: string, keys = settingKeys): ParsedSettings {
  let values: Partial<SettingValues> = {};
  const problems: string[] = [];
  for (const { key, expected, parse } of keys) {
    const value = findValue(settings, key);
    if (value === undefined) continue;
    const parsed = parse(value, settings);
    if (parsed === undefined) problems.push(t('In {0}, "{1}" must be {2}.', path, key, expected()));
    else values = { ...values, ...parsed };
  }
  return { values, problems };
}
