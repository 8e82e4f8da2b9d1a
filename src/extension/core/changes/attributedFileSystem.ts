/*
 * The file system of one writer. Each tool, command and user decision writes through its own object, so that the
 * journal names the right writer even with concurrent writes:
 *
 *     writeText, writeBytes, delete     kept ─► written ─┐
 *                                                        ├─► recorded with its writer
 *     found: changed past this object   kept ────────────┘
 */

import { basename, dirname, join } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { FileError, type FileSystem, type TextFormat } from '../../platform/fileSystem.ts';
import type { FileContent } from './bytes.ts';
import type { Checkpoints, CurrentSessionWriter } from './checkpoints.ts';
import type { AttributedWrite, ConcurrentRunsView } from './concurrentRuns.ts';

export interface AttributedFileSystem extends FileSystem {
  /**
   * Records a change that bypassed this object. Call it in turn, with the contents before and after.
   * @param by `someone`: another writer may have made it meanwhile
   */
  readonly found: (change: FoundChange, by: 'writer' | 'someone') => Promise<void>;
}

/** Receives a writer's changes, so that they wait for review. */
interface WriteReview {
  /** Runs the write of a text, which is recorded when it resolves. */
  readonly text: (wanted: PlannedWrite, write: () => Promise<WrittenText>) => Promise<WrittenText>;
  readonly found: (change: FoundChange, writer: CurrentSessionWriter) => Promise<void>;
}

/** The content after a write, and the error if an editor took the text but could not save it. */
export interface WrittenText {
  readonly left: FileContent;
  readonly unsaved: FileError | undefined;
}

export interface FoundChange {
  /** Absolute and real. */
  readonly path: string;
  readonly before: FileContent;
  readonly after: FileContent;
  /** The latest write of others since; absent: none, or a later change is this writer's. */
  readonly since?: AttributedWrite | undefined;
}

export interface PlannedWrite {
  /** Absolute and real. */
  readonly path: string;
  readonly text: string;
  readonly format: TextFormat;
  readonly before: FileContent;
}

/**
 * @param session notifies its other runs of each change once it is recorded
 * @param review absent: nothing waits for review
 */
export function makeAttributedFiles(
  writer: CurrentSessionWriter,
  files: FileSystem,
  checkpoints: Checkpoints,
  session: Pick<ConcurrentRunsView, 'notify' | 'writing'>,
  review?: WriteReview,
): AttributedFileSystem {
  const change = async (
    path: string,
    write: () => Promise<void>,
    text?: Pick<PlannedWrite, 'text' | 'format'>,
  ) => {
    const real = await files.realPath(path);
    // A decision is about a real path, so a link there is newer and may leave the workspace.
    if (writer.kind === 'person') await expectNoLink(path, files);
    await changeAt(real, write, text);
  };
  /** The link at the path itself may be the subject of the change. */
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

/** Returns the error if an editor took the text and could not save it; throws any other. `undefined`: saved. */
async function unsavedProblem(write: () => Promise<void>): Promise<FileError | undefined> {
  try {
    await write();
    return undefined;
  } catch (error) {
    if (error instanceof FileError && error.kind === 'unsaved') return error;
    throw error;
  }
}

/** Throws `FileError` if a symbolic link has replaced the file or a folder above it. */
export async function expectNoLink(path: string, files: Pick<FileSystem, 'realPath'>): Promise<void> {
  if ((await files.realPath(path)) === path) return;
  throw new FileError('changed', path, () =>
    t('{0} now leads through a symbolic link, so it was not changed.', path),
  );
}

/** Throws `FileError` if a folder above the path is a symbolic link. The path itself may be one. */
export function expectRealFolder(path: string, files: Pick<FileSystem, 'realPath'>): Promise<void> {
  return expectNoLink(dirname(path), files);
}

function meanwhile(writer: CurrentSessionWriter): CurrentSessionWriter {
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
