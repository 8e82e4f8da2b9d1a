/* A user's home, real folders and repositories to install from, and the command that does it. */

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Confirmation } from '../../src/extension/core/commands/commands.ts';
import { commandNames } from '../../src/extension/core/commands/table/commandTable.ts';
import { toolNames } from '../../src/extension/mcp/tools/toolName.ts';
import { NodeExtensionFolders } from '../../src/extension/node/extensionFolders/nodeExtensionFolders.ts';
import { NodeProcesses } from '../../src/extension/node/processes/nodeProcesses.ts';
import { runCommand, tableWith } from './commandBench.ts';
import { ExtensionWorld } from './extensionWorld.ts';
import { git } from './gitRepository.ts';

export class InstallWorld {
  readonly own: ExtensionWorld;
  readonly folders: NodeExtensionFolders;
  /** What was put before the user. */
  readonly asked: Confirmation[] = [];
  answer: 'yes' | 'no' | 'nobody' = 'yes';
  private readonly processes = new NodeProcesses(process.env);

  private constructor(own: ExtensionWorld) {
    this.own = own;
    this.folders = new NodeExtensionFolders(this.home, this.processes);
  }

  static async make(): Promise<InstallWorld> {
    return new InstallWorld(await ExtensionWorld.make());
  }

  get home(): string {
    return join(this.own.root, 'home');
  }

  /** Absolute. */
  path(name: string): string {
    return join(this.own.root, name);
  }

  /** @param folder below the root. @param files by name; what is no text is written as JSON */
  async write(folder: string, files: Readonly<Record<string, unknown>>): Promise<string> {
    for (const [name, content] of Object.entries(files)) {
      const path = join(this.path(folder), name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    }
    return this.path(folder);
  }

  /** Writes the files into a repository and pushes them to a bare one, as others have it. Gives the path of that one. */
  async publish(name: string, files: Readonly<Record<string, unknown>>): Promise<string> {
    const folder = await this.write(name, files);
    const bare = this.path(`${name}.git`);
    if (
      await git(this.own.root, 'ls-remote', bare).then(
        () => false,
        () => true,
      )
    ) {
      await git(this.own.root, 'init', '--quiet', '--bare', '--initial-branch=main', bare);
      await git(folder, 'init', '--quiet', '--initial-branch=main');
    }
    await git(folder, 'add', '--all');
    await git(folder, 'commit', '--quiet', '--allow-empty', '--message=state');
    await git(folder, 'push', '--quiet', '--tags', bare, 'main');
    return bare;
  }

  /** What the command said, in order. */
  async run(command: string): Promise<readonly unknown[]> {
    const { additions } = this.own;
    await additions.refresh();
    return runCommand(command, tableWith(), {
      confirm: async question => {
        this.asked.push(question);
        return this.answer;
      },
      extensions: async () => ({
        folders: this.folders,
        additions,
        nameCommands: commandNames,
        nameTools: toolNames,
        home: this.home,
      }),
      place: () => ({ home: this.home, extra: [], trusted: true, folders: this.own.folders, names: [] }),
    });
  }

  /** Names and states of what is added by extensions. */
  get states(): readonly string[] {
    return this.own.additions.all.list.map(({ item, state }) => `${item.kind} ${item.name} ${state}`);
  }

  async dispose(): Promise<void> {
    await this.processes.dispose();
    await this.own.dispose();
  }
}
