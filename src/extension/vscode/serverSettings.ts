/* Servers that stand in VS Code's own settings, as if each place of settings were a file. */

import type { CustomFile, CustomFiles, CustomOrigin } from '../platform/customizations/customFiles.ts';

/** The value of `folio.mcpServers` in each place; `undefined`: it is not set there. */
export interface ServerSettingValues {
  readonly user: unknown;
  readonly workspace: unknown;
  /** Absolute; the file of the workspace's settings. */
  readonly workspacePath: string | undefined;
}

/** In the place of a path: VS Code tells nobody where the user's own settings stand. */
export const userSettings = 'VS Code settings';

/** When two share a name, VS Code's settings win over a file of the same user, or of the same workspace. */
export class ServerSettings implements CustomFiles {
  private readonly files: CustomFiles;
  private readonly values: () => ServerSettingValues;

  constructor(files: CustomFiles, values: () => ServerSettingValues) {
    this.files = files;
    this.values = values;
  }

  async read(trusted: boolean): Promise<readonly CustomFile[]> {
    const files = await this.files.read(trusted);
    const { user, workspace, workspacePath } = this.values();
    const isOfWorkspace = ({ origin }: CustomFile) => origin.kind === 'workspace';
    return [
      ...files.filter(file => !isOfWorkspace(file)),
      ...asFile(user, userSettings, { kind: 'person' }),
      ...files.filter(isOfWorkspace),
      ...(trusted && workspacePath !== undefined
        ? asFile(workspace, workspacePath, { kind: 'workspace' })
        : []),
    ];
  }

  digest(command: string, cwd?: string): Promise<string> {
    return this.files.digest(command, cwd);
  }
}

function asFile(value: unknown, path: string, origin: CustomOrigin): readonly CustomFile[] {
  if (value === undefined) return [];
  return [{ kind: 'settings', name: 'settings', path, origin, text: '', content: { mcpServers: value } }];
}
