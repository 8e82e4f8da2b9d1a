/* Completion of `@` in the open workspace. Loaded on first use. */

import { workspace } from 'vscode';
import type { CompletionList } from '../../../protocol/mentions.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { completeMention } from '../../core/mentions/completeMention.ts';
import { FileIndex, type IndexedFileChange } from '../../core/mentions/fileIndex.ts';
import type { ServerResources } from '../../core/mentions/resources.ts';
import { WorkspacePaths } from '../../core/paths.ts';
import type { Editor } from '../../platform/editor.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { Log } from '../../platform/log.ts';
import type { RuleStamps, Search } from '../../platform/search.ts';
import type { Workbench } from '../../platform/workbench.ts';
import { createMentionFiles } from '../../tools/createMentionFiles.ts';
import { workspaceFolders } from '../workspaceFolders.ts';

/** Completes text after `@`. Caches the list of workspace files until it is disposed. */
export class MentionCompletion extends DisposableOwner {
  private readonly files: FileSystem;
  private readonly search: Search & RuleStamps;
  private readonly editor: Editor;
  private readonly workbench: Workbench;
  private readonly servers: () => ServerResources | undefined;
  private readonly index: FileIndex;

  constructor(
    files: FileSystem,
    search: Search & RuleStamps,
    editor: Editor,
    workbench: Workbench,
    servers: () => ServerResources | undefined,
    log: Log,
  ) {
    super();
    this.files = files;
    this.search = search;
    this.editor = editor;
    this.workbench = workbench;
    this.servers = servers;
    this.index = this.store.add(
      new FileIndex({
        search,
        log,
        folders: workspaceFolders,
        files: () => this.named(),
        changes: this.watch(),
      }),
    );
  }

  complete(query: string, signal: AbortSignal): Promise<CompletionList> {
    const { editor, workbench, servers, files: disk } = this;
    const ports = {
      editor,
      workbench,
      servers,
      disk,
      index: this.index,
      folders: workspaceFolders,
      files: () => this.named(),
    };
    return completeMention(ports, query, signal);
  }

  /** Folders may be added while the window is open. */
  private named() {
    const { files, search } = this;
    return createMentionFiles({ files, search, paths: new WorkspacePaths(files, workspaceFolders()) });
  }

  private watch() {
    const changes = this.store.add(new Emitter<IndexedFileChange>());
    const all = this.store.add(workspace.createFileSystemWatcher('**/*', false, true, false));
    this.store.add(all.onDidCreate(({ fsPath: path }) => changes.fire({ kind: 'created', path })));
    this.store.add(all.onDidDelete(({ fsPath: path }) => changes.fire({ kind: 'deleted', path })));
    const rules = this.store.add(workspace.createFileSystemWatcher('**/{.gitignore,.geminiignore,.ignore}'));
    const notify = ({ fsPath: path }: { readonly fsPath: string }) => changes.fire({ kind: 'rules', path });
    this.store.add(rules.onDidChange(notify));
    this.store.add(rules.onDidCreate(notify));
    this.store.add(rules.onDidDelete(notify));
    return changes.event;
  }
}
