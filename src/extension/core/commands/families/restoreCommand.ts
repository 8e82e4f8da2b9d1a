/* `/restore`: lists restore points and returns to one by number. */

import type { RewindScope } from '../../../../protocol/intentions.ts';
import { plural, t } from '../../../../protocol/language.ts';
import { rewindPoints } from '../../../../protocol/state.ts';
import { oneLine } from '../../../base/text.ts';
import { CommandError } from '../../commandError.ts';
import { escapeInline } from '../../export/markdownText.ts';
import type { Command, CommandContext } from '../commands.ts';
import { commandWithSubCommands } from '../commandWithSubCommands.ts';

export function restoreCommand(): Command {
  return commandWithSubCommands({
    name: 'restore',
    alone: 'list',
    words: [{ name: 'list', description: t('List the points that can be gone back to'), run: listPoints }],
    other: { argument: 'number', run: restore },
  });
}

const scopes: readonly RewindScope[] = ['files', 'conversation', 'both'];
const nothing = () => t('There is nothing to go back to yet.');

async function listPoints(surface: CommandContext): Promise<void> {
  const prompts = rewindPoints(surface.session.state());
  if (prompts.length === 0) throw new CommandError(nothing());
  const lines = prompts.map(({ text }, index) => `${index + 1}. ${escapeInline(oneLine(text, 100))}`);
  const hint = t(
    'Go back to before one of them with `/restore NUMBER`. Add `files` or `conversation` to restore only one of the two.',
  );
  await surface.user.show(
    t('Points to go back to'),
    `# ${t('Points to go back to')}\n\n${lines.join('\n')}\n\n${hint}\n`,
  );
}

/** Parses `2` or `2 files`; returns undefined if it is no number. */
function restore(surface: CommandContext, argument: string): Promise<unknown> | undefined {
  const [number = '', word, ...more] = argument.split(/\s+/);
  if (!/^\d{1,9}$/.test(number)) return undefined;
  return restoreTo(surface, Number(number), more.length > 0 ? more.join(' ') : word);
}

async function restoreTo(
  surface: CommandContext,
  number: number,
  word: string | undefined,
): Promise<unknown> {
  const scope = scopes.find(each => each === word);
  if (word !== undefined && !scope)
    throw new CommandError(
      t('“{0}” cannot be restored: use files, conversation or both.', oneLine(word, 40)),
    );
  const prompts = rewindPoints(surface.session.state());
  const prompt = prompts[number - 1];
  if (prompts.length === 0) throw new CommandError(nothing());
  if (!prompt)
    throw new CommandError(
      plural(
        prompts.length,
        'one: There is no point {1}: the session has {0} prompt. | other: There is no point {1}: the session has {0} prompts.',
        number,
      ),
    );
  return await surface.session.rewind({ number, turnId: prompt.id, scope });
}
