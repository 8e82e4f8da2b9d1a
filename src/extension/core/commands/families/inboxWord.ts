/* `/memory inbox`: facts and skills that sessions propose to keep, each accepted, edited or dropped by its number. */

import { t } from '../../../../protocol/language.ts';
import { messageOf, SpokenError } from '../../../base/errors.ts';
import { describeInbox } from '../../context/inbox/describeInbox.ts';
import type { Decided, Inbox } from '../../context/inbox/inbox.ts';
import type { CommandSurface, SubCommand } from '../commands.ts';
import { family } from '../family.ts';
import { parseOptions } from '../options.ts';
import { type Refusal, refuse } from '../refusal.ts';

export function inboxWord(): SubCommand {
  return family({
    name: 'inbox',
    description: t('Decide on what sessions propose to keep'),
    alone: showInbox,
    words: [
      {
        name: 'accept',
        description: t('Keep an entry, in the memory file of the workspace or with --user in your own'),
        argument: 'N [--user]',
        run: acceptEntry,
      },
      {
        name: 'edit',
        description: t('Put other words in place of an entry'),
        argument: t('N and words'),
        run: editEntry,
      },
      {
        name: 'drop',
        description: t('Drop an entry, which is not proposed again'),
        argument: 'N',
        run: dropEntry,
      },
    ],
  });
}

async function showInbox(surface: CommandSurface): Promise<Refusal | undefined> {
  return withInbox(surface, async inbox => {
    if (await surface.views.showInbox()) return undefined;
    await surface.user.show(t('Memory inbox'), describeInbox(await inbox.list()));
    return undefined;
  });
}

async function acceptEntry(surface: CommandSurface, words: string): Promise<Refusal | undefined> {
  const parsed = parseOptions(words, [], ['user']);
  if ('sentence' in parsed) return parsed;
  return decide(surface, parsed.names.join(' '), async (inbox, number) => {
    const decided = await inbox.accept(number, parsed.flags.has('user') ? 'user' : 'workspace');
    return { decided, say: ({ path = '', entry }) => t('Kept in {0}: {1}', path, titleOf(entry)) };
  });
}

async function editEntry(surface: CommandSurface, words: string): Promise<Refusal | undefined> {
  const [, number = '', text = ''] = /^(\S*)\s*([\s\S]*)$/.exec(words) ?? [];
  if (text === '') return refuse(t('Say which entry, and its new words: /memory inbox edit N WORDS.'));
  return decide(surface, number, async (inbox, of) => {
    return {
      decided: await inbox.edit(of, text),
      say: ({ entry }) => t('Entry {0} says now: {1}', of, entry.text),
    };
  });
}

async function dropEntry(surface: CommandSurface, words: string): Promise<Refusal | undefined> {
  return decide(surface, words, async (inbox, number) => {
    return { decided: await inbox.drop(number), say: ({ entry }) => t('Dropped: {0}', titleOf(entry)) };
  });
}

interface Decision {
  readonly decided: Decided;
  readonly say: (done: Extract<Decided, { kind: 'done' }>) => string;
}

async function decide(
  surface: CommandSurface,
  word: string,
  act: (inbox: Inbox, number: number) => Promise<Decision>,
): Promise<Refusal | undefined> {
  if (!/^[1-9]\d{0,8}$/.test(word)) return refuse(t('Say the number of an entry; /memory inbox lists them.'));
  return withInbox(surface, async inbox => {
    const { decided, say } = await act(inbox, Number(word));
    if (decided.kind === 'refused') return refuse(decided.sentence);
    surface.user.answer(say(decided));
    return undefined;
  });
}

/** A damaged file, or one that another window holds, is the user's to know of. */
async function withInbox(
  surface: CommandSurface,
  work: (inbox: Inbox) => Promise<Refusal | undefined>,
): Promise<Refusal | undefined> {
  try {
    return await work(await surface.installed.inbox());
  } catch (error) {
    if (error instanceof SpokenError) return refuse(messageOf(error));
    throw error;
  }
}

function titleOf(entry: Extract<Decided, { kind: 'done' }>['entry']): string {
  return entry.kind === 'skill' ? t('skill {0}', entry.name) : entry.text;
}
