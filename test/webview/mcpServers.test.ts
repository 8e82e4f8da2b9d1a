import { expect, test } from 'vitest';
import type { McpServer, McpStatus, McpTool } from '../../src/protocol/panel/mcp.ts';
import { filterTools } from '../../src/webview/mcp/mcpPage.tsx';
import { actionsOf, describeState } from '../../src/webview/mcp/mcpWords.ts';

function tool(name: string, enabled = true): McpTool {
  return { name, description: `Does ${name}`, readOnly: false, enabled };
}

function server(name: string, more: Partial<McpServer> = {}): McpServer {
  return {
    name,
    origin: 'person',
    file: '~/.gemini/settings.json',
    transport: 'stdio',
    status: { kind: 'ready' },
    tools: [],
    prompts: 0,
    resources: 0,
    ...more,
  };
}

const found = (servers: readonly McpServer[], words: string) =>
  filterTools(servers, words).map(each => [each.server.name, each.tools.map(({ name }) => name)]);

test('a ready server counts its tools, and of some that are left out those that are used', () => {
  expect(describeState(server('a', { tools: [tool('x')] }), 0)).toBe('1 tool');
  expect(describeState(server('a', { tools: [tool('x'), tool('y', false)] }), 0)).toBe('1 of 2 tools');
  expect(describeState(server('a'), 0)).toBe('Ready, no tools');
});

test('a server that starts again says in how long', () => {
  const status: McpStatus = { kind: 'retrying', reason: 'It ended.', until: 65_000 };
  expect(describeState(server('a', { status }), 0)).toBe('Starts again in 1 min 5 s');
  expect(describeState(server('a', { status }), 99_000)).toBe('Starts again in 0 s');
});

test('nobody signs in or out of a program, and VS Code restarts its own servers', () => {
  const failed: McpStatus = { kind: 'failed', reason: 'It ended.' };
  expect(actionsOf(server('a')).others).toEqual(['restart', 'disable', 'showLog', 'openFile']);
  expect(actionsOf(server('a', { transport: 'http' })).others).toContain('signOut');
  expect(actionsOf(server('a', { status: failed })).first).toBe('restart');
  expect(actionsOf(server('a', { status: failed, transport: 'vscode' })).first).toBeUndefined();
  expect(actionsOf(server('a', { status: { kind: 'waiting' } }))).toEqual({ others: ['openFile'] });
});

test('words find tools, and the name of a server finds all of its own', () => {
  const servers = [
    server('files', { tools: [tool('read'), tool('write')] }),
    server('web', { tools: [tool('read_page')] }),
  ];
  expect(found(servers, '')).toEqual([
    ['files', ['read', 'write']],
    ['web', ['read_page']],
  ]);
  expect(found(servers, 'READ')).toEqual([
    ['files', ['read']],
    ['web', ['read_page']],
  ]);
  expect(found(servers, 'web does')).toEqual([['web', ['read_page']]]);
  expect(found(servers, 'files')).toEqual([['files', ['read', 'write']]]);
  expect(found(servers, 'nothing')).toEqual([]);
});
