/* Servers in VS Code's own settings, presented as if each settings scope were a file. */

import type { CustomFile, CustomFiles, CustomOrigin } from '../platform/customizations/customFiles.ts';

/** The value of `folio.mcpServers` in each scope; `undefined` if not set there. */
export interface ServerSettingValues {
  readonly user: unknown;
  readonly workspace: unknown;
  /** Absolute path of the workspace's settings file. */
  readonly workspacePath: string | undefined;
}

/** Stands for the path, which VS Code does not expose. */
export const userSettingsPath = 'VS Code settings';

/** VS Code's settings win over a file of the same user, or of the same workspace. */
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
      ...asFile(user, userSettingsPath, { kind: 'person' }),
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
