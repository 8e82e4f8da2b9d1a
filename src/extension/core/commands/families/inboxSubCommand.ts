/* `/memory inbox`: facts and skills proposed by sessions, to accept, edit or drop by number. */

import { t } from '../../../../protocol/language.ts';
import { LocalizedError, messageOf } from '../../../base/errors.ts';
import { CommandError } from '../../commandError.ts';
import { describeInbox } from '../../context/inbox/describeInbox.ts';
import type { Inbox, InboxDecision } from '../../context/inbox/inbox.ts';
import type { CommandContext, SlashSubCommand } from '../commands.ts';
import { commandWithSubCommands } from '../commandWithSubCommands.ts';
import { parseOptions } from '../options.ts';

export function inboxSubCommand(): SlashSubCommand {
  return commandWithSubCommands({
    name: 'inbox',
    alone: { description: t('Review what sessions propose to remember'), run: showInbox },
    words: [
      {
        name: 'accept',
        description: t('Keep an entry, in the memory file of the workspace or with --user in your own'),
        argument: 'N [--user]',
        run: acceptEntry,
      },
      {
        name: 'edit',
        description: t('Change the text of an entry'),
        argument: t('N and text'),
        run: editEntry,
      },
      {
        name: 'drop',
        description: t('Drop an entry. It is not proposed again'),
        argument: 'N',
        run: dropEntry,
      },
    ],
  });
}

async function showInbox(surface: CommandContext): Promise<void> {
  return withInbox(surface, async inbox => {
    if (!(await surface.views.showPage('inbox')))
      await surface.user.show(t('Memory inbox'), describeInbox(await inbox.list()));
  });
}

async function acceptEntry(surface: CommandContext, words: string): Promise<void> {
  const parsed = parseOptions(words, [], ['user']);
  return decide(surface, parsed.names.join(' '), async (inbox, number) => {
    const decided = await inbox.accept(number, parsed.flags.has('user') ? 'user' : 'workspace');
    return { decided, say: ({ path = '', entry }) => t('Kept in {0}: {1}', path, titleOf(entry)) };
  });
}

async function editEntry(surface: CommandContext, words: string): Promise<void> {
  const [, number = '', text = ''] = /^(\S*)\s*([\s\S]*)$/.exec(words) ?? [];
  if (text === '')
    throw new CommandError(t('Add the number of the entry and its new text: /memory inbox edit N WORDS.'));
  return decide(surface, number, async (inbox, of) => {
    return {
      decided: await inbox.edit(of, text),
      say: ({ entry }) => t('Entry {0} says now: {1}', of, entry.text),
    };
  });
}

async function dropEntry(surface: CommandContext, words: string): Promise<void> {
  return decide(surface, words, async (inbox, number) => {
    return { decided: await inbox.drop(number), say: ({ entry }) => t('Dropped: {0}', titleOf(entry)) };
  });
}

interface Decision {
  readonly decided: InboxDecision;
  readonly say: (done: Extract<InboxDecision, { kind: 'done' }>) => string;
}

async function decide(
  surface: CommandContext,
  word: string,
  act: (inbox: Inbox, number: number) => Promise<Decision>,
): Promise<void> {
  if (!/^[1-9]\d{0,8}$/.test(word))
    throw new CommandError(t('Add the number of an entry. /memory inbox lists them.'));
  return withInbox(surface, async inbox => {
    const { decided, say } = await act(inbox, Number(word));
    if (decided.kind === 'refused') throw new CommandError(decided.sentence);
    surface.user.answer(say(decided));
  });
}

/** Reports a damaged or locked file to the user. */
async function withInbox(surface: CommandContext, work: (inbox: Inbox) => Promise<void>): Promise<void> {
  try {
    return await work(await surface.installed.inbox());
  } catch (error) {
    if (error instanceof LocalizedError) throw new CommandError(messageOf(error));
    throw error;
  }
}

function titleOf(entry: Extract<InboxDecision, { kind: 'done' }>['entry']): string {
  return entry.kind === 'skill' ? t('skill {0}', entry.name) : entry.text;
}
