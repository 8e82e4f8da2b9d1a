/* `/chat`: copies of a conversation under names. Each is a session like any other, with a name of its own. */

import { nearestNames } from '../../../base/similarity.ts';
import { oneLine, plainLine } from '../../../base/text.ts';
import { codeSpan } from '../../export/markdownText.ts';
import type { SavedChat } from '../chats.ts';
import type { CommandSurface } from '../commands.ts';
import { family } from '../family.ts';
import { type Refusal, refuse } from '../refusal.ts';

export const chatCommand = family({
  name: 'chat',
  description: 'List the conversations that have a name',
  alone: listChats,
  words: [
    {
      name: 'save',
      description: 'Keep a copy of the conversation under a name',
      argument: 'name',
      run: save,
    },
    { name: 'list', description: 'List the conversations that have a name', run: listChats },
    {
      name: 'resume',
      aliases: ['load'],
      description: 'Go on with a conversation that has a name',
      argument: 'name',
      run: (surface, name) => withChat(surface, 'resume', name, chat => surface.session.chats.open(chat)),
    },
    {
      name: 'delete',
      description: 'Delete a conversation that has a name',
      argument: 'name',
      run: (surface, name) => withChat(surface, 'delete', name, chat => surface.session.chats.remove(chat)),
    },
  ],
});

/** Characters of a name, as of titles. */
const nameLimit = 80;

async function listChats({ session, person }: CommandSurface): Promise<undefined> {
  const saved = await session.chats.list();
  const lines = saved.map(
    ({ name, changedAt }) => `- ${codeSpan(name)}, ${new Date(changedAt).toLocaleString()}`,
  );
  const text =
    lines.length === 0
      ? 'No conversation has a name yet. `/chat save NAME` keeps a copy of this one.'
      : lines.join('\n');
  await person.show('Saved conversations', `# Saved conversations\n\n${text}\n`);
}

async function save(surface: CommandSurface, typed: string): Promise<Refusal | undefined> {
  const name = plainLine(typed, nameLimit);
  if (name === '') return refuse('Say under which name: /chat save NAME.');
  if (surface.session.state().title === '') return refuse('Nothing was said in this conversation yet.');
  if (findChat(name, await surface.session.chats.list()))
    return refuse(
      `A conversation is called “${name}” already. Choose another name, or delete it first: /chat delete ${name}.`,
    );
  await surface.session.chats.save(name);
  surface.person.answer(`A copy is kept as “${name}”. Go on with it by /chat resume ${name}.`);
  return undefined;
}

async function withChat(
  { session }: CommandSurface,
  word: string,
  typed: string,
  act: (chat: SavedChat) => Promise<Refusal | undefined>,
): Promise<Refusal | undefined> {
  const name = plainLine(typed, nameLimit);
  if (name === '') return refuse(`Say which: /chat ${word} NAME. /chat list shows the names.`);
  const saved = await session.chats.list();
  const chat = findChat(name, saved);
  if (chat) return await act(chat);
  const [nearest] = nearestNames(
    name,
    saved.map(each => each.name),
  );
  const hint =
    nearest === undefined ? '/chat save NAME keeps a copy of one.' : `The nearest is “${nearest}”.`;
  return refuse(`No conversation is called “${oneLine(name, 60)}”. ${hint}`);
}

/** The newest of those that are called so. */
function findChat(name: string, saved: readonly SavedChat[]): SavedChat | undefined {
  const plain = name.toLowerCase();
  return saved.find(chat => chat.name === name) ?? saved.find(chat => chat.name.toLowerCase() === plain);
}
