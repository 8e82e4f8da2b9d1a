/* The sources that mentions are read from, and the readings before they are cut to fit. */

import type { Blob } from '../../../protocol/events.ts';
import type { Mention, MentionKind } from '../../../protocol/mentions.ts';
import type { UntrustedTag } from '../../base/untrusted.ts';
import type { Log } from '../../platform/log.ts';
import type { WorkingDiff } from '../../platform/versionControl.ts';
import type { Workbench } from '../../platform/workbench.ts';
import type { Lines } from './parseMentions.ts';
import type { ServerResources } from './resources.ts';

export interface MentionSources {
  readonly files: MentionFiles;
  readonly workbench: Workbench;
  readonly diff: WorkingDiff;
  readonly folders: readonly string[];
  readonly trusted: () => boolean;
  /** A page as text. Rejects with a sentence for the user. */
  readonly readPage: (url: string, signal: AbortSignal) => Promise<string>;
  /** Absent: no servers run. */
  readonly servers?: () => ServerResources | undefined;
  readonly log: Log;
}

/** The workspace as tools read it: the same gate, the same limits, the same ignore files. */
export interface MentionFiles {
  find(path: string): Promise<FoundPlace>;
  /** Files, absolute, whose path ends like this one and that are not ignored; two are enough to know of several. */
  findByEnd(path: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Never rejects for the file's sake. */
  read(path: string, lines: Lines | undefined): Promise<PlaceContent>;
  /** Files below a folder, absolute, those near it first; ignored ones are left out. */
  list(folder: string, signal: AbortSignal): Promise<readonly string[]>;
  /** As it can be given back to a tool. */
  show(path: string): Promise<string>;
}

export type FoundPlace =
  | {
      readonly kind: 'file' | 'folder';
      /** Absolute, real. */
      readonly path: string;
      readonly shown: string;
      /** The ignore file that leaves it out: `.gitignore`. */
      readonly leftOutBy?: string;
    }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refused'; readonly why: string };

export type PlaceContent =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** From 1; `last` is below `first` when there is no line. */
      readonly first: number;
      readonly last: number;
      readonly total: number;
      /** Less than what was asked for. */
      readonly cut: boolean;
      /** The encoding that it was read in; absent: UTF-8. */
      readonly encoding?: string | undefined;
    }
  | { readonly kind: 'media'; readonly blob: Blob; readonly bytes: number; readonly size: string }
  | { readonly kind: 'unread'; readonly why: string };

/** The result of reading one mention. */
export type Reading =
  | {
      readonly outcome: 'read' | 'cut';
      readonly kind: MentionKind;
      readonly detail: string;
      readonly path?: string;
      readonly pieces: readonly Piece[];
    }
  | ({ readonly outcome: 'ignored' | 'missing' | 'failed' } & Pick<Mention, 'kind' | 'detail' | 'path'>);

export type Piece =
  | {
      readonly kind: 'text';
      /** Names the piece, without a colon. */
      readonly heading: string;
      readonly text: string;
      readonly wrap: 'ticks' | UntrustedTag;
    }
  | { readonly kind: 'media'; readonly heading: string; readonly blob: Blob; readonly bytes: number };
