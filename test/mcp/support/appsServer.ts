/* An MCP server with pages over standard input and output, made with the official library. */

import { Server, type Tool } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { boardPage } from './appPages.ts';

const inputSchema = { type: 'object' as const };
const type = 'text/html;profile=mcp-app';
const csp = {
  connectDomains: ['https://api.board.example', 'http://localhost:3000', 'https://x.example; script-src *'],
  resourceDomains: ['https://cdn.board.example'],
};

const tools: readonly Tool[] = [
  {
    name: 'show_board',
    inputSchema,
    annotations: { readOnlyHint: true },
    _meta: { ui: { resourceUri: 'ui://board' } },
  },
  { name: 'show_old', inputSchema, _meta: { 'ui/resourceUri': 'ui://board' } },
  { name: 'show_listed', inputSchema, _meta: { ui: { resourceUri: 'ui://listed' } } },
  { name: 'show_nothing', inputSchema, _meta: { ui: { resourceUri: 'ui://text' } } },
  { name: 'show_file', inputSchema, _meta: { ui: { resourceUri: 'file:///etc/passwd' } } },
  { name: 'move_ticket', inputSchema, _meta: { ui: { visibility: ['app'] } } },
  { name: 'only_model', inputSchema, _meta: { ui: { visibility: ['model'] } } },
  { name: 'whoami', inputSchema },
];

serveStdio(() => {
  const server = new Server({ name: 'board', version: '1' }, { capabilities: { tools: {}, resources: {} } });
  server.setRequestHandler('tools/list', () => ({
    tools: [...tools],
    ttlMs: 0,
    cacheScope: 'private' as const,
  }));
  server.setRequestHandler('resources/list', () => ({
    resources: [{ uri: 'ui://listed', name: 'Listed', mimeType: type, _meta: { ui: { csp } } }],
  }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    if (uri === 'ui://text') return { contents: [{ uri, mimeType: 'text/plain', text: 'no page' }] };
    if (uri === 'ui://nowhere') throw new Error('There is no such resource');
    const entry = { uri, mimeType: type, text: boardPage };
    return { contents: [uri === 'ui://board' ? { ...entry, _meta: { ui: { csp } } } : entry] };
  });
  server.setRequestHandler('tools/call', ({ params: { name, arguments: given } }, ctx) => {
    if (name === 'whoami') return { content: [{ type: 'text', text: JSON.stringify(ctx.mcpReq.envelope) }] };
    return { content: [{ type: 'text', text: `${name} done` }], structuredContent: { name, given, open: 3 } };
  });
  return server;
});
