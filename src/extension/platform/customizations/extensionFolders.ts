/* The folders of the extensions that a user installed, and where they get new ones from. */

import type { CustomFile } from './customFiles.ts';
import type { HookFile } from './hooks.ts';

/** The request could not be carried out; the message is a sentence for the user. */
export class ExtensionError extends Error {}

/** All reject with an `ExtensionError`, or with the reason of the signal. */
export interface ExtensionFolders {
  /** By name, also those that cannot be used. Empty when there are none. */
  list(): Promise<readonly InstalledFolder[]>;
  /** Reads the files of an installed extension. */
  read(name: string): Promise<ExtensionContents>;
  /**
   * Copies a source to a place beside the installed ones, where it does not count yet. Nothing of it runs. One
   * that fails leaves nothing behind.
   */
  fetch(source: ExtensionSource, signal: AbortSignal): Promise<FetchedExtension>;
  /** Gets a marketplace to a place where its list can be read, and plugins that stand in it. */
  openMarket(source: ExtensionSource, signal: AbortSignal): Promise<OpenMarket>;
  /** In the order in which they were added. */
  listMarkets(): Promise<readonly Market[]>;
  /** One of the same name is replaced. */
  addMarket(market: Market): Promise<void>;
  removeMarket(name: string): Promise<void>;
  /** Lets a folder count as it stands. @param path absolute */
  link(name: string, path: string): Promise<void>;
  /** Deletes the folder; of a linked one only the link. */
  remove(name: string): Promise<void>;
  /** Lets it count or not, in all workspaces or in one folder and what lies below it. */
  switch(name: string, to: 'on' | 'off', where: SwitchScope): Promise<void>;
}

export type SwitchScope =
  | { readonly kind: 'everywhere' }
  /** `path`: absolute. */
  | { readonly kind: 'folder'; readonly path: string };

/** Its parts were checked by `parseSource`. */
export type ExtensionSource = (
  | /** `path`: absolute; a folder to copy, or a Git repository on this machine. */
  { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'git'; readonly address: string }
) & {
  /** A branch, a tag or a commit of a repository. */
  readonly ref?: string;
  /** The part that is meant, as a path below the whole. */
  readonly within?: string;
  /** Stands for the manifest where there is none. */
  readonly entry?: PluginEntry;
};

/** A marketplace's entry of a plugin, without its source. */
export type PluginEntry = Readonly<Record<string, unknown>> & { readonly name: string };

/** A list of plugins that the user added. */
export interface Market {
  readonly name: string;
  /** As for an extension. */
  readonly source: string;
  readonly ref?: string;
}

export interface OpenMarket {
  /** Its list, parsed as JSON; anything. */
  readonly content: unknown;
  readonly commit?: string;
  /** @param path below the marketplace */
  fetch(path: string, entry: PluginEntry, signal: AbortSignal): Promise<FetchedExtension>;
  /** Deletes what was fetched for it; to be called in any case. */
  close(): Promise<void>;
}

export interface InstalledFolder {
  readonly name: string;
  /** Absent: somebody put the folder there by hand. */
  readonly note?: InstallNote;
}

/** Where an installed one is from, as a small file in its folder says. */
export interface InstallNote {
  /** As the user gave it, with an absolute path. */
  readonly source: string;
  readonly type: 'git' | 'local' | 'link';
  readonly ref?: string;
  readonly commit?: string;
  /** The digest of all files as they came: a file that was written into the folder later is no change of the source. */
  readonly digest?: string;
  /** Name and marketplace of a plugin that came from one; `source` is the marketplace's. */
  readonly plugin?: string;
  readonly market?: string;
}

export interface FetchedExtension {
  readonly contents: ExtensionContents;
  /** Present for a repository. */
  readonly commit?: string;
  /** `git` also for a repository on this machine. */
  readonly type: 'git' | 'local';
  /** Takes the place of an installed one of this name, whose `.env` stays. */
  install(name: string, note: InstallNote): Promise<void>;
  /** Deletes what is left of it; to be called in any case. */
  discard(): Promise<void>;
}

export interface ExtensionContents {
  /** Absolute; where it stands now, which is not where it will. */
  readonly folder: string;
  /** Its manifest is one of them; without a manifest there are none. */
  readonly files: readonly CustomFile[];
  readonly hooks?: HookFile;
  /** Every file by its path in the folder, with slashes, and the digest of its bytes. */
  readonly digests: ReadonlyMap<string, string>;
}
