import { homedir } from 'node:os';
import { type ExtensionContext, workspace } from 'vscode';
import type { ServerAccess } from '../core/commands/serverAccess.ts';
import { VscodeKeptSecrets } from '../vscode/ports/vscodeKeptSecrets.ts';
import { workspaceFolders } from '../vscode/workspaceFolders.ts';
import type { WindowPorts } from './ports.ts';
import { serverAccess } from './serverAccess.ts';

/** Loaded with the first command that changes servers. */
export async function makeServerAccess(
  { extension, secrets }: ExtensionContext,
  { disk, additions, servers, env, sandbox, clock, log }: WindowPorts,
): Promise<ServerAccess> {
  const { all } = await additions.get();
  return serverAccess({
    files: disk,
    all,
    env,
    sandbox,
    clock,
    log,
    home: homedir(),
    folders: workspaceFolders,
    servers: () => servers.present,
    version: String(extension.packageJSON.version),
    secrets: new VscodeKeptSecrets(secrets),
    shorten: path => workspace.asRelativePath(path),
  });
}
