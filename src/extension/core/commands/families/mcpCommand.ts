/* `/mcp`: MCP servers. Code for changes is loaded on first use. */

import { t } from '../../../../protocol/language.ts';
import { messageOf } from '../../../base/errors.ts';
import { CommandError } from '../../commandError.ts';
import type { Command, CommandContext } from '../commands.ts';
import { commandWithSubCommands } from '../commandWithSubCommands.ts';
import type { ServerAccess } from '../serverAccess.ts';
import { describeSchemas, describeServers } from '../servers/describeServers.ts';
import { assertKnownName } from '../unknownName.ts';
import { switchSubCommands } from './switchSubCommands.ts';

export function mcpCommand(): Command {
  return commandWithSubCommands({
    name: 'mcp',
    alone: {
      description: t('Show the servers of the Model Context Protocol'),
      run: surface => surface.views.open('servers'),
    },
    words: [
      {
        name: 'list',
        aliases: ['ls'],
        description: t('List the servers and their state'),
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
      ...switchSubCommands('server', t('Enable a server'), t('Disable a server in this workspace')),
      {
        name: 'add',
        description: t('Start a server and write it into .gemini/settings.json'),
        argument: t('name, then command or address'),
        run: async (surface, argument) =>
          (await import('../servers/addServer.ts')).addServer(surface, argument),
      },
      {
        name: 'remove',
        description: t('Remove a server from .gemini/settings.json'),
        argument: 'name',
        run: async (surface, argument) =>
          (await import('../servers/removeServer.ts')).removeServer(surface, argument),
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

function lists(detail: 'names' | 'tools'): Command['run'] {
  return async ({ user, views, installed }) => {
    const servers = (await installed.servers()).list();
    // The page also shows configured servers that were not started.
    if (servers.length === 0) return views.open('servers');
    return user.show(t('MCP servers'), describeServers(servers, detail));
  };
}

async function showSchemas(surface: CommandContext, name: string): Promise<void> {
  const access = await surface.installed.servers();
  if (name !== '') assertKnownName(name, namesOf(access));
  const shown = access.list().filter(each => name === '' || each.name === name);
  await surface.user.show(
    t('MCP servers'),
    describeSchemas(shown, server => access.schemas(server)),
  );
}

async function restart(surface: CommandContext, name: string): Promise<void> {
  const access = await surface.installed.servers();
  const names = name === '' ? namesOf(access) : [name];
  if (name !== '') assertKnownName(name, namesOf(access));
  if (names.length === 0) throw new CommandError(t('No server is configured. /mcp add adds one.'));
  try {
    for (const each of names) access.restart(each);
  } catch (error) {
    // A server that waits or is disabled cannot be restarted.
    if (name !== '') throw new CommandError(messageOf(error));
  }
  surface.user.answer(name === '' ? t('The servers restart.') : t('The server {0} restarts.', name));
}

async function signIn(surface: CommandContext, name: string): Promise<void> {
  const access = await surface.installed.servers();
  if (name === '') {
    const wanting = access.list().filter(({ status }) => status.kind === 'needsSignIn');
    const names = wanting.map(each => each.name).join(', ');
    throw new CommandError(
      names === ''
        ? t('No server requires you to sign in.')
        : t('Add a server: /mcp auth NAME. These require you to sign in: {0}.', names),
    );
  }
  assertKnownName(name, namesOf(access));
  const problem = await access.signIn(name);
  if (problem !== undefined) throw new CommandError(problem);
  surface.user.answer(t('You are signed in to {0}.', name));
}

function namesOf(access: ServerAccess): readonly string[] {
  return access.list().map(each => each.name);
}
