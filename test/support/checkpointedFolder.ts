import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import {
  type AttributedFileSystem,
  makeAttributedFiles,
} from '../../src/extension/core/changes/attributedFileSystem.ts';
import {
  Checkpoints,
  type CurrentSessionWriter,
  type WrittenFile,
} from '../../src/extension/core/changes/checkpoints.ts';
import { watchCommand } from '../../src/extension/core/changes/commandWatch.ts';
import { ConcurrentRuns } from '../../src/extension/core/changes/concurrentRuns.ts';
import { applyRestoration, planRestoration } from '../../src/extension/core/changes/restoreFile.ts';
import type { CommandChanges, CommandWatch } from '../../src/extension/core/changes/runningChanges.ts';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import { SystemClock } from '../../src/extension/node/systemClock.ts';
import type { VersionControl } from '../../src/extension/platform/versionControl.ts';
import type { SessionEvent, SessionEventBody } from '../../src/protocol/events.ts';
import type { RestoredFile } from '../../src/protocol/values.ts';
import { makeFolder } from './gitRepository.ts';
import { HostedGit } from './hostedGit.ts';
import { MemoryBlobStore } from './memoryBlobStore.ts';

export type Tree = Readonly<Record<string, string>>;

/** A real folder with a journal of its changes, like that of a session. */
export class CheckpointedFolder {
  readonly root: string;
  readonly files = new NodeFileSystem();
  readonly blobs = new MemoryBlobStore();
  readonly events: SessionEvent[] = [];
  readonly checkpoints: Checkpoints;
  readonly dispose: () => Promise<void>;
  private readonly versionControl: VersionControl;
  readonly concurrentRuns = new ConcurrentRuns().beside();

  private constructor(root: string, dispose: () => Promise<void>, versionControl: VersionControl) {
    this.root = root;
    this.dispose = dispose;
    this.versionControl = versionControl;
    this.checkpoints = new Checkpoints({
      files: this.files,
      blobs: this.blobs,
      emit: body => this.emit(body),
      recorded: async () => {},
    });
  }

  static async make(versionControl: VersionControl = new HostedGit()): Promise<CheckpointedFolder> {
    const { root, dispose } = await makeFolder();
    return new CheckpointedFolder(root, dispose, versionControl);
  }

  path(name: string): string {
    return join(this.root, name);
  }

  /** Begins a turn, to which a rewind can go back. */
  beginTurn(): number {
    this.emit({ type: 'turn.started', turnId: `t${this.events.length}`, text: '', attachments: [] });
    return this.events.length;
  }

  /** Writes like a tool; `null` deletes. */
  async agentWrites(name: string, content: string | Uint8Array | null): Promise<void> {
    const files = this.filesOf({ kind: 'call', callId: 'call', words: `Write ${name}` });
    if (content === null) await files.delete(this.path(name));
    else await files.writeBytes(this.path(name), Buffer.from(content));
  }

  /** Runs `work` as a command. */
  async command(work: () => Promise<unknown>, folders = [this.root]): Promise<CommandChanges> {
    const watch = await this.watch(folders);
    await work();
    return await watch.end();
  }

  /** Begins a command. */
  watch(folders = [this.root]): Promise<CommandWatch> {
    const { files, blobs, checkpoints, versionControl, concurrentRuns } = this;
    const show = async (path: string) => relative(this.root, path);
    const writing = this.filesOf({ kind: 'command', callId: 'command', line: 'work' });
    const clock = new SystemClock();
    const around = {
      folders,
      files,
      blobs,
      checkpoints,
      versionControl,
      clock,
      writing,
      show,
      concurrentRuns,
    };
    return watchCommand(around, new AbortController().signal);
  }

  filesOf(writer: CurrentSessionWriter): AttributedFileSystem {
    return makeAttributedFiles(writer, this.files, this.checkpoints, this.concurrentRuns);
  }

  written(since: number): readonly WrittenFile[] {
    return this.checkpoints.writtenBetween(since);
  }

  /** Restores all files. Returns the results of those that differed. */
  async restoreTo(seq: number): Promise<Readonly<Record<string, RestoredFile['result']>>> {
    const results: Record<string, RestoredFile['result']> = {};
    const files = this.written(seq);
    this.checkpoints.beginPlace();
    const writing = this.filesOf({ kind: 'person', decision: 'rewind' });
    for (const file of files) {
      const plan = await planRestoration(file, this);
      const result = await applyRestoration(file.path, plan, writing);
      if (result) results[relative(this.root, file.path)] = result;
    }
    return results;
  }

  /** Returns all files except those of Git, with mode and bytes in hexadecimal. */
  async tree(): Promise<Tree> {
    const entries = await readdir(this.root, { recursive: true, withFileTypes: true });
    const paths = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
    const tree: Record<string, string> = {};
    for (const path of paths.sort()) {
      const name = relative(this.root, path);
      if (/^\.git[\\/]/.test(name)) continue;
      const mode = ((await stat(path)).mode & 0o777).toString(8);
      tree[name] = `${mode} ${(await readFile(path)).toString('hex')}`;
    }
    return tree;
  }

  private emit(body: SessionEventBody): void {
    const event: SessionEvent = { ...body, seq: this.events.length + 1, at: 0 };
    this.events.push(event);
    this.checkpoints.fold(event);
  }
}
