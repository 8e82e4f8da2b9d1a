import { plural, t } from '../../../../protocol/language.ts';
import type { McpServer, McpStatus } from '../../../../protocol/panel/mcp.ts';
import { sanitiseLine } from '../../../base/text.ts';
import { codeSpan, escapeInline, fenceBlock } from '../../export/markdownText.ts';

/** Formats Markdown; names and descriptions are untrusted. @param detail `tools`: also lists each server's tools */
export function describeServers(servers: readonly McpServer[], detail: 'names' | 'tools'): string {
  const parts = [`# ${t('MCP servers')}`, ''];
  for (const server of servers) {
    const { name, status, file, description, tools } = server;
    const counts =
      status.kind === 'ready' ? `, ${plural(tools.length, 'one: {0} tool | other: {0} tools')}` : '';
    parts.push(`- ${codeSpan(name)}: ${describeStatus(status)}${counts} (${escapeInline(file)})`);
    if (detail === 'names') continue;
    if (description) parts.push(`  ${escapeInline(sanitiseLine(description, 500))}`);
    for (const tool of tools) {
      const why = tool.refused && ` (${escapeInline(tool.refused)})`;
      const off = tool.enabled ? (why ?? '') : ` ${t('(excluded)')}`;
      parts.push(`  - ${codeSpan(tool.name)}${off}: ${escapeInline(sanitiseLine(tool.description, 500))}`);
    }
  }
  return `${parts.join('\n')}\n`;
}

/** Formats Markdown with the arguments of each tool as JSON Schema. */
export function describeSchemas(
  servers: readonly Pick<McpServer, 'name'>[],
  schemasOf: (server: string) => readonly { readonly tool: string; readonly schema: unknown }[],
): string {
  const parts = [`# ${t('MCP servers')}`];
  for (const { name } of servers) {
    const schemas = schemasOf(name);
    parts.push(`## ${escapeInline(name)}`);
    if (schemas.length === 0) parts.push(t('It offers no tools now.'));
    for (const { tool, schema } of schemas)
      parts.push(codeSpan(tool), fenceBlock(JSON.stringify(schema, undefined, 2), 'json'));
  }
  if (servers.length === 0) parts.push(t('No server is configured. /mcp add adds one.'));
  return `${parts.join('\n\n')}\n`;
}

function describeStatus(status: McpStatus): string {
  switch (status.kind) {
    case 'ready':
      return t('runs');
    case 'starting':
      return t('starts');
    case 'failed':
    case 'retrying':
      return t('does not run: {0}', escapeInline(sanitiseLine(status.reason, 300)));
    case 'needsSignIn':
      return t('requires sign-in');
    case 'waiting':
      return t('waits for you to allow it');
    case 'disabled':
      return t('is disabled');
  }
}
