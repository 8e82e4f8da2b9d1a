/* Lists the contents of an extension for the user who decides whether it may count. */

import { join, sep } from 'node:path';
import { t } from '../../../../protocol/language.ts';
import { showHidden } from '../../../base/hiddenText.ts';
import { oneLine } from '../../../base/text.ts';
import type { ExtensionContents } from '../../../platform/customizations/extensionFolders.ts';
import { commandName } from '../../commands/custom/commandName.ts';
import type { Customization } from '../../customizations/files/customization.ts';
import { splitFiles } from '../../customizations/files/splitFiles.ts';
import type { Hook } from '../../hooks/hook.ts';
import { parseHooks } from '../../hooks/parseHooks.ts';
import { type Manifest, parseManifest } from '../manifest.ts';
import { describeUnreadFiles, isPlugin } from '../plugin.ts';

export interface Brought {
  readonly kind: BroughtKind;
  /** One line. */
  readonly name: string;
  /** Says what it does; a program is shown whole. */
  readonly detail: string;
}

/** The first two run programs, or speak with a server, without being asked again. */
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

export function runsPrograms({ kind }: Brought): boolean {
  return kind === 'hook' || kind === 'server';
}

export interface Described {
  /** As its manifest says. */
  readonly name: string;
  readonly version: string;
  /** Programs first. */
  readonly brought: readonly Brought[];
  /** A sentence about each thing that cannot be used. */
  readonly problems: readonly string[];
}

/** Finds the names under which the items of an extension will count. */
export type NameItems = (own: readonly Customization[]) => Promise<ReadonlyMap<Customization, string>>;

/** A text: a sentence why it cannot be installed. */
export async function describeExtension(
  { folder, files, hooks, digests }: ExtensionContents,
  nameItems: NameItems,
): Promise<Described | string> {
  const split = splitFiles(files);
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
  const brought: readonly Brought[] = [
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
    version: typeof version === 'string' ? oneLine(showHidden(version), 40) : '',
    brought,
    problems: [
      ...(isPlugin(item.path) ? describeUnreadFiles(digests.keys()) : []),
      ...fileProblems,
      ...split.problems,
      ...problems,
      ...(parsedHooks?.problems ?? []),
    ].map(inFolder),
  };
}

/** No path, nothing that a system keeps for itself, nothing that a shell reads. */
export function isExtensionName(name: string): boolean {
  return /^[a-z0-9][\w-]{0,63}$/i.test(name) && !/^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(name);
}

/** Its variables are a part of what runs. */
function toHook({ eventName, command, matcher = '', env }: Hook, folder: string): Brought {
  const own = Object.entries(env).filter(([, value]) => value !== folder);
  const variables = own.map(([name, value]) => ` · ${name}=${value}`);
  const whole = [command, ...variables].join('').replaceAll(folder, () => '${extensionPath}');
  return thing('hook', `${eventName} ${matcher}`, whole);
}

/** A command is shown as the user will type it. @param named absent: it cannot be used, so its file names it */
function thingOf(item: Customization, named: string | undefined): Brought {
  const { kind, name, detail } = item;
  const shown = kind === 'command' ? `/${named ?? commandName(name)}` : (named ?? name);
  return thing(kind as BroughtKind, shown, detail);
}

/** Other names are not cut, since they have been made plain. @param names absent: the server has none that count */
function toolsOf({ name }: Customization, names: string | undefined): Brought {
  const server = oneLine(showHidden(name), 80);
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
): readonly Brought[] {
  const names = contextFiles.map(({ path }) => path.slice(folder.length + 1).replaceAll('\\', '/'));
  return [
    ...names
      .filter(name => digests.has(name))
      .map(name => thing('memory', name, t('goes into every prompt'))),
    ...excludeTools.map(tool => thing('excluded tool', tool, t('is denied in every mode'))),
    ...settings.map(({ name, envVar }) => thing('setting', name, t('asks you for {0}', envVar))),
  ];
}

function thing(kind: BroughtKind, name: string, detail: string): Brought {
  return { kind, name: oneLine(showHidden(name), 80), detail: showHidden(detail.trim()) };
}
