import { maskSecrets } from '../../../base/maskSecrets.ts';
import type { ExtensionSource, FetchedExtension, InstallNote } from '../../../platform/extensionFolders.ts';
import { type Described, describeExtension } from '../../extensions/install/brought.ts';
import { parseSource } from '../../extensions/install/parseSource.ts';
import { type CommandSurface, type ExtensionAccess, type Refusal, refuse } from '../commands.ts';
import { agree, describeBrought } from './agree.ts';
import type { Words } from './parseWords.ts';

/** @param text a folder or an address */
export async function installExtension(
  surface: CommandSurface,
  text: string,
  words: Words,
): Promise<Refusal | undefined> {
  const access = await surface.extensions();
  const source = parseSource(text, words.ref, placesOf(surface, access));
  if ('sentence' in source) return source;
  const fetched = await surface.working('Folio: fetching the extension', signal =>
    access.folders.fetch(source, signal),
  );
  try {
    return await installFetched(surface, access, { source, fetched, words });
  } finally {
    await fetched.discard();
  }
}

export function placesOf(surface: CommandSurface, { home }: ExtensionAccess) {
  const [folder] = surface.place().folders;
  return { home, folder };
}

export function noteOf(source: ExtensionSource, { type, commit }: FetchedExtension): InstallNote {
  return { source: addressOf(source), type, ref: source.ref, commit };
}

interface Installation {
  readonly source: ExtensionSource;
  readonly fetched: FetchedExtension;
  readonly words: Words;
}

async function installFetched(
  surface: CommandSurface,
  { folders, additions }: ExtensionAccess,
  { source, fetched, words }: Installation,
): Promise<Refusal | undefined> {
  const described = describeExtension(fetched.contents);
  if (typeof described === 'string') return refuse(`Nothing was installed. ${described}`);
  const { name } = described;
  const installed = await folders.list();
  const twin = installed.find(each => each.name.toLowerCase() === name.toLowerCase());
  if (twin)
    return refuse(
      `An extension ${twin.name} is installed already. Use /extensions update ${twin.name}, or remove it first.`,
    );
  const question = {
    sentence: `Install the extension ${titleOf(described)} from ${maskSecrets(addressOf(source))}?`,
    text: describeWhole(described),
    button: 'Install',
  };
  const refusal = await agree(surface, words, question, `The extension ${name} was not installed.`);
  if (refusal) return refusal;
  await fetched.install(name, noteOf(source, fetched));
  await additions.refresh();
  surface.tell(`The extension ${titleOf(described)} is installed and counts from now on.`);
  return undefined;
}

function titleOf({ name, version }: Described): string {
  return version === '' ? name : `${name} ${version}`;
}

export function describeWhole({ brought, problems }: Pick<Described, 'brought' | 'problems'>): string {
  const wrong =
    problems.length === 0 ? '' : `\n\nIs left out:\n${problems.map(each => `  ${each}`).join('\n')}`;
  return describeBrought(brought) + wrong;
}

function addressOf(source: ExtensionSource): string {
  return source.kind === 'git' ? source.address : source.path;
}
