/*
 * The files of one writer. A tool, a command and a decision of the user each change files through an object of their
 * own, so that the journal names the right one, whoever else writes at the same time:
 *
 *     writeText, writeBytes, delete     kept ─► written ─┐
 *                                                        ├─► recorded with its writer
 *     found: changed past this object   kept ────────────┘
 */

import { basename, dirname, join } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { FileError, type FileSystem, type TextFormat } from '../../platform/fileSystem.ts';
import type { FileContent } from './bytes.ts';
import type { Checkpoints, FileWriter } from './checkpoints.ts';
import type { AttributedWrite, OtherRun } from './otherRuns.ts';

export interface WriterFiles extends FileSystem {
  /**
   * The writer has changed a file past this object. Call it in turn, with what stood there and what it left.
   * @param by `someone`: it may have been another one, while this writer was at work
   */
  readonly found: (change: FoundChange, by: 'writer' | 'someone') => Promise<void>;
}

/** Learns of a writer's changes, so that they can wait for review. */
interface WriteReview {
  /** Runs the write of a text, which is recorded when it resolves. */
  readonly text: (wanted: PlannedWrite, write: () => Promise<WrittenText>) => Promise<WrittenText>;
  readonly found: (change: FoundChange, writer: FileWriter) => Promise<void>;
}

/** The state that a write left, and the problem where an editor has taken the text and could not save it. */
export interface WrittenText {
  readonly left: FileContent;
  readonly unsaved: FileError | undefined;
}

export interface FoundChange {
  /** Absolute and real. */
  readonly path: string;
  readonly before: FileContent;
  readonly after: FileContent;
  /** The newest of what others wrote since; absent: nothing, or something more is found to be this writer's. */
  readonly since?: AttributedWrite | undefined;
}

/** A write that is about to happen. */
export interface PlannedWrite {
  /** Absolute and real. */
  readonly path: string;
  readonly text: string;
  readonly format: TextFormat;
  /** The state before the write. */
  readonly before: FileContent;
}

/**
 * @param session its other runs hear of each change, once it is recorded
 * @param review absent: nothing waits
 */
export function writerFiles(
  writer: FileWriter,
  files: FileSystem,
  checkpoints: Checkpoints,
  session: Pick<OtherRun, 'notify' | 'writing'>,
  review?: WriteReview,
): WriterFiles {
  const change = async (
    path: string,
    write: () => Promise<void>,
    text?: Pick<PlannedWrite, 'text' | 'format'>,
  ) => {
    const real = await files.realPath(path);
    // A decision is about a file by its real path, so a link there came later and may lead out of the workspace.
    if (writer.kind === 'person') await expectNoLink(path, files);
    await changeAt(real, write, text);
  };
  /** The link that stands at the path itself may be what is changed. */
  const changePlace = async (path: string, write: () => Promise<void>) => {
    const place = join(await files.realPath(dirname(path)), basename(path));
    if (writer.kind === 'person') await expectNoLink(dirname(path), files);
    await changeAt(place, write);
  };
  const changeAt = async (
    real: string,
    write: () => Promise<void>,
    text?: Pick<PlannedWrite, 'text' | 'format'>,
  ) => {
    const writeInTurn = async () => {
      const before = await checkpoints.keep(real);
      const writeAndRecord = async () => {
        const unsaved = await unsavedProblem(write);
        const left = await checkpoints.wrote(real, writer);
        session.notify({ path: real, before: before.bytes, after: left.bytes });
        return { left, unsaved };
      };
      const wanted = text && { path: real, before, ...text };
      const { unsaved } = await (review && wanted ? review.text(wanted, writeAndRecord) : writeAndRecord());
      if (unsaved) throw unsaved;
    };
    await checkpoints.inTurn(real, () => session.writing(real, writeInTurn));
  };
  return {
    realPath: path => files.realPath(path),
    stat: path => files.stat(path),
    list: path => files.list(path),
    readBytes: path => files.readBytes(path),
    readSaved: path => files.readSaved(path),
    readText: (path, known) => files.readText(path, known),
    decode: (path, bytes) => files.decode(path, bytes),
    encode: (path, text, format) => files.encode(path, text, format),
    newFormat: path => files.newFormat(path),
    writeText: (path, text, format, expected, amid) =>
      change(path, () => files.writeText(path, text, format, expected, amid), { text, format }),
    writeBytes: (path, bytes) => change(path, () => files.writeBytes(path, bytes)),
    delete: path => changePlace(path, () => files.delete(path)),
    readLink: path => files.readLink(path),
    writeLink: (path, target) => changePlace(path, () => files.writeLink(path, target)),
    setExecutable: (path, executable) => change(path, () => files.setExecutable(path, executable)),
    found: async (found, by) => {
      const { path, before, after } = found;
      const named = by === 'writer' ? writer : meanwhile(writer);
      await session.writing(path, async () => {
        await checkpoints.keepContent(path, before);
        await checkpoints.wroteContent(path, after, named);
        session.notify({ path, before: before.bytes, after: after.bytes });
      });
      await review?.found(found, named);
    },
  };
}

/**
 * The problem of a write that an editor has taken and could not save; any other is thrown. `undefined`: it is saved.
 */
async function unsavedProblem(write: () => Promise<void>): Promise<FileError | undefined> {
  try {
    await write();
    return undefined;
  } catch (error) {
    if (error instanceof FileError && error.kind === 'unsaved') return error;
    throw error;
  }
}

/** Fails with a `FileError` where a symbolic link has taken the place of the file, or of a folder above it. */
export async function expectNoLink(path: string, files: Pick<FileSystem, 'realPath'>): Promise<void> {
  if ((await files.realPath(path)) === path) return;
  throw new FileError('changed', path, () =>
    t('{0} now leads through a symbolic link, so it was not changed.', path),
  );
}

/** The same, but the place itself may hold a link. */
export function expectRealFolder(path: string, files: Pick<FileSystem, 'realPath'>): Promise<void> {
  return expectNoLink(dirname(path), files);
}

function meanwhile(writer: FileWriter): FileWriter {
  switch (writer.kind) {
    case 'call':
      return { ...writer, kind: 'meanwhile' };
    case 'command': {
      const { callId, agent, line: words } = writer;
      return { kind: 'meanwhile', callId, agent, words };
    }
    case 'meanwhile':
    case 'person':
      return writer;
  }
}
