import {
  Disposable,
  EventEmitter,
  lm,
  McpHttpServerDefinition,
  type McpServerDefinition,
  McpStdioServerDefinition,
  Uri,
  workspace,
} from 'vscode';
import type { Customization } from '../../../core/customizations/files/customization.ts';
import type { WindowTrust } from '../../windowTrust.ts';
import type { WindowCustomizations } from '../customizations/windowCustomizations.ts';

/** A server as it would be started or contacted; `undefined` if VS Code cannot. */
export type ExposedMcpServer =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      /** Absolute. */
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> };

type ReadServer = (item: Customization) => Promise<ExposedMcpServer | undefined>;

/** Offers the user's own servers to VS Code, if the user allows it. Never those of workspaces and extensions. */
export function registerMcpServerProvider(
  additions: WindowCustomizations,
  trust: Pick<WindowTrust, 'isTrusted'>,
  read: ReadServer,
): Disposable {
  const changed = new EventEmitter<void>();
  return Disposable.from(
    changed,
    additions.onDidChange(() => changed.fire()),
    workspace.onDidChangeConfiguration(change => {
      if (change.affectsConfiguration(setting)) changed.fire();
    }),
    lm.registerMcpServerDefinitionProvider('folio.servers', {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: async () =>
        trust.isTrusted && isAllowed() ? listExposedMcpServers(additions, read) : [],
    }),
  );
}

const setting = 'folio.offerServersToVscode';

function isAllowed(): boolean {
  return workspace.getConfiguration().get(setting) === true;
}

/** Exported for its test in a real window, where VS Code cannot be asked for the offered servers. */
export async function listExposedMcpServers(
  additions: Pick<WindowCustomizations, 'get'>,
  read: ReadServer,
): Promise<McpServerDefinition[]> {
  const { all } = await additions.get();
  await all.refresh();
  const own = all.of('server').filter(({ origin }) => origin.kind === 'person');
  // If two share a name, the later one wins.
  const byName = new Map(own.map(item => [item.name, item]));
  const servers = await Promise.all(
    [...byName.values()].map(async item => ({ item, server: await read(item) })),
  );
  return servers.flatMap(({ item, server }) => (server ? [define(item.name, server)] : []));
}

function define(name: string, server: ExposedMcpServer): McpServerDefinition {
  if (server.kind === 'http')
    return new McpHttpServerDefinition(name, Uri.parse(server.url), { ...server.headers });
  const { command, args, cwd, env } = server;
  const definition = new McpStdioServerDefinition(name, command, [...args], { ...env });
  definition.cwd = Uri.file(cwd);
  return definition;
}
