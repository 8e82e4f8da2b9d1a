/* Compares an extension's contents before and after an update. */

import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../base/canonicalJson.ts';
import type { ExtensionFiles } from '../../../platform/customizations/extensionFolders.ts';
import { type DescribedExtension, type ExtensionItem, runsPrograms } from './extensionItems.ts';

export interface ExtensionChanges {
  readonly added: readonly ExtensionItem[];
  readonly changed: readonly ExtensionItem[];
  readonly removed: readonly ExtensionItem[];
  /** Paths of other files that were added, changed or removed. */
  readonly files: readonly string[];
  /** True if the user must agree: a program, or a file that programs may use, is new or changed. */
  readonly needsConsent: boolean;
}

interface Side {
  readonly described: Pick<DescribedExtension, 'brought'>;
  readonly contents: Pick<ExtensionFiles, 'digests'>;
}

/** Returns a hash that is equal only for the same files with the same contents. */
export function digestContents({ digests }: Pick<ExtensionFiles, 'digests'>): string {
  return createHash('sha256')
    .update(canonicalJson([...digests]))
    .digest('hex');
}

export function compareExtensions(before: Side, after: Side): ExtensionChanges {
  const [old, now] = [before, after].map(({ described }) => byKey(described.brought));
  const added = [...now!].filter(([key]) => !old!.has(key)).map(([, each]) => each);
  const removed = [...old!].filter(([key]) => !now!.has(key)).map(([, each]) => each);
  const changed = [...now!]
    .filter(([key, each]) => old!.has(key) && old!.get(key)!.detail !== each.detail)
    .map(([, each]) => each);
  const files = changedFiles(before.contents.digests, after.contents.digests);
  const programs = after.described.brought.filter(runsPrograms);
  const needsConsent =
    [...added, ...changed].some(runsPrograms) ||
    (programs.length > 0 && files.some(path => after.contents.digests.has(path) && mayRun(path, programs)));
  return { added, changed, removed, files, needsConsent };
}

/** Hooks of one event are distinguished by their commands. */
function byKey(brought: readonly ExtensionItem[]): ReadonlyMap<string, ExtensionItem> {
  return new Map(
    brought.map(each => {
      const parts = [each.kind, each.name, each.kind === 'hook' ? each.detail : ''];
      return [parts.join('\0'), each];
    }),
  );
}

function changedFiles(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const all = [...new Set([...before.keys(), ...after.keys()])].sort();
  return all.filter(path => before.get(path) !== after.get(path));
}

/**
 * Texts for the model are not programs unless a program's command names them. The manifest's entries are compared
 * separately.
 */
function mayRun(path: string, programs: readonly ExtensionItem[]): boolean {
  const name = path.split('/').at(-1)!;
  if (programs.some(({ detail }) => detail.includes(name))) return true;
  return (
    !/\.(?:md|toml|txt)$/i.test(name) &&
    !comparedFiles.has(path) &&
    !/^(?:LICENSE|NOTICE|\.git.*)$/.test(name)
  );
}

const comparedFiles: ReadonlySet<string> = new Set([
  'gemini-extension.json',
  'hooks/hooks.json',
  '.claude-plugin/plugin.json',
  '.mcp.json',
]);
