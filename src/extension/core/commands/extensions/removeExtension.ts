import { t } from '../../../../protocol/language.ts';
import { parseManifest } from '../../extensions/manifest.ts';
import type { CommandSurface } from '../commands.ts';
import { Refusal } from '../refusal.ts';
import { agree } from './agree.ts';
import { describeNote } from './describeInstalled.ts';
import type { Words } from './parseWords.ts';
import { notInstalled } from './updateExtensions.ts';

export async function removeExtension(surface: CommandSurface, name: string, words: Words): Promise<void> {
  const { folders, additions } = await surface.installed.extensions();
  const installed = await folders.list();
  const found = installed.find(each => each.name === name);
  if (!found) throw new Refusal(notInstalled(name));
  const source = describeNote(found.note);
  const question = {
    sentence: t('Remove the extension {0}?', name),
    text:
      found.note?.type === 'link'
        ? t('It is {0}. Only the link goes, the folder that it leads to stays.', source)
        : t(
            'It is {0}. Its folder is deleted with all that stands in it, its .env too, and secrets that are kept for it are forgotten.',
            source,
          ),
    button: t('Remove'),
  };
  await agree(surface, words, question, t('The extension {0} was not removed.', name));
  await additions.refresh();
  const item = additions.all.list.find(
    each => each.item.kind === 'extension' && each.item.name === name,
  )?.item;
  const manifest = item && parseManifest(item).manifest;
  if (manifest) await additions.extensions.forget(manifest);
  await folders.remove(name);
  await additions.refresh();
  surface.user.answer(t('The extension {0} is removed.', name));
}
