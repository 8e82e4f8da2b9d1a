/* Reads the `sandbox` key of an entry that names a program: a server, a hook, a program that lists tools. */

import { t } from '../../../protocol/language.ts';
import { isRecord } from '../../base/record.ts';
import type { ProgramGrants } from '../sandbox.ts';

/** Says what an entry must be, as the end of a sentence. The program of an invalid one must not run. */
export function invalidSandboxEntryText(): string {
  return t('must be true, or an object of the lists "write", "read" and "hosts"');
}

export function isSandboxEntry(value: unknown): boolean {
  if (value === undefined || typeof value === 'boolean') return true;
  if (!isRecord(value)) return false;
  const { write, read, hosts, ...others } = value;
  const isHost = (text: string) => /^[a-z0-9._:[\]-]+$/i.test(text);
  return Object.keys(others).length === 0 && areTexts(write) && areTexts(read) && areTexts(hosts, isHost);
}

/** Returns `undefined` if the program runs without a sandbox. `true` grants no more than every sandbox does. */
export function readSandboxEntry(value: unknown): ProgramGrants | undefined {
  if (value === undefined || value === false || !isSandboxEntry(value)) return undefined;
  const { write = [], read = [], hosts = [] } = value === true ? {} : (value as Partial<ProgramGrants>);
  return { write, read, hosts };
}

/** For the user who decides whether the program runs. */
export function describeSandboxEntry(value: unknown): string | undefined {
  const grants = readSandboxEntry(value);
  if (!grants) return undefined;
  const more = [
    ['writes', grants.write],
    ['reads', grants.read],
    ['connects to', grants.hosts],
  ] as const;
  const words = more.flatMap(([verb, list]) => (list.length === 0 ? [] : [`${verb} ${list.join(', ')}`]));
  return ['in the sandbox', ...words].join(', ');
}

function areTexts(value: unknown, isFit = (text: string) => text !== ''): boolean {
  return (
    value === undefined ||
    (Array.isArray(value) && value.every(each => typeof each === 'string' && isFit(each)))
  );
}
