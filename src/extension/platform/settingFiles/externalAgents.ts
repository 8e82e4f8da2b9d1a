/* Third-party agents, configured in settings or on a command line. */

import { isRecord } from '../../base/record.ts';
import type { ExternalCommandSetting } from '../settings.ts';

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

/** Splits a command line into program and arguments. Quotes group words. */
export function splitCommandLine(line: string): readonly string[] {
  const words = line.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return words.map(word => word.replace(/"([^"]*)"|'([^']*)'/g, (_all, one, two) => one ?? two));
}
