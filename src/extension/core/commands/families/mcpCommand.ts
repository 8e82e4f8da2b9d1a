/* `/mcp`: servers of the Model Context Protocol. The code for changes is loaded with the first one. */

import { t } from '../../../../protocol/language.ts';
import { messageOf } from '../../../base/errors.ts';
import type { Command, CommandSurface } from '../commands.ts';
import { family } from '../family.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { ServerAccess } from '../serverAccess.ts';
import { describeSchemas, describeServers } from '../servers/describeServers.ts';
import { findUnknown } from '../unknownName.ts';

export function mcpCommand(): Command {
  return family({
    name: 'mcp',
    description: t('Show the servers of the Model Context Protocol'),
    alone: surface => surface.views.open('servers'),
    words: [
      {
        name: 'list',
        aliases: ['ls'],
        description: t('List the servers and how they are'),
        run: lists('names'),
      },
      {
        name: 'desc',
        aliases: ['descriptions'],
        description: t('List the servers with their tools and what those do'),
        run: lists('tools'),
      },
      {
        name: 'schema',
        description: t('List the tools of the servers with their arguments'),
        argument: 'name',
        run: showSchemas,
      },
      {
        name: 'enable',
        description: t('Let a server count again'),
        argument: 'name',
        run: turn('on'),
      },
      {
        name: 'disable',
        description: t('Switch a server off in this workspace'),
        argument: 'name',
        run: turn('off'),
      },
      {
        name: 'add',
        description: t('Start a server and write it into .gemini/settings.json'),
        argument: t('name, then command or address'),
        run: async (surface, argument) => {
          const { addServer } = await import('../servers/addServer.ts');
          return await addServer(surface, argument);
        },
      },
      {
        name: 'remove',
        description: t('Take a server out of .gemini/settings.json'),
        argument: 'name',
        run: async (surface, argument) => {
          const { removeServer } = await import('../servers/removeServer.ts');
          return await removeServer(surface, argument);
        },
      },
      {
        name: 'restart',
        aliases: ['reload', 'refresh'],
        description: t('Restart a server, or all of them'),
        argument: 'name',
        run: restart,
      },
      { name: 'auth', description: t('Sign in to a server'), argument: 'name', run: signIn },
    ],
  });
}

function lists(detail: 'names' | 'tools') {
  return async (surface: CommandSurface): Promise<Refusal | undefined> => {
    const servers = (await surface.installed.servers()).list();
    // Servers that are configured and were not started are shown there.
    if (servers.length === 0) return await surface.views.open('servers');
    await surface.user.show(t('MCP servers'), describeServers(servers, detail));
    return undefined;
  };
}

function turn(to: 'on' | 'off'): Command['run'] {
  return async (surface, name) => {
    const { switchThing } = await import('../switchThing.ts');
    return switchThing(surface, 'server', to, name);
  };
}

async function showSchemas(surface: CommandSurface, name: string): Promise<Refusal | undefined> {
  const access = await surface.installed.servers();
  const servers = access.list();
  const unknown =
    name === ''
      ? undefined
      : findUnknown(
          name,
          servers.map(each => each.name),
        );
  if (unknown !== undefined) return refuse(unknown);
  const shown = servers.filter(each => name === '' || each.name === name);
  await surface.user.show(
    t('MCP servers'),
    describeSchemas(shown, server => access.schemas(server)),
  );
  return undefined;
}

async function restart(surface: CommandSurface, name: string): Promise<Refusal | undefined> {
  const access = await surface.installed.servers();
  const names = name === '' ? access.list().map(each => each.name) : [name];
  const problem = name === '' ? undefined : findUnknown(name, namesOf(access));
  if (problem !== undefined) return refuse(problem);
  if (names.length === 0) return refuse(t('No server is configured. /mcp add adds one.'));
  try {
    for (const each of names) access.restart(each);
  } catch (error) {
    // One that waits, or is switched off, has nothing to be started again.
    if (name !== '') return refuse(messageOf(error));
  }
  surface.user.answer(name === '' ? t('The servers restart.') : t('The server {0} restarts.', name));
  return undefined;
}

async function signIn(surface: CommandSurface, name: string): Promise<Refusal | undefined> {
  const access = await surface.installed.servers();
  if (name === '') {
    const wanting = access.list().filter(({ status }) => status.kind === 'needsSignIn');
    const names = wanting.map(each => each.name).join(', ');
    return refuse(
      names === ''
        ? t('No server wants you to sign in.')
        : t('Say which: /mcp auth NAME. Wanting it: {0}.', names),
    );
  }
  const unknown = findUnknown(name, namesOf(access));
  if (unknown !== undefined) return refuse(unknown);
  const problem = await access.signIn(name);
  if (problem !== undefined) return refuse(problem);
  surface.user.answer(t('You are signed in to {0}.', name));
  return undefined;
}

function namesOf(access: ServerAccess): readonly string[] {
  return access.list().map(each => each.name);
}
