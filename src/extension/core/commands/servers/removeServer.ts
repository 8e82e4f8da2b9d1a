/* `/mcp remove`: removes a server from the file that `/mcp add` writes. */

import { t } from '../../../../protocol/language.ts';
import { isRecord } from '../../../base/record.ts';
import type { ServerScope } from '../../../platform/customizations/serverFiles.ts';
import { CommandError } from '../../commandError.ts';
import type { CommandContext } from '../commands.ts';
import type { ServerAccess } from '../serverAccess.ts';
import { unknownName } from '../unknownName.ts';
import { parseRemoval } from './parseAddServerArguments.ts';

export async function removeServer(surface: CommandContext, argument: string): Promise<void> {
  const intent = parseRemoval(argument);
  const { folders, trusted } = surface.place();
  if (!trusted && intent.place !== 'person')
    throw new CommandError(
      t('The workspace is restricted, so its files are not written. Trust it first, or use --scope user.'),
    );
  const access = await surface.installed.servers();
  const places: readonly ServerScope[] = folders.length === 0 ? ['person'] : ['workspace', 'person'];
  await removeFrom(surface, access, intent.name, intent.place ? [intent.place] : places);
}

async function removeFrom(
  surface: CommandContext,
  access: ServerAccess,
  name: string,
  places: readonly ServerScope[],
): Promise<void> {
  const { files, all } = access;
  const read = await Promise.all(places.map(async place => ({ place, servers: await files.read(place) })));
  const holding = read.filter(({ servers }) => Object.hasOwn(servers, name));
  const [only, other] = holding;
  if (only && other && files.path(only.place) !== files.path(other.place))
    throw new CommandError(
      t('Two files name a server {0}: say which with --scope user or --scope project.', name),
    );
  if (!only) {
    expectWritable(name, access);
    throw unknownName(
      name,
      read.flatMap(({ servers }) => Object.keys(servers)),
    );
  }
  const { place, servers } = only;
  const path = files.path(place)!;
  await files.write(place, name, undefined);
  const entry = servers[name];
  if (isRecord(entry)) await access.forget?.({ place, path, name, entry });
  await all.refresh();
  surface.user.answer(t('The server {0} was removed from {1}.', name, path));
}

/** The server may be defined in a file that this command does not write. */
function expectWritable(name: string, { all }: ServerAccess): void {
  const elsewhere = all.list.find(({ item }) => item.kind === 'server' && item.name === name);
  if (elsewhere)
    throw new CommandError(
      t(
        'The server {0} is defined in {1}. Remove it there: /mcp remove changes only .gemini/settings.json.',
        name,
        elsewhere.item.path,
      ),
    );
}
