/* `/policies`, `/commands`, `/tools` and `/stats`: commands that only list. */

import { t } from '../../../../protocol/language.ts';
import type { Command, CommandSurface } from '../commands.ts';
import { family } from '../family.ts';
import { describeStats } from '../texts/describeStats.ts';
import { describeModelStats, describeToolStats } from '../texts/describeUse.ts';

export function policiesCommand(): Command {
  const show: Command['run'] = surface => surface.views.open('permissions');
  const description = t('Show the rules in force');
  return family({
    name: 'policies',
    description,
    alone: show,
    words: [{ name: 'list', description, run: show }],
  });
}

export function commandsCommand(): Command {
  const list: Command['run'] = async surface => {
    await surface.views.showCommands();
    return undefined;
  };
  const description = t('List all slash commands');
  return family({
    name: 'commands',
    description,
    alone: list,
    words: [
      { name: 'list', description, run: list },
      {
        name: 'reload',
        description: t('Read the files of commands again'),
        run: async surface => {
          const { reloadThings } = await import('../switchThing.ts');
          return reloadThings(surface, ({ commands }) => t('Commands of files: {0}.', commands.entries.size));
        },
      },
    ],
  });
}

export function statsCommand(): Command {
  const session = show(t('Statistics'), describeStats);
  return family({
    name: 'stats',
    description: t('Show tokens, cache, cost, time and models'),
    alone: session,
    words: [
      { name: 'session', description: t('Show what the session took'), run: session },
      {
        name: 'model',
        description: t('Show what each model took'),
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

function show(
  title: string,
  describe: (state: ReturnType<CommandSurface['session']['state']>) => string,
): Command['run'] {
  return async ({ user, session }) => {
    await user.show(title, describe(session.state()));
    return undefined;
  };
}
