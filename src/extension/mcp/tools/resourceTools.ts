/* Tools that let the model read servers' resources. Declared only while a server has any. */

import * as z from 'zod';
import { plural, t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { messageOf } from '../../base/errors.ts';
import { sanitiseLine } from '../../base/text.ts';
import { wrapUntrusted } from '../../base/untrusted.ts';
import { type AnyTool, defineReadTool, ToolFailure } from '../../core/tool.ts';
import type { McpServers } from '../mcpServers.ts';
import { partsToResult } from './resultContent.ts';

const maxListed = 200;

const listInput = lazySchema(() => z.object({ server: z.string().optional().describe('Only of this one') }));
const readInput = lazySchema(() => z.object({ server: z.string(), uri: z.string() }));

export function listResourcesTool(servers: McpServers): AnyTool {
  return defineReadTool({
    name: 'list_mcp_resources',
    description: 'Lists resources of MCP servers: their addresses, to be read with read_mcp_resource.',
    input: listInput,
    isOffered: () => hasResources(servers),
    title: ({ server }) =>
      server ? t('List resources of {0}', sanitiseLine(server, 60)) : t('List resources'),
    run: async ({ server }) => {
      const isMeant = (each: { readonly server: string }) => server === undefined || each.server === server;
      const lines = [
        ...servers
          .resources()
          .filter(isMeant)
          .map(each => describe(each.server, each.uri, each)),
        ...servers
          .templates()
          .filter(isMeant)
          .map(each => describe(each.server, each.uriTemplate, each, ' (fill in the braces)')),
      ];
      if (lines.length === 0)
        throw new ToolFailure(() =>
          server ? t('There are no resources of {0}.', server) : t('There are no resources.'),
        );
      const rest = lines.length - maxListed;
      const more = rest > 0 ? [`… and ${rest} more; name a server.`] : [];
      const text = [...lines.slice(0, maxListed), ...more].join('\n');
      return {
        text: wrapUntrusted('untrusted_content', text),
        display: {
          summary: () => plural(lines.length, 'one: {0} resource | other: {0} resources'),
          detail: { kind: 'text', text },
        },
      };
    },
  });
}

export function readResourceTool(servers: McpServers): AnyTool {
  return defineReadTool({
    name: 'read_mcp_resource',
    description: 'Reads a resource of an MCP server.',
    input: readInput,
    isOffered: () => hasResources(servers),
    title: ({ server, uri }) => t('Read {0}', `${sanitiseLine(server, 60)}:${sanitiseLine(uri, 200)}`),
    target: ({ server }) => ({
      // Avoid this tool's own name: a server's tool may have the same.
      kind: 'mcp',
      server,
      tool: '',
      ofWorkspace:
        servers.running.some(({ config: { name, origin } }) => name === server && origin === 'workspace') ||
        undefined,
    }),
    run: async ({ server, uri }, call) => {
      try {
        return await partsToResult((await servers.readResource(server, uri, call.signal)).parts, call);
      } catch (error) {
        call.signal.throwIfAborted();
        throw new ToolFailure(() =>
          t('{0} could not be read: {1}', sanitiseLine(uri, 200), messageOf(error)),
        );
      }
    },
  });
}

function hasResources(servers: McpServers): boolean {
  return servers.running.some(({ lists }) => lists.resources.length + lists.templates.length > 0);
}

function describe(
  server: string,
  address: string,
  { name, description }: { readonly name: string; readonly description: string },
  note = '',
): string {
  const about = sanitiseLine([name, description].filter(Boolean).join(': '), 200);
  return `- server ${server}, uri ${address}${note}${about ? ` (${about})` : ''}`;
}
