import { t } from '../../../../protocol/language.ts';
import { CommandError } from '../../commandError.ts';
import { type DescribedExtension, describeExtension } from '../../extensions/install/extensionItems.ts';
import type { CommandContext, ExtensionAccess } from '../commands.ts';
import { askToAgree, describeExtensionItems } from './agree.ts';
import { describeNote } from './describeInstalled.ts';
import { makeNameItems } from './effectiveNames.ts';
import { type FetchedSource, fetchSource } from './fetchSource.ts';
import type { ExtensionArguments } from './parseExtensionArguments.ts';

/** @param text a folder, a URL, or `NAME@MARKET` */
export async function installExtension(
  surface: CommandContext,
  text: string,
  words: ExtensionArguments,
  how: 'copied' | 'linked' = 'copied',
): Promise<void> {
  const access = await surface.installed.extensions();
  const wanted = await fetchSource(surface, access, text, words.ref);
  try {
    return await installFetched(surface, access, wanted, words, how);
  } finally {
    await wanted.fetched.discard();
  }
}

async function installFetched(
  surface: CommandContext,
  access: ExtensionAccess,
  { fetched, note }: FetchedSource,
  words: ExtensionArguments,
  how: 'copied' | 'linked',
): Promise<void> {
  const { folders, additions } = access;
  if (how === 'linked' && (note.type !== 'local' || note.plugin !== undefined))
    throw new CommandError(t('You can only link a folder. Use /extensions install for anything else.'));
  const described = await describeExtension(fetched.contents, makeNameItems(access));
  if (typeof described === 'string') throw new CommandError(t('Nothing was installed. {0}', described));
  const { name } = described;
  const installed = await folders.list();
  const twin = installed.find(each => each.name.toLowerCase() === name.toLowerCase());
  if (twin)
    throw new CommandError(
      t('An extension {0} is installed already. Use /extensions update {0}, or remove it first.', twin.name),
    );
  const question = {
    sentence: t('Install the extension {0} {1}?', titleOf(described), describeNote(note)),
    text: describeWhole(described),
    button: t('Install'),
  };
  await askToAgree(surface, words, question, t('The extension {0} was not installed.', name));
  await (how === 'linked' ? folders.link(name, note.source) : fetched.install(name, note));
  await additions.refresh();
  surface.user.answer(t('The extension {0} is installed and active.', titleOf(described)));
}

function titleOf({ name, version }: DescribedExtension): string {
  return version === '' ? name : `${name} ${version}`;
}

function describeWhole({ brought, problems }: Pick<DescribedExtension, 'brought' | 'problems'>): string {
  const wrong =
    problems.length === 0 ? '' : `\n\n${t('Ignored:\n{0}', problems.map(each => `  ${each}`).join('\n'))}`;
  return describeExtensionItems(brought) + wrong;
}
