/* `/agents` and `/skills`: what there is, and a new file of its kind. */

import { t } from '../../../../protocol/language.ts';
import type { Command } from '../commands.ts';
import type { CreatedKind } from '../creation/createThing.ts';
import { family } from '../family.ts';

/** @param list shows those that there are */
export function agentsCommand(list: Command['run']): Command {
  return creationCommand('agent', list, {
    list: t('List the subagents that can be sent out'),
    create: t('Write the file of a new subagent and open it'),
    argument: t('NAME --description TEXT --tools NAMES --workspace'),
  });
}

/** @param list shows those that there are */
export function skillsCommand(list: Command['run']): Command {
  return creationCommand('skill', list, {
    list: t('List the skills that the model can load'),
    create: t('Write the file of a new skill and open it'),
    argument: t('NAME --description WHEN --workspace'),
  });
}

interface Sentences {
  readonly list: string;
  readonly create: string;
  /** The words behind `create`. */
  readonly argument: string;
}

function creationCommand(kind: CreatedKind, list: Command['run'], says: Sentences): Command {
  return family({
    name: `${kind}s`,
    description: says.list,
    alone: list,
    words: [
      { name: 'list', description: says.list, run: list },
      { name: 'create', description: says.create, argument: says.argument, run: create(kind) },
    ],
  });
}

function create(kind: CreatedKind): Command['run'] {
  return async (surface, argument) => {
    const { createThing } = await import('../creation/createThing.ts');
    return createThing(surface, kind, argument);
  };
}
