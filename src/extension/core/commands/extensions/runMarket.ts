/* `/extensions market`: lists of plugins that the person added. */

import { maskSecrets } from '../../../base/maskSecrets.ts';
import { oneLine, plural } from '../../../base/text.ts';
import type { Market } from '../../../platform/customizations/extensionFolders.ts';
import { codeSpan, escapeInline } from '../../export/markdownText.ts';
import { type ParsedMarket, parseMarket } from '../../extensions/install/parseMarket.ts';
import { parseSource } from '../../extensions/install/parseSource.ts';
import type { CommandSurface, ExtensionAccess } from '../commands.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { addressOf, placesOf } from './fetchWanted.ts';
import type { Words } from './parseWords.ts';

/** Nothing of a marketplace counts by itself, so adding one asks nothing. */
export async function runMarket(
  surface: CommandSurface,
  { names, ref }: Pick<Words, 'names' | 'ref'>,
): Promise<Refusal | undefined> {
  const access = await surface.installed.extensions();
  const [verb = 'list', name] = names;
  switch (verb) {
    case 'list':
      return name === undefined ? listMarkets(surface, access) : listPlugins(surface, access, name);
    case 'add':
      if (name === undefined)
        return refuse('Say which: /extensions market add SOURCE, a folder or an address.');
      return addMarket(surface, access, { name: '', source: name, ref });
    case 'remove':
      return name === undefined
        ? refuse('Say which: /extensions market remove NAME.')
        : remove(surface, access, name);
    default:
      return refuse(
        `/extensions market does not know “${oneLine(verb, 40)}”: use add SOURCE, list or remove NAME.`,
      );
  }
}

async function addMarket(
  surface: CommandSurface,
  access: ExtensionAccess,
  market: Market,
): Promise<Refusal | undefined> {
  const source = parseSource(market.source, market.ref, placesOf(surface, access));
  if ('sentence' in source) return source;
  const parsed = await readMarket(surface, access, { ...market, source: addressOf(source) });
  if ('sentence' in parsed) return parsed;
  const { name, plugins } = parsed;
  await access.folders.addMarket({ name, source: addressOf(source), ref: source.ref });
  surface.person.answer(
    `The marketplace ${name} is added, with ${plural(plugins.length, 'plugin')}. /extensions market list ${name} shows them.`,
  );
  return undefined;
}

async function listMarkets(surface: CommandSurface, { folders }: ExtensionAccess): Promise<undefined> {
  const markets = await folders.listMarkets();
  const lines = markets.map(
    ({ name, source, ref }) =>
      `- ${codeSpan(name)}: ${escapeInline(maskSecrets(source))}${ref === undefined ? '' : ` at ${escapeInline(ref)}`}`,
  );
  const none = 'There are no marketplaces. Add one with `/extensions market add SOURCE`.';
  await surface.person.show('Marketplaces', `# Marketplaces\n\n${lines.join('\n') || none}\n`);
}

async function listPlugins(
  surface: CommandSurface,
  access: ExtensionAccess,
  name: string,
): Promise<Refusal | undefined> {
  const market = (await access.folders.listMarkets()).find(each => each.name === name);
  if (!market) return refuse(notAdded(name));
  const parsed = await readMarket(surface, access, market);
  if ('sentence' in parsed) return parsed;
  const lines = parsed.plugins.map(
    plugin => `- ${codeSpan(`${plugin.name}@${name}`)}: ${escapeInline(plugin.description)}`,
  );
  await surface.person.show(
    'Plugins',
    `# Plugins of ${escapeInline(name)}\n\n${lines.join('\n') || 'None.'}\n`,
  );
  return undefined;
}

async function remove(
  surface: CommandSurface,
  { folders }: ExtensionAccess,
  name: string,
): Promise<Refusal | undefined> {
  if (!(await folders.listMarkets()).some(each => each.name === name)) return refuse(notAdded(name));
  await folders.removeMarket(name);
  surface.person.answer(`The marketplace ${name} is removed. What was installed from it stays.`);
  return undefined;
}

function notAdded(name: string): string {
  return `No marketplace ${oneLine(name, 60)} was added. /extensions market list shows those that were.`;
}

function readMarket(
  surface: CommandSurface,
  access: ExtensionAccess,
  { source: text, ref }: Market,
): Promise<ParsedMarket | Refusal> {
  return surface.person.working('Folio: reading the marketplace', async signal => {
    const source = parseSource(text, ref, placesOf(surface, access));
    if ('sentence' in source) return source;
    const open = await access.folders.openMarket(source, signal);
    try {
      const parsed = parseMarket(open.content);
      return typeof parsed === 'string' ? refuse(`Its list ${parsed}.`) : parsed;
    } finally {
      await open.close();
    }
  });
}
