/* `/agents` and `/skills`: what there is, and a new file of its kind. */

import { t } from '../../../../protocol/language.ts';
import type { Command } from '../commands.ts';
import type { CreatedKind } from '../creation/createThing.ts';
import { family } from '../family.ts';

/** @param list shows those that there are */
export function agentsCommand(list: Command['run']): Command {
  const says = {
    list: t('List the subagents that can be sent out'),
    create: t('Write the file of a new subagent and open it'),
    argument: t('NAME --description TEXT --tools NAMES --workspace'),
    enable: t('Let a subagent count again'),
    disable: t('Switch a subagent off in this workspace'),
    reload: t('Read the files of subagents again'),
  };
  const config = {
    name: 'config',
    description: t('Say how long a subagent may work, and with which model'),
    argument: t('NAME --model MODEL --turns N --minutes N --temperature N --reset'),
    run: configure,
  };
  return creationCommand('agent', list, says, [config]);
}

/** @param list shows those that there are */
export function skillsCommand(list: Command['run']): Command {
  return creationCommand('skill', list, {
    list: t('List the skills that the model can load'),
    create: t('Write the file of a new skill and open it'),
    argument: t('NAME --description WHEN --workspace'),
    enable: t('Let a skill count again'),
    disable: t('Switch a skill off in this workspace'),
    reload: t('Read the files of skills again'),
  });
}

interface Sentences {
  readonly list: string;
  readonly create: string;
  /** The words behind `create`. */
  readonly argument: string;
  readonly enable: string;
  readonly disable: string;
  readonly reload: string;
}

function creationCommand(
  kind: CreatedKind,
  list: Command['run'],
  says: Sentences,
  more: Parameters<typeof family>[0]['words'] = [],
): Command {
  return family({
    name: `${kind}s`,
    description: says.list,
    alone: list,
    words: [
      { name: 'list', description: says.list, run: list },
      { name: 'create', description: says.create, argument: says.argument, run: create(kind) },
      { name: 'enable', description: says.enable, argument: 'name', run: turn(kind, 'on') },
      { name: 'disable', description: says.disable, argument: 'name', run: turn(kind, 'off') },
      { name: 'reload', aliases: ['refresh'], description: says.reload, run: reload(kind) },
      ...more,
    ],
  });
}

function turn(kind: CreatedKind, to: 'on' | 'off'): Command['run'] {
  return async (surface, name) => {
    const { switchThing } = await import('../switchThing.ts');
    return switchThing(surface, kind, to, name);
  };
}

function reload(kind: CreatedKind): Command['run'] {
  return async surface => {
    const { reloadThings } = await import('../switchThing.ts');
    return reloadThings(surface, ({ skills, agentKinds }) =>
      kind === 'skill' ? t('Skills: {0}.', skills.entries.size) : t('Subagents: {0}.', agentKinds.size),
    );
  };
}

function create(kind: CreatedKind): Command['run'] {
  return async (surface, argument) => {
    const { createThing } = await import('../creation/createThing.ts');
    return createThing(surface, kind, argument);
  };
}

const configure: Command['run'] = async (surface, argument) => {
  const { configureAgent } = await import('../configureAgent.ts');
  return configureAgent(surface, argument);
};
