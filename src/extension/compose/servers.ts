/* The MCP servers of a window. The client code is loaded with the first one. */

import { homedir } from 'node:os';
import { type ExtensionContext, workspace } from 'vscode';
import { t } from '../../protocol/language.ts';
import type { ElicitationAnswer, ElicitationRequest, McpUser } from '../mcp/connection/mcpUser.ts';
import type { McpServers } from '../mcp/mcpServers.ts';
import type { SessionObservers } from '../observers/sessionObservers.ts';
import type { Clock } from '../platform/clock.ts';
import type { ProgramSandbox } from '../platform/sandbox.ts';
import type { Settings } from '../platform/settings.ts';
import type { WindowCustomizations } from '../vscode/features/customizations/windowCustomizations.ts';
import { WindowMcpServers } from '../vscode/features/customizations/windowMcpServers.ts';
import type { OutputLog } from '../vscode/ports/outputLog.ts';
import type { WindowTrust } from '../vscode/windowTrust.ts';
import { workspaceFolders } from '../vscode/workspaceFolders.ts';

interface ServerPorts {
  readonly clock: Clock;
  readonly log: OutputLog;
  readonly trust: Pick<WindowTrust, 'isTrusted'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sandbox: ProgramSandbox;
  readonly traceOf: SessionObservers['traceOf'];
  readonly settings: Pick<Settings, 'get' | 'restrictions'>;
}

export function composeServers(
  context: ExtensionContext,
  additions: WindowCustomizations,
  ports: ServerPorts,
): WindowMcpServers<McpServers> {
  return new WindowMcpServers(additions, () => makeServers(context, additions, ports), ports.log);
}

async function makeServers(
  { extension, secrets }: ExtensionContext,
  additions: WindowCustomizations,
  { trust, settings, ...ports }: ServerPorts,
): Promise<McpServers> {
  const { McpServers } = await import('../mcp/mcpServers.ts');
  const { ProgramFinder } = await import('../node/processes/programs.ts');
  const { NodeServerProcesses } = await import('../node/processes/serverProcesses.ts');
  const { VscodeStoredSecrets } = await import('../vscode/ports/vscodeStoredSecrets.ts');
  return new McpServers({
    ...ports,
    home: homedir(),
    restrictions: settings.restrictions,
    showsApps: () => settings.get('mcp.apps'),
    folders: workspaceFolders,
    version: String(extension.packageJSON.version),
    processes: new NodeServerProcesses(ports.env, new ProgramFinder(workspaceFolders)),
    secrets: new VscodeStoredSecrets(secrets),
    onDidChangeFolders: listener => workspace.onDidChangeWorkspaceFolders(() => listener()),
    trusted: () => trust.isTrusted,
    isCurrent: async name => (await additions.get()).all.stillBringsServer(name),
    user: await userOfWindow(),
  });
}

async function userOfWindow(): Promise<McpUser> {
  const { CallScopedMcpUser } = await import('../mcp/callScopedMcpUser.ts');
  const { openAddress } = await import('../vscode/features/customizations/windowQuestions.ts');
  return new CallScopedMcpUser({ answer: answerInWindow, open: openAddress });
}

async function answerInWindow(request: ElicitationRequest): Promise<ElicitationAnswer> {
  const { askInWindow, confirmOpen } = await import('../vscode/features/customizations/windowQuestions.ts');
  const { server, message } = request;
  if (request.kind === 'form') {
    const answers = await askInWindow(t('Server {0}', server), message, request.questions);
    return answers ? { kind: 'accepted', answers } : { kind: 'cancelled' };
  }
  const opens = await confirmOpen(server, message, request.address);
  if (opens === undefined) return { kind: 'cancelled' };
  return opens ? { kind: 'accepted', answers: [] } : { kind: 'declined' };
}
