/* Adds the client's servers, as if the user had a file with them. */

import type { McpServer } from '@agentclientprotocol/sdk';
import type { CustomFile, CustomFiles } from '../../platform/customizations/customFiles.ts';

export function withClientServers(files: CustomFiles, servers: readonly McpServer[]): CustomFiles {
  if (servers.length === 0) return files;
  const file: CustomFile = {
    kind: 'settings',
    name: 'settings',
    path: 'the client',
    origin: { kind: 'person' },
    text: '',
    content: { mcpServers: Object.fromEntries(servers.map(entryOf)) },
  };
  return {
    // Added last, because the last entry of a name wins: the client chose this one for the session.
    read: async trusted => [...(await files.read(trusted)), file],
    digest: (command, cwd) => files.digest(command, cwd),
  };
}

function entryOf(server: McpServer): readonly [string, object] {
  const { name } = server;
  if (!('type' in server)) {
    const { command, args, env } = server;
    return [name, { command: literal(command), args: args.map(literal), env: pairsOf(env) }];
  }
  const { type, url, headers } = server;
  return [name, { type, url: literal(url), headers: pairsOf(headers) }];
}

function pairsOf(pairs: readonly { readonly name: string; readonly value: string }[]): object {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, literal(value)]));
}

/** Escapes dollar signs, which name variables in files but are literal here. */
function literal(text: string): string {
  return text.replaceAll('$', () => '${:-$}');
}
