/* Exports a session to a file, and imports one into this workspace. */

import { writeFile } from 'node:fs/promises';
import { messageOf } from '../base/errors.ts';
import { CommandError } from '../core/commandError.ts';
import { importLimit } from '../core/imports/importedSession.ts';
import type { SessionManager } from '../core/session/sessionManager.ts';
import { readBounded, UnusableFileError } from '../node/files/readBounded.ts';
import { RunRefusal } from './arguments.ts';

/** Throws if the file cannot be written, because the requester relies on it. */
export async function writeSessionFile(
  path: string,
  agent: SessionManager,
  sessionId: string,
): Promise<void> {
  const lines = await agent.sessionFile(sessionId);
  try {
    await writeFile(path, `${lines.join('\n')}\n`, { mode: 0o600 });
  } catch (error) {
    throw new RunRefusal(`${path} cannot be written: ${messageOf(error)}`);
  }
}

/** Writes no workspace files: its hunks appear where the files contain the changes. @returns its id here */
export async function importSessionFile(path: string, agent: SessionManager): Promise<string> {
  const { parseSessionFile } = await import('../core/imports/sessionFile.ts');
  const text = await readText(path);
  const importer = await agent.importer();
  try {
    const imported = parseSessionFile(text, path);
    return await importer.bring(imported, await importer.findChanges(imported.changes));
  } catch (error) {
    throw error instanceof CommandError ? new RunRefusal(error.message) : error;
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readBounded(path, importLimit);
  } catch (error) {
    const why = messageOf(error);
    throw new RunRefusal(
      error instanceof UnusableFileError ? `${path} ${why}.` : `${path} cannot be read: ${why}`,
    );
  }
}
