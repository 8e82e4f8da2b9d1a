/* Sources of mentions, and their content before it is cut to fit. */

import type { Blob } from '../../../protocol/events.ts';
import type { Mention, MentionKind } from '../../../protocol/mentions.ts';
import type { UntrustedTag } from '../../base/untrusted.ts';
import type { Log } from '../../platform/log.ts';
import type { WorkingDiff } from '../../platform/versionControl.ts';
import type { Workbench } from '../../platform/workbench.ts';
import type { MentionLines } from './parseMentions.ts';
import type { ServerResources } from './resources.ts';

export interface MentionSources {
  readonly files: MentionFiles;
  readonly workbench: Workbench;
  readonly diff: WorkingDiff;
  readonly folders: readonly string[];
  readonly trusted: () => boolean;
  /** Reads a page as text. Rejects with a sentence for the user. */
  readonly readPage: (url: string, signal: AbortSignal) => Promise<string>;
  /** Absent: no servers run. */
  readonly servers?: () => ServerResources | undefined;
  readonly log: Log;
}

/** Reads the workspace like tools: with the same gate, limits and ignore files. */
export interface MentionFiles {
  find(path: string): Promise<FoundPath>;
  /**
   * Returns absolute paths of files that end like this one and are not ignored; at most two, which suffice to detect
   * ambiguity.
   */
  findByEnd(path: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Never rejects because of the file. */
  read(path: string, lines: MentionLines | undefined): Promise<PathContent>;
  /** Lists absolute paths of files below a folder, those near it first, without ignored ones. */
  list(folder: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Formats a path so that tools accept it. */
  show(path: string): Promise<string>;
}

export type FoundPath =
  | {
      readonly kind: 'file' | 'folder';
      /** Absolute, real. */
      readonly path: string;
      readonly shown: string;
      /** The ignore file that excludes it, such as `.gitignore`. */
      readonly leftOutBy?: string;
    }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refused'; readonly why: string };

/** Content of a mentioned file or folder, or why there is none. */
export type PathContent =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** From 1; `last` is below `first` for an empty file. */
      readonly first: number;
      readonly last: number;
      readonly total: number;
      /** Shorter than requested. */
      readonly cut: boolean;
      /** The detected encoding; absent: UTF-8. */
      readonly encoding?: string | undefined;
    }
  | { readonly kind: 'media'; readonly blob: Blob; readonly bytes: number; readonly size: string }
  | { readonly kind: 'unread'; readonly why: string };

export type MentionContent =
  | {
      readonly outcome: 'read' | 'cut';
      readonly kind: MentionKind;
      readonly detail: string;
      readonly path?: string;
      readonly pieces: readonly ContentPiece[];
    }
  | ({ readonly outcome: 'ignored' | 'missing' | 'failed' } & Pick<Mention, 'kind' | 'detail' | 'path'>);

export type ContentPiece =
  | {
      readonly kind: 'text';
      /** Heading of the piece, without colon. */
      readonly heading: string;
      readonly text: string;
      readonly wrap: 'ticks' | UntrustedTag;
    }
  | { readonly kind: 'media'; readonly heading: string; readonly blob: Blob; readonly bytes: number };
