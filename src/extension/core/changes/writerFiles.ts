/*
 * The files of one writer. A tool, a command and a decision of the person each change files through an object of their
 * own, so that the journal names the right one, whoever else writes at the same time:
 *
 *     writeText, writeBytes, delete     kept ─► written ─┐
 *                                                        ├─► recorded with its writer
 *     found: changed past this object   kept ────────────┘
 */

import type { Writer } from '../../../protocol/changes.ts';
import type { FileSystem, TextFormat } from '../../platform/fileSystem.ts';
import type { FileBytes } from './bytes.ts';
import type { Checkpoints } from './checkpoints.ts';

export interface WriterFiles extends FileSystem {
  /** The writer has changed a file past this object. Call it in turn, with what stood there and what stands there. */
  readonly found: (path: string, before: FileBytes, after: FileBytes) => Promise<void>;
}

/** Learns of a writer's changes, so that they can wait for review. */
export interface WriteReview {
  /** Runs the write of a text, which is recorded when it resolves. */
  readonly text: (wanted: WantedText, write: () => Promise<void>) => Promise<void>;
  readonly found: (path: string, before: FileBytes, after: FileBytes) => Promise<void>;
}

/** A text that goes into a file. */
export interface WantedText {
  /** Absolute and real. */
  readonly path: string;
  readonly text: string;
  readonly format: TextFormat;
}

/** @param review absent: nothing waits */
export function writerFiles(
  writer: Writer,
  files: FileSystem,
  checkpoints: Checkpoints,
  review?: WriteReview,
): WriterFiles {
  const change = async (path: string, write: () => Promise<void>, text?: Omit<WantedText, 'path'>) => {
    const real = await files.realPath(path);
    const writeAndRecord = async () => {
      await write();
      await checkpoints.wrote(real, writer);
    };
    await checkpoints.inTurn(real, async () => {
      await checkpoints.keep(real);
      await (review && text ? review.text({ path: real, ...text }, writeAndRecord) : writeAndRecord());
    });
  };
  return {
    realPath: path => files.realPath(path),
    stat: path => files.stat(path),
    list: path => files.list(path),
    readBytes: path => files.readBytes(path),
    readText: path => files.readText(path),
    writeText: (path, text, format, expected) =>
      change(path, () => files.writeText(path, text, format, expected), { text, format }),
    writeBytes: (path, bytes) => change(path, () => files.writeBytes(path, bytes)),
    delete: path => change(path, () => files.delete(path)),
    found: async (path, before, after) => {
      await checkpoints.keepBytes(path, before);
      await checkpoints.wrote(path, writer);
      await review?.found(path, before, after);
    },
  };
}
