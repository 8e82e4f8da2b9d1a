import type { CustomFile } from './customFiles.ts';
import type { HookFile } from './hooks.ts';

/** The request failed. The message is a sentence for the user. */
export class ExtensionError extends Error {}

/** All methods reject with an `ExtensionError`, or with the signal's reason. */
export interface ExtensionFolders {
  /** Lists by name, including broken ones. Empty if there are none. */
  list(): Promise<readonly InstalledExtensionFolder[]>;
  read(name: string): Promise<ExtensionFiles>;
  /** Copies a source to a staging folder, where it has no effect yet. Runs nothing of it. Cleans up after a failure. */
  fetch(source: ExtensionSource, signal: AbortSignal): Promise<FetchedExtension>;
  /** Fetches a marketplace so that its list can be read, with any plugins that it contains. */
  openMarket(source: ExtensionSource, signal: AbortSignal): Promise<FetchedMarketplace>;
  /** In the order in which they were added. */
  listMarkets(): Promise<readonly Marketplace[]>;
  /** Replaces one of the same name. */
  addMarket(market: Marketplace): Promise<void>;
  removeMarket(name: string): Promise<void>;
  /** Uses a folder in place. @param path absolute */
  link(name: string, path: string): Promise<void>;
  /** Deletes the folder, or only the link of a linked one. */
  remove(name: string): Promise<void>;
  /** Enables or disables it in all workspaces, or in one folder and everything below. */
  switch(name: string, to: 'on' | 'off', where: EnablementScope): Promise<void>;
}

export type EnablementScope =
  | { readonly kind: 'everywhere' }
  /** `path`: absolute. */
  | { readonly kind: 'folder'; readonly path: string };

/** Its members were checked by `parseSource`. */
export type ExtensionSource = (
  | /** `path`: absolute. A folder to copy, or a local Git repository. */
  { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'git'; readonly address: string }
) & {
  /** A branch, a tag or a commit of a repository. */
  readonly ref?: string;
  /** Path of the relevant subfolder. */
  readonly within?: string;
  /** Replaces a missing manifest. */
  readonly entry?: PluginEntry;
};

/** A marketplace's entry of a plugin, without its source. */
export type PluginEntry = Readonly<Record<string, unknown>> & { readonly name: string };

/** A list of plugins that the user added. */
export interface Marketplace {
  readonly name: string;
  /** Same format as the source of an extension. */
  readonly source: string;
  readonly ref?: string;
}

export interface FetchedMarketplace {
  /** Its list, parsed as JSON and not validated. */
  readonly content: unknown;
  readonly commit?: string;
  /** @param path below the marketplace */
  fetch(path: string, entry: PluginEntry, signal: AbortSignal): Promise<FetchedExtension>;
  /** Deletes everything fetched for it. Always call it. */
  close(): Promise<void>;
}

export interface InstalledExtensionFolder {
  readonly name: string;
  /** Absent if the folder was copied by hand, or the note cannot be read. */
  readonly note?: InstallMetadata;
}

/** Origin of an installed extension, stored as a small file in its folder. */
export interface InstallMetadata {
  /** As the user gave it, with an absolute path. */
  readonly source: string;
  readonly type: 'git' | 'local' | 'link';
  readonly ref?: string;
  readonly commit?: string;
  /** Digest of all files at installation. Files written there later do not count as a change of the source. */
  readonly digest?: string;
  /** Name and marketplace of a plugin. `source` is then the marketplace's. */
  readonly plugin?: string;
  readonly market?: string;
}

export interface FetchedExtension {
  readonly contents: ExtensionFiles;
  /** Only for a repository. */
  readonly commit?: string;
  /** `git` also for a local repository. */
  readonly type: 'git' | 'local';
  /** Replaces an installed extension of this name and keeps its `.env`. */
  install(name: string, note: InstallMetadata): Promise<void>;
  /** Deletes what is left of it. Always call it. */
  discard(): Promise<void>;
}

/** An extension's files as they were read. Nothing is parsed. */
export interface ExtensionFiles {
  /** Absolute path of the folder they are in now, which may be a temporary one. */
  readonly folder: string;
  /** Includes its manifest; empty without one. */
  readonly files: readonly CustomFile[];
  readonly hooks?: HookFile;
  /** Digest of each file's bytes, by path in the folder, with slashes. */
  readonly digests: ReadonlyMap<string, string>;
}
