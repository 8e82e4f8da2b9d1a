/* The folders of the extensions that a person installed, and where they get new ones from. */

import type { CustomFile } from './customFiles.ts';
import type { HookFile } from './hooks.ts';

/** What was asked for could not be done; the message is a sentence for the person. */
export class ExtensionTrouble extends Error {}

/** All reject with an `ExtensionTrouble`, or with the reason of the signal. */
export interface ExtensionFolders {
  /** By name, also those that cannot be used. Empty when there are none. */
  list(): Promise<readonly InstalledFolder[]>;
  /** What stands in an installed one. */
  read(name: string): Promise<ExtensionContents>;
  /**
   * Copies a source to a place beside the installed ones, where it does not count yet. Nothing of it runs. One
   * that fails leaves nothing behind.
   */
  fetch(source: ExtensionSource, signal: AbortSignal): Promise<FetchedExtension>;
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
export type ExtensionSource =
  /** `path`: absolute; a folder to copy, or a Git repository on this machine. */
  | { readonly kind: 'folder'; readonly path: string; readonly ref?: string }
  | { readonly kind: 'git'; readonly address: string; readonly ref?: string };

export interface InstalledFolder {
  readonly name: string;
  /** Absent: somebody put the folder there by hand. */
  readonly note?: InstallNote;
}

/** Where an installed one is from, as a small file in its folder says. */
export interface InstallNote {
  /** As the person gave it, with an absolute path. */
  readonly source: string;
  readonly type: 'git' | 'local' | 'link';
  readonly ref?: string;
  readonly commit?: string;
}

export interface FetchedExtension {
  readonly contents: ExtensionContents;
  /** Of a repository. */
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
