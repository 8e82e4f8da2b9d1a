/* Lists an extension's contents for the user who decides on it. */

import { join, sep } from 'node:path';
import { t } from '../../../../protocol/language.ts';
import { escapeInvisibleText } from '../../../base/hiddenText.ts';
import { oneLine } from '../../../base/text.ts';
import type { ExtensionFiles } from '../../../platform/customizations/extensionFolders.ts';
import { commandName } from '../../commands/custom/commandName.ts';
import type { Customization } from '../../customizations/files/customization.ts';
import { splitIntoCustomizations } from '../../customizations/files/splitIntoCustomizations.ts';
import type { Hook } from '../../hooks/hook.ts';
import { parseHooks } from '../../hooks/parseHooks.ts';
import { type Manifest, parseManifest } from '../manifest.ts';
import { describeUnsupportedFiles, isPlugin } from '../plugin.ts';

export interface ExtensionItem {
  readonly kind: BroughtKind;
  /** One line. */
  readonly name: string;
  /** Describes its effect; a program is shown in full. */
  readonly detail: string;
}

/** The first two start programs or contact servers without further questions. */
type BroughtKind =
  | 'hook'
  | 'server'
  | 'tool'
  | 'command'
  | 'agent'
  | 'skill'
  | 'memory'
  | 'rules'
  | 'excluded tool'
  | 'setting';

export function runsPrograms({ kind }: ExtensionItem): boolean {
  return kind === 'hook' || kind === 'server';
}

export interface DescribedExtension {
  /** Name in its manifest. */
  readonly name: string;
  readonly version: string;
  /** Programs first. */
  readonly brought: readonly ExtensionItem[];
  /** One sentence for each thing that cannot be used. */
  readonly problems: readonly string[];
}

/** Returns the names that an extension's items will have. */
export type NameItems = (own: readonly Customization[]) => Promise<ReadonlyMap<Customization, string>>;

/** Returns a string as the reason why it cannot be installed. */
export async function describeExtension(
  { folder, files, hooks, digests }: ExtensionFiles,
  nameItems: NameItems,
): Promise<DescribedExtension | string> {
  const split = splitIntoCustomizations(files);
  const item = split.items.find(({ kind }) => kind === 'extension');
  const fileProblems = files.flatMap(({ problem = [] }) => problem);
  const inFolder = (sentence: string) => sentence.replaceAll(join(folder, sep), '');
  if (!item) {
    const why = [...fileProblems, ...split.problems].map(inFolder);
    return [t('It has no readable manifest.'), ...why].join(' ');
  }
  const { name, version } = item.value as { readonly name?: unknown; readonly version?: unknown };
  if (typeof name !== 'string' || !isExtensionName(name))
    return t(
      'The name {0} in its manifest is not valid. Use only letters from a to z, digits, - and _.',
      JSON.stringify(oneLine(String(name), 80)),
    );
  const parsedHooks = hooks && parseHooks(hooks);
  const { manifest, problems } = parseManifest(item);
  const own = split.items.map(each => ({ ...each, origin: { kind: 'extension' as const, name, folder } }));
  const names = await nameItems(own);
  const servers = own.filter(({ kind }) => kind === 'server');
  const toBrought = (each: Customization) => thingOf(each, names.get(each));
  const brought: readonly ExtensionItem[] = [
    ...(parsedHooks?.hooks ?? []).map(hook => toHook(hook, folder)),
    ...servers.map(each => thingOf(each, undefined)),
    ...servers.map(each => toolsOf(each, names.get(each))),
    ...own.filter(({ kind }) => kind !== 'server' && kind !== 'extension').map(toBrought),
    ...(manifest ? ofManifest(manifest, digests) : []),
    ...[...digests.keys()]
      .filter(path => /^policies\/[^/]+\.toml$/.test(path))
      .map(path => thing('rules', path.slice('policies/'.length), t('rules that deny or ask'))),
  ];
  return {
    name,
    version: typeof version === 'string' ? oneLine(escapeInvisibleText(version), 40) : '',
    brought,
    problems: [
      ...(isPlugin(item.path) ? describeUnsupportedFiles(digests.keys()) : []),
      ...fileProblems,
      ...split.problems,
      ...problems,
      ...(parsedHooks?.problems ?? []),
    ].map(inFolder),
  };
}

/** Accepts no paths, reserved device names, or shell syntax. */
export function isExtensionName(name: string): boolean {
  return /^[a-z0-9][\w-]{0,63}$/i.test(name) && !/^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(name);
}

/** Includes its variables, which influence what runs. */
function toHook({ eventName, command, matcher = '', env }: Hook, folder: string): ExtensionItem {
  const own = Object.entries(env).filter(([, value]) => value !== folder);
  const variables = own.map(([name, value]) => ` · ${name}=${value}`);
  const whole = [command, ...variables].join('').replaceAll(folder, () => '${extensionPath}');
  return thing('hook', `${eventName} ${matcher}`, whole);
}

/** Shows a command as the user types it. @param named absent: it cannot be used and is named after its file */
function thingOf(item: Customization, named: string | undefined): ExtensionItem {
  const { kind, name, detail } = item;
  const shown = kind === 'command' ? `/${named ?? commandName(name)}` : (named ?? name);
  return thing(kind as BroughtKind, shown, detail);
}

/** Names are not cut, since they contain no special characters. @param names absent: the server has no usable tools */
function toolsOf({ name }: Customization, names: string | undefined): ExtensionItem {
  const server = oneLine(escapeInvisibleText(name), 80);
  if (names !== undefined) return { kind: 'tool', name: names, detail: t('of the server {0}', server) };
  return thing(
    'tool',
    `(${name})`,
    t('ignored: another server has this name, or the entry includes no tools'),
  );
}

function ofManifest(
  { contextFiles, excludeTools, settings, folder }: Manifest,
  digests: ReadonlyMap<string, string>,
): readonly ExtensionItem[] {
  const names = contextFiles.map(({ path }) => path.slice(folder.length + 1).replaceAll('\\', '/'));
  return [
    ...names
      .filter(name => digests.has(name))
      .map(name => thing('memory', name, t('goes into every prompt'))),
    ...excludeTools.map(tool => thing('excluded tool', tool, t('is denied in every mode'))),
    ...settings.map(({ name, envVar }) => thing('setting', name, t('asks you for {0}', envVar))),
  ];
}

function thing(kind: BroughtKind, name: string, detail: string): ExtensionItem {
  return { kind, name: oneLine(escapeInvisibleText(name), 80), detail: escapeInvisibleText(detail.trim()) };
}
