/* Checks of values that come from a settings file. */

import { isRecord } from '../../base/record.ts';
import type { ExternalCommandSetting } from '../settings.ts';

/** A bare name, which leads to no other folder. */
export function isFileName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && !/^\.{1,2}$|[/\\:\0]/.test(value);
}

/** Bare names that mean nothing to a glob. */
export function isFolderNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(item => isFileName(item) && !/[*?[\]{}()|!,]/.test(item));
}

/** Globs below a folder. */
export function isGlobs(value: unknown): value is readonly string[] {
  const leadsOut = (glob: string) => /^[\\/~]|^\w:|(^|[\\/])\.\.([\\/]|$)/.test(glob);
  return isFolderList(value) && value.every(glob => !leadsOut(glob));
}

/** Paths; whether something is there is found out when they are used. */
export function isFolderList(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.every(item => typeof item === 'string' && item.trim() !== '' && !item.includes('\0'))
  );
}

/** Commands by glob. */
export function isCommands(value: unknown): value is Readonly<Record<string, string>> {
  const isLine = (line: unknown) => typeof line === 'string' && line.trim() !== '' && !line.includes('\0');
  return isRecord(value) && Object.values(value).every(isLine);
}

/** Above 0, at most 1. */
export function isShare(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= 1;
}

export function isExternalAgents(value: unknown): value is Readonly<Record<string, ExternalCommandSetting>> {
  return isRecord(value) && Object.values(value).every(isExternalAgent);
}

function isExternalAgent(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { command, args = [], env = {} } = value;
  const isText = (each: unknown) => typeof each === 'string';
  const areTexts =
    Array.isArray(args) && args.every(isText) && isRecord(env) && Object.values(env).every(isText);
  return areTexts && typeof command === 'string' && command.trim() !== '';
}
