/* `/chat`: copies of a conversation under names. Each is a regular session. */

import { languageTag, t } from '../../../../protocol/language.ts';
import { nearestNames } from '../../../base/similarity.ts';
import { oneLine, sanitiseLine } from '../../../base/text.ts';
import { CommandError } from '../../commandError.ts';
import { codeSpan } from '../../export/markdownText.ts';
import type { SavedChat } from '../chats.ts';
import type { Command, CommandContext } from '../commands.ts';
import { commandWithSubCommands } from '../commandWithSubCommands.ts';

export function chatCommand(): Command {
  return commandWithSubCommands({
    name: 'chat',
    alone: 'list',
    words: [
      {
        name: 'save',
        description: t('Keep a copy of the conversation under a name'),
        argument: 'name',
        run: save,
      },
      { name: 'list', description: t('List the conversations that have a name'), run: listChats },
      {
        name: 'resume',
        aliases: ['load'],
        description: t('Continue with a conversation that has a name'),
        argument: 'name',
        run: (surface, name) => withChat(surface, 'resume', name, chat => surface.session.chats.open(chat)),
      },
      {
        name: 'share',
        description: t('Write the conversation into a file, as Markdown or JSON'),
        argument: t('file'),
        run: async (surface, file) => (await import('../shareChat.ts')).shareChat(surface, file),
      },
      {
        name: 'delete',
        description: t('Delete a conversation that has a name'),
        argument: 'name',
        run: (surface, name) => withChat(surface, 'delete', name, chat => surface.session.chats.remove(chat)),
      },
    ],
  });
}

/** Characters of a name, as for titles. */
const nameLimit = 80;

async function listChats({ session, user }: CommandContext): Promise<void> {
  const saved = await session.chats.list();
  const lines = saved.map(
    ({ name, changedAt }) => `- ${codeSpan(name)}, ${new Date(changedAt).toLocaleString(languageTag())}`,
  );
  const text =
    lines.length === 0
      ? t('No conversation has a name yet. `/chat save NAME` keeps a copy of this one.')
      : lines.join('\n');
  await user.show(t('Saved conversations'), `# ${t('Saved conversations')}\n\n${text}\n`);
}

async function save(surface: CommandContext, typed: string): Promise<void> {
  const name = sanitiseLine(typed, nameLimit);
  if (name === '') throw new CommandError(t('Add a name: /chat save NAME.'));
  if (surface.session.state().title === '') throw new CommandError(t('This conversation is empty.'));
  if (findChat(name, await surface.session.chats.list()))
    throw new CommandError(
      t(
        'A conversation is called “{0}” already. Choose another name, or delete it first: /chat delete {1}.',
        name,
        name,
      ),
    );
  await surface.session.chats.save(name);
  surface.user.answer(t('A copy is kept as “{0}”. Continue with it by /chat resume {1}.', name, name));
}

async function withChat(
  { session }: CommandContext,
  word: string,
  typed: string,
  act: (chat: SavedChat) => Promise<unknown>,
): Promise<unknown> {
  const name = sanitiseLine(typed, nameLimit);
  if (name === '') throw new CommandError(t('Add a name: /chat {0} NAME. /chat list shows the names.', word));
  const saved = await session.chats.list();
  const chat = findChat(name, saved);
  if (chat) return await act(chat);
  const [nearest] = nearestNames(
    name,
    saved.map(each => each.name),
  );
  const hint =
    nearest === undefined ? t('/chat save NAME keeps a copy of one.') : t('Did you mean “{0}”?', nearest);
  throw new CommandError(t('No conversation is called “{0}”. {1}', oneLine(name, 60), hint));
}

/** Finds the newest one of this name. */
function findChat(name: string, saved: readonly SavedChat[]): SavedChat | undefined {
  const plain = name.toLowerCase();
  return saved.find(chat => chat.name === name) ?? saved.find(chat => chat.name.toLowerCase() === plain);
}
