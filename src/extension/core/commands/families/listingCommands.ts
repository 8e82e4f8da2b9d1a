/* `/policies`, `/commands`, `/tools` and `/stats`: commands that only list. */

import { t } from '../../../../protocol/language.ts';
import type { SessionState } from '../../../../protocol/state.ts';
import type { Command } from '../commands.ts';
import { commandWithSubCommands } from '../commandWithSubCommands.ts';
import { describeStats } from '../texts/describeStats.ts';
import { describeModelStats, describeToolStats } from '../texts/describeUse.ts';

export function policiesCommand(): Command {
  return commandWithSubCommands({
    name: 'policies',
    alone: 'list',
    words: [
      {
        name: 'list',
        description: t('Show the active rules'),
        run: surface => surface.views.open('permissions'),
      },
    ],
  });
}

export function commandsCommand(): Command {
  return commandWithSubCommands({
    name: 'commands',
    alone: 'list',
    words: [
      {
        name: 'list',
        description: t('List all slash commands'),
        run: surface => surface.views.showCommands(),
      },
      {
        name: 'reload',
        description: t('Read the files of commands again'),
        run: async surface =>
          (await import('../switchCustomization.ts')).reloadCustomizations(surface, ({ commands }) =>
            t('Custom commands: {0}.', commands.entries.size),
          ),
      },
    ],
  });
}

export function statsCommand(): Command {
  const session = show(t('Statistics'), describeStats);
  return commandWithSubCommands({
    name: 'stats',
    alone: { description: t('Show tokens, cache, cost, time and models'), run: session },
    words: [
      { name: 'session', description: t('Show the usage of the session'), run: session },
      {
        name: 'model',
        description: t('Show the usage of each model'),
        run: show(t('Statistics of models'), describeModelStats),
      },
      {
        name: 'tools',
        description: t('Show the calls of each tool'),
        run: show(t('Statistics of tools'), describeToolStats),
      },
    ],
  });
}

function show(title: string, describe: (state: SessionState) => string): Command['run'] {
  return ({ user, session }) => user.show(title, describe(session.state()));
}
