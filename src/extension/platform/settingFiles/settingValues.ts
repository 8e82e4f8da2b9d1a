/* Parses single values of settings files. `undefined` means invalid. */

import type { SettingValues } from '../settings.ts';
import { isFileName, isFolderList, isShare } from './settingChecks.ts';

export function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(item => typeof item === 'string');
}

export function parseFileNames(value: unknown): Partial<SettingValues> | undefined {
  return Array.isArray(value) && value.every(isFileName) ? { contextFileNames: value } : undefined;
}

export function parseMemoryFolders(value: unknown): Partial<SettingValues> | undefined {
  return isFolderList(value) ? { memoryFolders: value } : undefined;
}

export function parseThreshold(value: unknown): Partial<SettingValues> | undefined {
  return isShare(value) ? { compressionThreshold: value } : undefined;
}

export function parseTextSetting(name: 'model', value: unknown): Partial<SettingValues> | undefined {
  return typeof value === 'string' && value.trim() !== '' ? { [name]: value.trim() } : undefined;
}

export function parseAddressSetting(
  name:
    | 'baseUrl'
    | `${'openai' | 'openaiResponses' | 'anthropic' | 'vertex' | 'bedrock'}.baseUrl`
    | 'telemetry.endpoint',
  value: unknown,
): Partial<SettingValues> | undefined {
  const isAddress = typeof value === 'string' && (value === '' || /^https?:\/\//.test(value));
  return isAddress ? { [name]: value } : undefined;
}

type NumberName =
  | 'openai.contextLimit'
  | 'maxSteps'
  | 'maxAttempts'
  | 'shellInactivityTimeout'
  | 'toolOutputLimit'
  | 'parallel.max'
  | 'findTools.fromTools'
  | 'findTools.fromTokens';

export function parseWholeSetting(
  name: NumberName,
  value: unknown,
  least: number,
  set: (value: number) => Partial<SettingValues> = whole => ({ [name]: whole }),
): Partial<SettingValues> | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least ? set(value) : undefined;
}
