/* `/agents` and `/skills`: lists them, and creates files for new ones. */

import { t } from '../../../../protocol/language.ts';
import type { LoadedCustomizations } from '../../customizations/loadedCustomizations.ts';
import type { Command, SlashSubCommand } from '../commands.ts';
import { commandWithSubCommands } from '../commandWithSubCommands.ts';
import type { CreatedKind } from '../creation/createCustomization.ts';
import { switchSubCommands } from './switchSubCommands.ts';

/** @param list shows the existing ones */
export function agentsCommand(list: Command['run']): Command {
  return commandWithSubCommands({
    name: 'agents',
    alone: 'list',
    words: [
      { name: 'list', description: t('List the available subagents'), run: list },
      {
        name: 'create',
        description: t('Write the file of a new subagent and open it'),
        argument: t('NAME --description TEXT --tools NAMES --workspace'),
        run: create('agent'),
      },
      ...switchSubCommands('agent', t('Enable a subagent'), t('Disable a subagent in this workspace')),
      reload(t('Read the files of subagents again'), ({ agentDefinitions }) =>
        t('Subagents: {0}.', agentDefinitions.size),
      ),
      {
        name: 'config',
        description: t('Set how long a subagent may work, and with which model'),
        argument: t('NAME --model MODEL --turns N --minutes N --temperature N --reset'),
        run: async (surface, argument) =>
          (await import('../configureAgent.ts')).configureAgent(surface, argument),
      },
    ],
  });
}

/** @param list shows the existing ones */
export function skillsCommand(list: Command['run']): Command {
  return commandWithSubCommands({
    name: 'skills',
    alone: 'list',
    words: [
      { name: 'list', description: t('List the available skills'), run: list },
      {
        name: 'create',
        description: t('Write the file of a new skill and open it'),
        argument: t('NAME --description WHEN --workspace'),
        run: create('skill'),
      },
      ...switchSubCommands('skill', t('Enable a skill'), t('Disable a skill in this workspace')),
      reload(t('Read the files of skills again'), ({ skills }) => t('Skills: {0}.', skills.entries.size)),
    ],
  });
}

function create(kind: CreatedKind): Command['run'] {
  return async (surface, argument) =>
    (await import('../creation/createCustomization.ts')).createCustomization(surface, kind, argument);
}

function reload(description: string, count: (additions: LoadedCustomizations) => string): SlashSubCommand {
  return {
    name: 'reload',
    aliases: ['refresh'],
    description,
    run: async surface => (await import('../switchCustomization.ts')).reloadCustomizations(surface, count),
  };
}
