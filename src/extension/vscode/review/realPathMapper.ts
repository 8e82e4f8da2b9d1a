import { relative, sep } from 'node:path';
import { Uri, workspace } from 'vscode';
import { DisposableOwner } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { folderContains } from '../../core/folderPaths.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { Log } from '../../platform/log.ts';

/**
 * The two names of a file: VS Code uses the path that the user opened, possibly through symlinks; the session uses the
 * real path. Editors ask often and synchronously, so real paths of open documents are resolved in advance.
 */
export class RealPathMapper extends DisposableOwner {
  private readonly files: Pick<FileSystem, 'realPath'>;
  private readonly log: Log;
  private readonly learned = this.store.add(new Emitter<void>());
  private readonly real = new Map<string, string>();
  private roots: readonly { readonly folder: string; readonly real: string }[] = [];
  /** Fires when an answer has changed. */
  readonly onDidLearn = this.learned.event;

  constructor(files: Pick<FileSystem, 'realPath'>, log: Log) {
    super();
    this.files = files;
    this.log = log;
    this.store.add(workspace.onDidChangeWorkspaceFolders(() => this.learnRoots()));
    this.store.add(workspace.onDidOpenTextDocument(({ uri }) => this.learn(uri)));
    this.learnRoots();
    for (const { uri } of workspace.textDocuments) this.learn(uri);
  }

  /** Returns `undefined` if the document is not on disk. */
  toRealPath({ scheme, fsPath }: Uri): string | undefined {
    if (scheme !== 'file') return undefined;
    return this.real.get(fsPath) ?? this.throughRoots(fsPath);
  }

  /** Returns the name under which the user opened it. */
  uriOf(path: string): Uri {
    const root = this.roots.find(({ real }) => folderContains(real, path));
    return Uri.file(root ? joined(root.folder, relative(root.real, path)) : path);
  }

  private throughRoots(fsPath: string): string {
    const root = this.roots.find(({ folder }) => folderContains(folder, fsPath));
    return root ? joined(root.real, relative(root.folder, fsPath)) : fsPath;
  }

  private learn({ scheme, fsPath }: Uri): void {
    if (scheme !== 'file' || this.real.has(fsPath)) return;
    this.lookUp(async () => {
      const guessed = this.throughRoots(fsPath);
      const real = await this.files.realPath(fsPath);
      this.real.set(fsPath, real);
      if (real !== guessed) this.learned.fire();
    });
  }

  private learnRoots(): void {
    this.lookUp(async () => {
      const folders = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
      this.roots = await Promise.all(
        folders.map(async ({ uri }) => ({ folder: uri.fsPath, real: await this.files.realPath(uri.fsPath) })),
      );
      this.learned.fire();
    });
  }

  private lookUp(scan: () => Promise<void>): void {
    scan().catch(error => this.log.warn(`A file’s real path is unknown: ${String(error)}`));
  }
}

function joined(folder: string, rest: string): string {
  return rest === '' ? folder : folder + (folder.endsWith(sep) ? '' : sep) + rest;
}
