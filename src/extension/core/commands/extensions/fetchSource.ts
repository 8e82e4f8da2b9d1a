/* Downloads an extension to a temporary folder for inspection. */

import { t } from '../../../../protocol/language.ts';
import { oneLine } from '../../../base/text.ts';
import type {
  ExtensionSource,
  FetchedExtension,
  InstallMetadata,
  Marketplace,
} from '../../../platform/customizations/extensionFolders.ts';
import { CommandError } from '../../commandError.ts';
import { digestContents } from '../../extensions/install/changes.ts';
import {
  type OfferedPlugin,
  type PluginSource,
  parseMarketplace,
} from '../../extensions/install/parseMarketplace.ts';
import { parseSource, type SourceBases } from '../../extensions/install/parseSource.ts';
import type { CommandContext, ExtensionAccess } from '../commands.ts';

export interface FetchedSource {
  readonly fetched: FetchedExtension;
  readonly note: InstallMetadata;
}

export function sourceBasesOf(surface: CommandContext, { home }: ExtensionAccess): SourceBases {
  const [folder] = surface.place().folders;
  return { home, folder };
}

/** The source as the user or the note names it: a folder or a URL. */
export function addressOf(source: ExtensionSource): string {
  return source.kind === 'git' ? source.address : source.path;
}

/** Downloads an extension to install. @param text a folder, a URL, or `NAME@MARKET` */
export async function fetchSource(
  surface: CommandContext,
  access: ExtensionAccess,
  text: string,
  ref: string | undefined,
): Promise<FetchedSource> {
  const [, plugin, market] = /^([a-z0-9][\w-]*)@([a-z0-9][\w-]*)$/i.exec(text) ?? [];
  if (plugin !== undefined && market !== undefined) return fetchPlugin(surface, access, plugin, market);
  const source = parseSource(text, ref, sourceBasesOf(surface, access));
  const fetched = await surface.user.working(t('Folio: fetching the extension'), signal =>
    access.folders.fetch(source, signal),
  );
  return { fetched, note: noteOf({ source: addressOf(source), ref: source.ref }, fetched) };
}

/** Downloads the current version of an installed extension from its recorded source. */
export async function fetchAgain(
  surface: CommandContext,
  access: ExtensionAccess,
  note: InstallMetadata,
  ref: string | undefined,
): Promise<FetchedSource> {
  const { plugin, market } = note;
  if (plugin !== undefined && market !== undefined) return fetchPlugin(surface, access, plugin, market);
  return fetchSource(surface, access, note.source, ref ?? note.ref);
}

async function fetchPlugin(
  surface: CommandContext,
  access: ExtensionAccess,
  plugin: string,
  marketName: string,
): Promise<FetchedSource> {
  const market = (await access.folders.listMarkets()).find(({ name }) => name === marketName);
  if (!market)
    throw new CommandError(
      t('There is no marketplace {0}. Add it with /extensions market add SOURCE.', marketName),
    );
  const source = parseSource(market.source, market.ref, sourceBasesOf(surface, access));
  return surface.user.working(t('Folio: fetching {0}', plugin), async signal => {
    const open = await access.folders.openMarket(source, signal);
    try {
      const offered = findOffered(open.content, plugin, market);
      const place = checkPluginSource(offered, isHere(source) ? 'here' : 'elsewhere');
      const fetched =
        place.kind === 'inside'
          ? await open.fetch(place.path, offered.entry, signal)
          : await access.folders.fetch(place, signal);
      return {
        fetched,
        note: noteOf({ source: market.source, ref: market.ref, plugin, market: marketName }, fetched),
      };
    } finally {
      await open.close();
    }
  });
}

function findOffered(content: unknown, plugin: string, { name }: Marketplace): OfferedPlugin {
  const parsed = parseMarketplace(content);
  if (typeof parsed === 'string')
    throw new CommandError(t('The plugin list of the marketplace {0} {1}.', name, parsed));
  const offered = parsed.plugins.find(each => each.name === plugin);
  const some = parsed.plugins.map(each => each.name).join(', ');
  if (offered) return offered;
  const shown = oneLine(plugin, 60);
  throw new CommandError(
    some === ''
      ? t('The marketplace {0} has no plugins, so there is no {1}.', name, shown)
      : t('The marketplace {0} has no plugin {1}. It has {2}.', name, shown, oneLine(some, 300)),
  );
}

type CheckedPlace = ExtensionSource | Extract<PluginSource, { readonly kind: 'inside' }>;

/** Checks a place from a marketplace like user input. Only a local marketplace may name local places. */
export function checkPluginSource(
  { from, entry }: Pick<OfferedPlugin, 'from' | 'entry'>,
  market: 'here' | 'elsewhere',
): CheckedPlace {
  switch (from.kind) {
    case 'inside':
      return from;
    case 'unknown':
      throw new CommandError(from.sentence);
    case 'git': {
      const source = parseSource(from.address, from.ref, {});
      if (market === 'elsewhere' && isHere(source))
        throw new CommandError(t('The marketplace gives a path on this computer. Folio does not read it.'));
      return { ...source, within: from.within, entry };
    }
  }
}

/** True for a place on this machine. */
function isHere(source: ExtensionSource): boolean {
  return source.kind === 'folder' || source.address.toLowerCase().startsWith('file:');
}

function noteOf(
  where: Pick<InstallMetadata, 'source' | 'ref' | 'plugin' | 'market'>,
  { type, commit, contents }: FetchedExtension,
): InstallMetadata {
  return { ...where, type, commit, digest: digestContents(contents) };
}
