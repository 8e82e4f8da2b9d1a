import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import { isRecord } from '../../base/record.ts';
import { findSettingValue } from '../findSetting.ts';
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
  type SettingValues,
} from '../settings.ts';
import { isExternalAgents } from './externalAgents.ts';
import { aliasKeys, isAliasMap, readModelAliases } from './modelAliases.ts';
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
} from './settingChecks.ts';
import { isInnerFolders, isSessionPlace } from './worktreeChecks.ts';

/** One key of a settings file and what it sets. */
export interface SettingKey {
  /** Dots separate nested objects. */
  readonly key: string;
  /** Describes valid values, to end the sentence `… must be`. */
  readonly expected: LocalizedMessage;
  /** `undefined`: invalid. `{}`: valid, but sets nothing. @param settings all settings of the file */
  readonly parse: (value: unknown, settings: unknown) => Partial<SettingValues> | undefined;
}

/** Converts a value of a file; `undefined`: invalid. */
type Read = (value: unknown) => unknown;

const modelName = () => t('the name of a model');
const modelOrEmpty = () => t('the name of a model, or empty');
const nameOrEmpty = () => t('a name, or empty');
const amountFrom0 = () => t('a number from 0');
const wholeFrom0 = () => t('a whole number from 0');
const wholeFrom1 = () => t('a whole number from 1');
const secondsFrom0 = () => t('a number of seconds from 0');
const trueOrFalse = () => t('true or false');
const listOfFolders = () => t('a list of folders');
const fileOrFiles = () => t('a file name or a list of file names');
const shareOfLimit = () => t("a share of the model's limit, above 0 and at most 1");
const address = () => t('an address that starts with http:// or https://, or empty');
const command = () => t('a command');

const isText = (value: unknown) => typeof value === 'string';
const isFlag = (value: unknown) => typeof value === 'boolean';
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
const isAddress = (value: unknown) =>
  typeof value === 'string' && (value === '' || /^https?:\/\//.test(value));

const checked =
  (isValid: (value: unknown) => boolean): Read =>
  value =>
    isValid(value) ? value : undefined;
const trimmed: Read = value => (typeof value === 'string' ? value.trim() : undefined);
const filled: Read = value => trimmed(value) || undefined;
const negated: Read = value => (typeof value === 'boolean' ? !value : undefined);
const flag = checked(isFlag);
const whole = (least: number) => checked(value => Number.isSafeInteger(value) && Number(value) >= least);
const fileNames = checked(value => Array.isArray(value) && value.every(isFileName));
const folders = checked(isFolderList);
const files: Read = value => folders(typeof value === 'string' ? [value] : value);

/** Later keys win: ours are after those of other programs. */
export const settingKeys: readonly SettingKey[] = [
  {
    key: 'model',
    expected: () => t('the name of a model or an object with settings of the model'),
    parse: value => (isRecord(value) ? {} : settingsOf('model', filled(value))),
  },
  setting('model.name', 'model', modelName, filled),
  {
    key: 'model.maxSessionTurns',
    expected: () => t('a whole number'),
    // Gemini CLI uses -1, its default, and 0 for no limit. Our default applies then.
    parse: value => (value === -1 || value === 0 ? {} : settingsOf('maxSteps', whole(1)(value))),
  },
  ...aliasKeys.map(key => ({
    key,
    expected: () => t('an object of models by alias'),
    // Read together: one may extend the other.
    parse: (value: unknown, settings: unknown) =>
      isAliasMap(value) ? { modelAliases: readModelAliases(settings).models } : undefined,
  })),
  setting(
    'general.defaultApprovalMode',
    'approvalMode',
    () => t('"default", "auto_edit" or "plan"'),
    value =>
      value === 'auto_edit' ? 'autoEdit' : checked(mode => mode === 'default' || mode === 'plan')(value),
  ),
  setting('experimental.autoMemory', 'memory.propose', trueOrFalse, flag),
  setting('general.maxAttempts', 'maxAttempts', wholeFrom1, whole(1)),
  setting('tools.shell.inactivityTimeout', 'shellInactivityTimeout', secondsFrom0, whole(0)),
  setting('tools.truncateToolOutputThreshold', 'toolOutputLimit', wholeFrom1, whole(1)),
  setting('context.fileName', 'contextFileNames', fileOrFiles, value =>
    fileNames(typeof value === 'string' ? [value] : value),
  ),
  {
    key: 'context.loadMemoryFromIncludeDirectories',
    expected: trueOrFalse,
    // Read together with the folders that it applies to.
    parse: value => (isFlag(value) ? {} : undefined),
  },
  {
    key: 'context.includeDirectories',
    expected: listOfFolders,
    parse: (value, settings) => {
      const counts = findSettingValue(settings, 'context.loadMemoryFromIncludeDirectories') === true;
      return counts || !isFolderList(value) ? settingsOf('memoryFolders', folders(value)) : {};
    },
  },
  setting('model.compressionThreshold', 'compressionThreshold', shareOfLimit, checked(isFraction)),
  setting('model.disableLoopDetection', 'loopDetection', trueOrFalse, negated),
  setting('context.fileFiltering.respectGeminiIgnore', 'respectGeminiIgnore', trueOrFalse, flag),
  setting('context.fileFiltering.customIgnoreFilePaths', 'ignoreFiles', fileOrFiles, files),
  setting('tools.disableLLMCorrection', 'correctEdits', trueOrFalse, negated),
  setting('model.skipNextSpeakerCheck', 'nextSpeakerCheck', trueOrFalse, negated),
  ...own(['ignoreFiles'], fileOrFiles, files),
  ...own(['model'], modelName, filled),
  ...own(
    ['effort'],
    () => t('"low", "medium", "high" or "max" by the id of a model, or by "*"'),
    checked(isEffortsByModel),
  ),
  ...own(['modelAliases'], () => t('an object of names of models by alias'), checked(isNameMap)),
  ...own(
    ['prices'],
    () => t('"input" and "output" in US dollars per million tokens, by the id of a model'),
    checked(isPricesByModel),
  ),
  ...own(['auto.strongModel', 'auto.fastModel', 'cheapModel', 'fallbackModel'], modelOrEmpty, trimmed),
  ...own(['disabled'], () => t('a list of names'), checked(isTexts)),
  ...own(
    ['provider'],
    () => t('"gemini", "anthropic", "openai-responses", "openai", "vertex", "bedrock" or "vscode"'),
    checked(isProviderName),
  ),
  ...own(['otherProviders'], () => t('a list of providers, such as "anthropic"'), checked(isProviderNames)),
  ...own(
    [
      'baseUrl',
      'openai.baseUrl',
      'openaiResponses.baseUrl',
      'anthropic.baseUrl',
      'vertex.baseUrl',
      'bedrock.baseUrl',
      'telemetry.endpoint',
    ],
    address,
    checked(isAddress),
  ),
  ...own(['vertex.project', 'vertex.location', 'bedrock.region'], nameOrEmpty, trimmed),
  ...own(['audit.path', 'browser.path', 'debug.adapter'], nameOrEmpty, trimmed),
  ...own(['anthropic.cacheLifetime'], () => t('"5m" or "1h"'), checked(isCacheLifetime)),
  ...own(['openaiResponses.signIn'], () => t('"key" or "entra"'), checked(isSignInMethod)),
  ...own(['openaiResponses.verbosity'], () => t('"low", "medium" or "high", or empty'), checked(isVerbosity)),
  ...own(['openai.contextLimit'], () => t('a whole number of tokens from 1'), whole(1)),
  ...own(['approvalMode'], () => t('"default", "autoEdit", "plan" or "yolo"'), checked(isApprovalMode)),
  ...own(['sandbox'], () => t('"ask" or "on"'), checked(isSandboxSetting)),
  ...own(['maxSteps', 'maxAttempts', 'toolOutputLimit'], wholeFrom1, whole(1)),
  ...own(['shellInactivityTimeout'], secondsFrom0, whole(0)),
  ...own(['findTools.fromTools', 'findTools.fromTokens', 'parallel.max'], wholeFrom0, whole(0)),
  ...own(['mcp.byCode'], () => t('"auto", "on" or "off"'), checked(isScriptCallSetting)),
  ...own(['promptWithout'], () => t('a list of section names'), checked(isTexts)),
  ...own(['contextFileNames'], () => t('a list of file names'), fileNames),
  ...own(['memoryFolders'], listOfFolders, folders),
  ...own(['browser.mask'], () => t('a list of CSS selectors'), checked(isTexts)),
  ...own(['compressionThreshold'], shareOfLimit, checked(isFraction)),
  ...own(['ignoredFolders'], () => t('a list of names of folders, without patterns'), checked(isFolderNames)),
  ...own(
    ['review.alsoIgnored'],
    () => t('a list of globs, relative to the workspace folder'),
    checked(isGlobs),
  ),
  ...own(
    ['worktree.link'],
    () => t('a list of folders below the root of the repository'),
    checked(isInnerFolders),
  ),
  ...own(['worktree.default'], () => t('"workspace", "worktree" or "container"'), checked(isSessionPlace)),
  ...own(
    ['budget.turnTokens', 'budget.sessionTokens', 'budget.turnCost'],
    amountFrom0,
    checked(isNonNegativeNumber),
  ),
  ...own(
    ['budget.sessionCost', 'budget.dayCost', 'budget.turnMinutes'],
    amountFrom0,
    checked(isNonNegativeNumber),
  ),
  ...own(['memory.propose', 'respectGeminiIgnore', 'loopDetection', 'correctEdits'], trueOrFalse, flag),
  ...own(['judge', 'nextSpeakerCheck', 'telemetry.captureContent', 'mcp.apps'], trueOrFalse, flag),
  ...own(['browser.enabled', 'browser.check'], trueOrFalse, flag),
  ...own(['checkCommand'], () => t('an object of commands by glob'), checked(isCommandsByGlob)),
  ...own(['languageServers'], () => t('an object of language servers by glob'), checked(isRecord)),
  ...own(
    ['agents.external'],
    () => t('an object of agents by name, each with its command'),
    checked(isExternalAgents),
  ),
  ...own(['testCommand', 'webSearchCommand', 'worktree.setup'], command, checked(isText)),
];

function setting(key: string, name: keyof SettingValues, expected: LocalizedMessage, read: Read): SettingKey {
  return { key, expected, parse: value => settingsOf(name, read(value)) };
}

function own(
  names: readonly (keyof SettingValues)[],
  expected: LocalizedMessage,
  read: Read,
): readonly SettingKey[] {
  return names.map(name => setting(`folio.${name}`, name, expected, read));
}

function settingsOf(name: keyof SettingValues, value: unknown): Partial<SettingValues> | undefined {
  return value === undefined ? undefined : { [name]: value };
}

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
    const value = findSettingValue(settings, key);
    if (value === undefined) continue;
    const parsed = parse(value, settings);
    if (parsed === undefined) problems.push(t('In {0}, "{1}" must be {2}.', path, key, expected()));
    else values = { ...values, ...parsed };
  }
  return { values, problems };
}
