/* The part of the API of VS Code's Git extension that Folio uses. It writes only to the commit input box. */

import { type Disposable, type Event, extensions, type Uri, workspace } from 'vscode';

export interface GitRepository {
  readonly rootUri: Uri;
  readonly inputBox: { value: string };
  readonly state: {
    readonly onDidChange: Event<void>;
    readonly HEAD?: { readonly name?: string; readonly commit?: string };
    readonly indexChanges: readonly GitChange[];
    readonly workingTreeChanges: readonly GitChange[];
    readonly untrackedChanges?: readonly GitChange[];
  };
  /** Refreshes the file status, which `state` may lag behind. */
  status(): Promise<void>;
  /** The diff of the index if `cached`, else of the working tree, in both cases without untracked files. */
  diff(cached: boolean): Promise<string>;
  diffBetween(from: string, to: string, path: string): Promise<string>;
  diffBetween(from: string, to: string): Promise<readonly GitChange[]>;
  getBranchBase?(branch: string): Promise<{ readonly name?: string; readonly remote?: string } | undefined>;
  getMergeBase?(one: string, other: string): Promise<string | undefined>;
  log(options: {
    readonly range?: string;
    readonly maxEntries?: number;
  }): Promise<readonly { readonly message: string }[]>;
}

interface GitChange {
  readonly uri: Uri;
  readonly status: number;
}

interface GitApi {
  getRepository(uri: Uri): GitRepository | null;
  /** Opens a repository that Git has not detected yet; `null` if there is none, or the user must allow it first. */
  openRepository(root: Uri): Promise<GitRepository | null>;
  readonly onDidOpenRepository: Event<GitRepository>;
}

interface GitExports {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

/** The Git extension's status code for untracked files. */
const untracked = 7;

/** Returns the repository at a location, else of the first workspace folder that has one. */
export async function findRepository(place?: Uri): Promise<GitRepository | undefined> {
  const api = await findGit();
  if (!api) return undefined;
  const places = place ? [place] : (workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  for (const uri of places) {
    const repository = api.getRepository(uri) ?? (await api.openRepository(uri));
    if (repository) return repository;
  }
  return undefined;
}

/** Git detects repositories some time after the window has opened. */
export async function onDidOpenRepository(notify: () => void): Promise<Disposable | undefined> {
  return (await findGit())?.onDidOpenRepository(notify);
}

async function findGit(): Promise<GitApi | undefined> {
  const extension = extensions.getExtension<GitExports>('vscode.git');
  if (!extension) return undefined;
  const git = extension.isActive ? extension.exports : await extension.activate();
  return git?.enabled ? git.getAPI(1) : undefined;
}

/** Returns the absolute paths of files that Git does not track. */
export function untrackedFiles({ state }: GitRepository): ReadonlySet<string> {
  const changes = [...state.workingTreeChanges, ...(state.untrackedChanges ?? [])];
  return new Set(changes.filter(({ status }) => status === untracked).map(({ uri }) => uri.fsPath));
}
