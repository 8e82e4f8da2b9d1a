/*
 * The folders in which a user enabled extensions: `extension-enablement.json` beside them, shared with other programs.
 * It lists rules per extension, and the last matching one decides: `/projects/*` enables it there and below,
 * `!/projects/*` disables it. Without a match it is enabled.
 */

import { join } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { LocalizedError, messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/record.ts';
import type { EnablementScope } from '../../platform/customizations/extensionFolders.ts';
import { writeAtomically } from '../files/atomicWrite.ts';
import { isMissing } from '../files/fileErrors.ts';
import { readBounded } from '../files/readBounded.ts';

const fileName = 'extension-enablement.json';
const maxBytes = 1024 * 1024;

type Enablement = Readonly<Record<string, readonly string[]>>;

/** Empty if the file is missing or unreadable; then everything is enabled. @param root folder of the extensions */
export async function readEnablement(root: string): Promise<Enablement> {
  return parse(await readWhole(root).catch(() => ({})));
}

/** @param folder absolute path */
export function isExtensionDisabled(enablement: Enablement, name: string, folder: string): boolean {
  const rules = Object.hasOwn(enablement, name) ? enablement[name]! : [];
  const fitting = rules.findLast(rule => fits(rule, folder));
  return fitting?.startsWith('!') ?? false;
}

/** Rejects with a user-facing message if the file cannot be changed without data loss. */
export async function setExtensionEnabled(
  root: string,
  name: string,
  to: 'on' | 'off',
  scope: EnablementScope,
): Promise<void> {
  const base = scope.kind === 'everywhere' ? '/' : slashed(scope.path);
  const rule = `${to === 'off' ? '!' : ''}${base}*`;
  // The new rule replaces earlier ones for this folder and its subfolders.
  await change(root, name, rules => [...rules.filter(each => !baseOf(each).startsWith(base)), rule]);
}

/** Removes all rules of the extension. */
export async function removeEnablementRules(root: string, name: string): Promise<void> {
  await change(root, name, () => []);
}

async function change(
  root: string,
  name: string,
  turn: (rules: readonly string[]) => readonly string[],
): Promise<void> {
  const path = join(root, fileName);
  const whole = await readWhole(root).catch((error: unknown) => {
    throw new LocalizedError(() =>
      t('{0} cannot be used ({1}). Mend or delete it.', path, messageOf(error).replace(/\.$/, '')),
    );
  });
  const known = parse(whole);
  const before = Object.hasOwn(known, name) ? known[name]! : [];
  const after = turn(before);
  if (JSON.stringify(after) === JSON.stringify(before)) return;
  const { [name]: _old, ...others } = whole;
  const text = JSON.stringify(
    after.length === 0 ? others : { ...others, [name]: { overrides: after } },
    null,
    2,
  );
  await writeAtomically(path, new TextEncoder().encode(`${text}\n`));
}

async function readWhole(root: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const content: unknown = JSON.parse(await readBounded(join(root, fileName), maxBytes));
    if (!isRecord(content)) throw new LocalizedError(() => t('It contains no object'));
    return content;
  } catch (error) {
    if (isMissing(error)) return {};
    throw error;
  }
}

function parse(content: Readonly<Record<string, unknown>>): Enablement {
  const entries = Object.entries(content).map(([name, entry]) => {
    const overrides = isRecord(entry) && Array.isArray(entry.overrides) ? entry.overrides : [];
    return [name, overrides.filter((rule): rule is string => typeof rule === 'string')] as const;
  });
  return Object.fromEntries(entries);
}

function fits(rule: string, folder: string): boolean {
  const base = baseOf(rule);
  return rule.endsWith('*') ? slashed(folder).startsWith(base) : slashed(folder) === base;
}

function baseOf(rule: string): string {
  return slashed(rule.replace(/^!/, '').replace(/\*$/, ''));
}

/** Adds slashes at both ends, so that prefixes match only whole folder names. */
function slashed(path: string): string {
  return `/${path.replaceAll('\\', '/')}/`.replace(/\/+/g, '/');
}
