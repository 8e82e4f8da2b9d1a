/* Parses a marketplace's `.claude-plugin/marketplace.json`. Invalid entries are left out. */

import { t } from '../../../../protocol/language.ts';
import { isRecord } from '../../../base/record.ts';
import { oneLine, sanitiseLine } from '../../../base/text.ts';
import type { PluginEntry } from '../../../platform/customizations/extensionFolders.ts';
import { isExtensionName } from './extensionItems.ts';

export interface ParsedMarketplace {
  readonly name: string;
  readonly plugins: readonly OfferedPlugin[];
}

export interface OfferedPlugin {
  readonly name: string;
  readonly description: string;
  readonly from: PluginSource;
  /** Serves as manifest for a plugin without one. */
  readonly entry: PluginEntry;
}

export type PluginSource =
  /** A path below the marketplace's own folder. */
  | { readonly kind: 'inside'; readonly path: string }
  | { readonly kind: 'git'; readonly address: string; readonly ref?: string; readonly within?: string }
  /** A sentence about why it is unavailable. */
  | { readonly kind: 'unknown'; readonly sentence: string };

/** Returns a string as the end of a sentence if it is no marketplace. */
export function parseMarketplace(content: unknown): ParsedMarketplace | string {
  if (!isRecord(content)) return t('contains no object');
  const { name, plugins, metadata } = content;
  if (typeof name !== 'string' || !isExtensionName(name))
    return t(
      'has the name {0}, which is not valid: use only letters from a to z, digits, - and _',
      JSON.stringify(oneLine(String(name), 80)),
    );
  if (!Array.isArray(plugins)) return t('has no list of "plugins"');
  const root = isRecord(metadata) && typeof metadata.pluginRoot === 'string' ? metadata.pluginRoot : '';
  return { name, plugins: plugins.flatMap(each => parsePlugin(each, root)) };
}

function parsePlugin(entry: unknown, root: string): readonly OfferedPlugin[] {
  if (!isRecord(entry)) return [];
  const { source, ...rest } = entry;
  const { name, description } = rest;
  if (typeof name !== 'string' || !isExtensionName(name)) return [];
  return [
    {
      name,
      description: typeof description === 'string' ? sanitiseLine(description, 200) : '',
      from: parsePlace(source, root),
      entry: { ...rest, name },
    },
  ];
}

function parsePlace(source: unknown, root: string): PluginSource {
  if (typeof source === 'string') return { kind: 'inside', path: inRoot(source, root) };
  if (!isRecord(source))
    return { kind: 'unknown', sentence: t('The marketplace gives no source for this plugin.') };
  const { source: kind, repo, url, path } = source;
  // If both are given, the commit is what was verified.
  const ref = textOf(source.sha) ?? textOf(source.ref);
  if (kind === 'github' && typeof repo === 'string' && /^[\w.-]+\/[\w.-]+$/.test(repo))
    return { kind: 'git', address: `https://github.com/${repo}.git`, ref, within: textOf(path) };
  if ((kind === 'url' || kind === 'git-subdir') && typeof url === 'string')
    return { kind: 'git', address: url, ref, within: textOf(path) };
  return {
    kind: 'unknown',
    sentence: t(
      'Folio cannot install from a source of type {0}. Install it from its folder or repository.',
      JSON.stringify(oneLine(String(kind), 40)),
    ),
  };
}

/** Resolves a plain name below the marketplace's common folder. */
function inRoot(source: string, root: string): string {
  return source.startsWith('./') || root === '' ? source : `${root}/${source}`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
