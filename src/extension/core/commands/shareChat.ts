/* `/chat share`: exports the conversation to a file, without secrets of known formats. */

import { extname, resolve } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import { utf8Format } from '../../platform/fileSystem.ts';
import { CommandError } from '../commandError.ts';
import { exportFileName } from '../export/fileName.ts';
import { sessionJson } from '../export/sessionJson.ts';
import { sessionMarkdown } from '../export/sessionMarkdown.ts';
import type { CommandContext } from './commands.ts';

/** @param typed path relative to the first folder; empty: named after the conversation */
export async function shareChat(surface: CommandContext, typed: string): Promise<void> {
  const state = surface.session.state();
  const { folders, trusted } = surface.place();
  const [folder] = folders;
  if (state.title === '') throw new CommandError(t('This conversation is empty.'));
  if (folder === undefined) throw new CommandError(t('No folder is open to write the file into.'));
  if (!trusted)
    throw new CommandError(t('The workspace is restricted, so nothing is written. Trust it first.'));
  const path = resolve(folder, typed.trim() || exportFileName(state.title, 'md'));
  const kind = extname(path).toLowerCase();
  if (kind !== '.md' && kind !== '.json')
    throw new CommandError(t('Name a file that ends in .md or .json, not {0}.', oneLine(typed, 60)));
  if (await surface.files.stat(path))
    throw new CommandError(t('{0} already exists. Give another name.', path));
  try {
    await surface.files.writeText(
      path,
      kind === '.md' ? sessionMarkdown(state) : sessionJson(state),
      utf8Format,
    );
  } catch (error) {
    throw new CommandError(t('The conversation was not written: {0}', messageOf(error)));
  }
  surface.user.answer(t('The conversation is in {0}.', path));
}
