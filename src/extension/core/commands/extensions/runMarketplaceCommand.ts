/* `/extensions market`: plugin marketplaces that the user added. */

import { plural, t } from '../../../../protocol/language.ts';
import { maskSecrets } from '../../../base/maskSecrets.ts';
import { oneLine } from '../../../base/text.ts';
import type { Marketplace } from '../../../platform/customizations/extensionFolders.ts';
import { CommandError } from '../../commandError.ts';
import { codeSpan, escapeInline } from '../../export/markdownText.ts';
import { type ParsedMarketplace, parseMarketplace } from '../../extensions/install/parseMarketplace.ts';
import { parseSource } from '../../extensions/install/parseSource.ts';
import type { CommandContext, ExtensionAccess } from '../commands.ts';
import { assertKnownName } from '../unknownName.ts';
import { addressOf, sourceBasesOf } from './fetchSource.ts';
import type { ExtensionArguments } from './parseExtensionArguments.ts';

/** A marketplace alone has no effect, so adding one needs no consent. */
export async function runMarketplaceCommand(
  surface: CommandContext,
  { names, ref }: Pick<ExtensionArguments, 'names' | 'ref'>,
): Promise<void> {
  const access = await surface.installed.extensions();
  const [verb = 'list', name] = names;
  switch (verb) {
    case 'list':
      return name === undefined ? listMarkets(surface, access) : listPlugins(surface, access, name);
    case 'add':
      if (name === undefined)
        throw new CommandError(t('Add a folder or an address: /extensions market add SOURCE.'));
      return addMarket(surface, access, { name: '', source: name, ref });
    case 'update':
      return updateMarkets(surface, access, name);
    case 'remove':
      if (name === undefined) throw new CommandError(t('Add a name: /extensions market remove NAME.'));
      return remove(surface, access, name);
    default:
      throw new CommandError(
        t(
          '/extensions market does not know “{0}”: use add SOURCE, list, update or remove NAME.',
          oneLine(verb, 40),
        ),
      );
  }
}

/** Marketplaces are read on each use, so an update reads them and lists their current content. */
async function updateMarkets(
  surface: CommandContext,
  access: ExtensionAccess,
  name: string | undefined,
): Promise<void> {
  const markets = await access.folders.listMarkets();
  const wanted = markets.filter(each => name === undefined || each.name === name);
  if (name !== undefined)
    assertKnownName(
      name,
      markets.map(each => each.name),
    );
  for (const market of wanted) {
    const parsed = await readMarket(surface, access, market);
    surface.user.answer(
      plural(
        parsed.plugins.length,
        'one: {1} offers {0} plugin now. | other: {1} offers {0} plugins now.',
        market.name,
      ),
    );
  }
  if (markets.length === 0)
    throw new CommandError(t('There is no marketplace. /plugin marketplace add SOURCE adds one.'));
}

async function addMarket(
  surface: CommandContext,
  access: ExtensionAccess,
  market: Marketplace,
): Promise<void> {
  const source = parseSource(market.source, market.ref, sourceBasesOf(surface, access));
  const parsed = await readMarket(surface, access, { ...market, source: addressOf(source) });
  const { name, plugins } = parsed;
  await access.folders.addMarket({ name, source: addressOf(source), ref: source.ref });
  surface.user.answer(
    plural(
      plugins.length,
      'one: The marketplace {1} is added, with {0} plugin. /extensions market list {1} shows them. | other: The marketplace {1} is added, with {0} plugins. /extensions market list {1} shows them.',
      name,
    ),
  );
}

async function listMarkets(surface: CommandContext, { folders }: ExtensionAccess): Promise<void> {
  const markets = await folders.listMarkets();
  const lines = markets.map(
    ({ name, source, ref }) =>
      `- ${codeSpan(name)}: ${ref === undefined ? escapeInline(maskSecrets(source)) : t('{0} at {1}', escapeInline(maskSecrets(source)), escapeInline(ref))}`,
  );
  const none = t('There are no marketplaces. Add one with `/extensions market add SOURCE`.');
  await surface.user.show(t('Marketplaces'), `# ${t('Marketplaces')}\n\n${lines.join('\n') || none}\n`);
}

async function listPlugins(surface: CommandContext, access: ExtensionAccess, name: string): Promise<void> {
  const market = (await access.folders.listMarkets()).find(each => each.name === name);
  if (!market) throw new CommandError(notAdded(name));
  const parsed = await readMarket(surface, access, market);
  const lines = parsed.plugins.map(
    plugin => `- ${codeSpan(`${plugin.name}@${name}`)}: ${escapeInline(plugin.description)}`,
  );
  await surface.user.show(
    t('Plugins'),
    `# ${t('Plugins of {0}', escapeInline(name))}\n\n${lines.join('\n') || t('None.')}\n`,
  );
}

async function remove(surface: CommandContext, { folders }: ExtensionAccess, name: string): Promise<void> {
  if (!(await folders.listMarkets()).some(each => each.name === name)) throw new CommandError(notAdded(name));
  await folders.removeMarket(name);
  surface.user.answer(t('The marketplace {0} is removed. What was installed from it stays.', name));
}

function notAdded(name: string): string {
  return t('There is no marketplace {0}. /extensions market list shows all marketplaces.', oneLine(name, 60));
}

function readMarket(
  surface: CommandContext,
  access: ExtensionAccess,
  { source: text, ref }: Marketplace,
): Promise<ParsedMarketplace> {
  return surface.user.working(t('Folio: reading the marketplace'), async signal => {
    const source = parseSource(text, ref, sourceBasesOf(surface, access));
    const open = await access.folders.openMarket(source, signal);
    try {
      const parsed = parseMarketplace(open.content);
      if (typeof parsed === 'string') throw new CommandError(t('The list of plugins {0}.', parsed));
      return parsed;
    } finally {
      await open.close();
    }
  });
}
